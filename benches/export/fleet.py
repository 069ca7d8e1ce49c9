"""python3 fleet.py PROGRAM FOLDER SUM: adds up the calls of FOLDER/data by DuckDB, with the statements of PROGRAM.sql, or by
Spark, which runs PROGRAM.py, and compares the sums with those of gmon merge, in SUM."""
import collections
import json
import os
import subprocess
import sys

import duckdb

program, folder, total = map(os.path.abspath, sys.argv[1:])
os.chdir(folder)
if program.endswith(".py"):
    spark = [sys.executable, program, "data", "sums.parquet"]
    subprocess.run(spark, check=True, env=os.environ | {"SPARK_LOCAL_IP": "127.0.0.1"}, stderr=subprocess.DEVNULL)
    query = "SELECT module, caller, name, calls, runs FROM 'sums.parquet/*.parquet'"
else:
    *before, query = [text for text in open(program).read().split(";") if text.strip()]
    for statement in before:
        duckdb.sql(statement)
found = collections.Counter()
for module, caller, name, calls, runs in duckdb.sql(query).fetchall():
    found[caller, module, name] += int(calls)

profile = json.load(open(total))
functions, modules = profile["functions"], profile["modules"]
expected = collections.Counter()
for arc in profile["arcs"]:
    caller = None if arc["caller"] is None else functions[arc["caller"]]["name"]
    callee = functions[arc["callee"]]
    module = "" if callee["module"] is None else modules[callee["module"]]["path"].rsplit("/")[-1]
    expected[caller or "__external_caller", module, callee["name"]] += arc["calls"] or 0
expected = +expected
if found != expected:
    sys.exit(f"{program} adds up to {found.total()} calls, gmon merge to {expected.total()}")
print(len(found), found.total())
