"""
Calls every public method of Mastodon.py against an instance, prints one line of JSON for each.

A method counts as working when its case calls it and finds what Mastodon would answer.
"""

import json
import traceback

from people import called
import cases_admin
import cases_people
import cases_reading
import cases_server
import cases_statuses
import cases_streams

modules = (cases_server, cases_people, cases_statuses, cases_reading, cases_streams, cases_admin)


def run(name, case):
    called.discard(name)
    try:
        case()
        if name not in called:
            raise AssertionError("the case does not call the method")
        return {"name": name, "error": None, "text": ""}
    except Exception as failure:  # reported to the test, which decides
        where = traceback.extract_tb(failure.__traceback__)
        line = next((at.line for at in reversed(where) if "cases_" in at.filename), "")
        error = type(failure).__name__
        return {"name": name, "error": error, "text": " ".join(map(str, failure.args)), "line": line, "called": name in called}


for module in modules:
    for name, case in module.cases.items():
        print(json.dumps(run(name, case)), flush=True)
