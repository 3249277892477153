"""Who takes part in the calls: clients of Mastodon.py that note which of its methods were really called."""

import itertools
import json
import sys
import threading

import requests
from mastodon import Mastodon, StreamListener

place = json.loads(sys.stdin.readline())
origin = place["origin"]
called = set()
addresses = itertools.count(1)


class Client(Mastodon):
    """The client itself; what is looked up on it from outside counts as called."""

    def __getattribute__(self, name):
        if not name.startswith("_"):
            called.add(name)
        return super().__getattribute__(name)


def elsewhere():
    """A session at an address of its own, as people have."""
    session = requests.Session()
    session.headers["CF-Connecting-IP"] = "2001:db8:7079:%x::%x" % (place["run"], next(addresses))
    return session


def client(token=None, **more):
    return Client(access_token=token, api_base_url=origin, session=elsewhere(), ratelimit_method="throw", **more)


alice, bob, carol = (client(place[name]["token"]) for name in ("alice", "bob", "carol"))
alice_id, bob_id, carol_id = (place[name]["id"] for name in ("alice", "bob", "carol"))
alice_name, bob_name, carol_name = (place[name]["username"] for name in ("alice", "bob", "carol"))


def ask(what):
    """Asks the test for something only a browser can get."""
    print(json.dumps({"ask": what}), flush=True)
    return json.loads(sys.stdin.readline())


class Heard(StreamListener):
    """What came over a stream; waits for an event without looking at the time in between."""

    def __init__(self):
        super().__init__()
        self.events = []
        self.beats = 0
        self.failure = None
        self.changed = threading.Condition()

    def note(self, kind, content=None):
        with self.changed:
            self.events.append((kind, content))
            self.changed.notify_all()

    def on_update(self, status):
        self.note("update", status)

    def on_delete(self, status_id):
        self.note("delete", status_id)

    def on_status_update(self, status):
        self.note("status.update", status)

    def on_notification(self, notification):
        self.note("notification", notification)

    def on_conversation(self, conversation):
        self.note("conversation", conversation)

    def on_filters_changed(self):
        self.note("filters_changed")

    def on_abort(self, err):
        with self.changed:
            self.failure = err
            self.changed.notify_all()

    def handle_heartbeat(self):
        with self.changed:
            self.beats += 1
            self.changed.notify_all()

    def wait(self, what, condition):
        with self.changed:
            if not self.changed.wait_for(lambda: self.failure is not None or condition(), timeout=20):
                raise AssertionError("nothing came of %s, only %s" % (what, [kind for kind, _ in self.events]))
        if self.failure is not None:
            raise self.failure

    def opened(self):
        """The first line of a stream is a comment."""
        self.wait("the opening", lambda: self.beats > 0)

    def first(self, kind, matches=lambda content: True):
        found = lambda: [content for name, content in self.events if name == kind and matches(content)]
        self.wait(kind, lambda: len(found()) > 0)
        return found()[0]
