"""Prints the names of all public methods of the installed Mastodon.py, as a JSON list."""

import inspect
import json

from mastodon import Mastodon

print(json.dumps([name for name, _ in inspect.getmembers(Mastodon, callable) if not name.startswith("_")]))
