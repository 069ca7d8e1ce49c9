"""python3 fleet.py SQL FOLDER SUM: adds up the calls of FOLDER/data with the statements in SQL, by DuckDB, and compares
the sums with those of gmon merge, in SUM."""
import collections
import json
import os
import sys

import duckdb

sql, folder, total = map(os.path.abspath, sys.argv[1:])
*before, query = [text for text in open(sql).read().split(";") if text.strip()]
os.chdir(folder)
for statement in before:
    duckdb.sql(statement)
found = collections.Counter()
for module, caller, name, calls, runs in duckdb.sql(query).fetchall():
    found[caller, module, name] += calls

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
    sys.exit(f"DuckDB adds up to {found.total()} calls, gmon merge to {expected.total()}")
print(len(found), found.total())
