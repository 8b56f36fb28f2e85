# SPDX-License-Identifier: BSD-3-Clause
"""Prints doc/result.schema.json: make.  c/watch/record/schema.json describes the document; a family
describes its own fields in c/family/NAME/schema.json: of "document", "method", "row" and "columns".
usage: result_schema.py SOURCE"""
import glob, json, sys

source = sys.argv[1]
with open(source + "/c/watch/record/schema.json") as file:
    schema = json.load(file)
definitions = schema["definitions"]
places = {"document": schema["properties"], "method": definitions["method"]["properties"],
          "row": definitions["row"]["properties"],
          "columns": definitions["row"]["properties"]["columns"]["properties"]}
for path in sorted(glob.glob(source + "/c/family/*/schema.json")):
    with open(path) as file:
        for place, fields in json.load(file).items():
            twice = sorted(set(fields) & set(places[place]))
            if twice:
                sys.exit("%s: %s is described elsewhere too" % (path, ", ".join(twice)))
            places[place].update(fields)
print(json.dumps(schema, indent=1, ensure_ascii=False))
