"""Prints the names of all commands of the installed toot, as a JSON list."""

import json

from toot.console import COMMANDS

print(json.dumps([command.name for command in COMMANDS]))
