# Calls by caller and callee over all profiles below a folder, which `gmon export --format jsonl -o FOLDER/` wrote:
#     spark-submit arcs.py FOLDER OUT.parquet
# The columns are named, since guessing them would read everything twice. Sums of counts as `bigint` would wrap.
import sys

from pyspark.sql import SparkSession
from pyspark.sql import functions as F

COLUMNS = "kind string, run string, build_id string, module string, name string, caller string, calls bigint"

spark = SparkSession.builder.appName("arcs").getOrCreate()
rows = spark.read.schema(COLUMNS).json(sys.argv[1])
arcs = (
    rows.where("kind = 'arc'")
    .groupBy("module", "caller", "name")
    .agg(
        F.sum(F.col("calls").cast("decimal(38,0)")).alias("calls"),
        F.countDistinct("run").alias("runs"),
    )
)
# Not the usual compression, snappy: where musl is installed beside glibc, its library loads the wrong one.
arcs.write.mode("overwrite").option("compression", "gzip").parquet(sys.argv[2])
spark.stop()
