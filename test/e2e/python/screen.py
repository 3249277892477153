"""
Runs the screen of toot in a terminal of its own until it shows the text given, then types q.

Ends with the code of toot, or with 1 and what was shown where the text never came.
"""

import fcntl
import os
import pty
import re
import signal
import struct
import sys
import termios

wanted = sys.argv[1]
child, terminal = pty.fork()
if child == 0:
    os.environ["TERM"] = "xterm-256color"
    # Before there is a size, nothing is drawn.
    fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", 50, 160, 0, 0))
    os.execv("/usr/bin/toot", ["toot", "tui"])


def give_up(*_):
    print("only this was shown:", shown)
    os.kill(child, signal.SIGKILL)
    os._exit(1)


shown = ""
asked = False
signal.signal(signal.SIGALRM, give_up)
signal.alarm(40)
while True:
    try:
        chunk = os.read(terminal, 65536)
    except OSError:  # the terminal is closed by who used it
        break
    if not chunk:
        break
    shown += re.sub(r"\x1b[\[(][0-9;?]*[A-Za-z]", "", chunk.decode("utf-8", "replace"))
    if wanted in shown and not asked:
        asked = True
        os.write(terminal, b"q")

_, status = os.waitpid(child, 0)
print("shown" if asked else shown)
sys.exit(os.waitstatus_to_exitcode(status))
