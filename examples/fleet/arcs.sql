-- Calls by caller and callee over all profiles below data/, which `gmon export --format jsonl -o data/` wrote:
--     duckdb < arcs.sql
-- The columns are named, since guessing them takes gigabytes for many files.
SET preserve_insertion_order = false;
COPY (SELECT * FROM read_json('data/**/*.jsonl.gz', format = 'newline_delimited', hive_partitioning = true,
        columns = {kind: 'VARCHAR', run: 'VARCHAR', build_id: 'VARCHAR', module: 'VARCHAR', name: 'VARCHAR',
                   caller_module: 'VARCHAR', caller: 'VARCHAR', calls: 'UBIGINT'})
      WHERE kind = 'arc') TO 'arcs.parquet' (FORMAT parquet, COMPRESSION zstd);
SELECT module, caller, name, sum(calls) AS calls, count(DISTINCT run) AS runs
FROM 'arcs.parquet' GROUP BY ALL ORDER BY calls DESC, caller, name;
