"""Everything that streams, with what really comes over each."""

import threading

from cases import same, table
from people import Heard, alice, alice_name, bob, bob_id, place

cases, case = table()
tag = place["tag"]


def listening(open_stream):
    heard = Heard()
    handle = open_stream(heard)
    heard.opened()
    return heard, handle


def leave(*handles):
    """Closes streams. The library waits in that for the next line of each, so nobody waits for the library."""
    for handle in handles:
        threading.Thread(target=handle.close, daemon=True).start()


def is_status(sent):
    return lambda status: status.id == sent.id


@case
def stream_healthy():
    same(alice.stream_healthy(), True)


@case
def stream_user():
    heard, handle = listening(lambda to: alice.stream_user(to, run_async=True))
    own = alice.status_post("Over my own stream")
    heard.first("update", is_status(own))
    alice.status_update(own, "Over my own stream, edited")
    same(heard.first("status.update", is_status(own)).content, "<p>Over my own stream, edited</p>")
    bob.status_favourite(own)
    same(heard.first("notification").type, "favourite")
    # An event without a payload: the library parses the data of each.
    alice.filter_delete(alice.filter_create("cat", ["home"]))
    heard.first("filters_changed")
    alice.status_delete(own)
    heard.first("delete", lambda id: int(id) == int(own.id))
    same(handle.is_alive(), True)
    leave(handle)


@case
def stream_public():
    heard, handle = listening(lambda to: alice.stream_public(to, run_async=True))
    heard.first("update", is_status(bob.status_post("To everybody")))
    leave(handle)


@case
def stream_local():
    heard, handle = listening(lambda to: alice.stream_local(to, run_async=True))
    heard.first("update", is_status(bob.status_post("To everybody here")))
    leave(handle)


@case
def stream_hashtag():
    heard, handle = listening(lambda to: alice.stream_hashtag(tag, to, run_async=True))
    near, near_handle = listening(lambda to: alice.stream_hashtag(tag, to, local=True, run_async=True))
    sent = bob.status_post("Now #%s" % tag)
    heard.first("update", is_status(sent))
    near.first("update", is_status(sent))
    leave(handle, near_handle)


@case
def stream_list():
    birds = alice.list_create("Streamed")
    alice.list_accounts_add(birds, [bob_id])
    heard, handle = listening(lambda to: alice.stream_list(birds, to, run_async=True))
    heard.first("update", is_status(bob.status_post("To the list")))
    leave(handle)
    alice.list_delete(birds)


@case
def stream_direct():
    heard, handle = listening(lambda to: alice.stream_direct(to, run_async=True))
    sent = bob.status_post("@%s again" % alice_name, visibility="direct")
    heard.first("conversation", lambda one: one.last_status.id == sent.id)
    leave(handle)
