"""Writing: statuses, media, polls and what is done with them."""

import datetime

from cases import has, ids, refused, same, table
from people import alice, alice_id, alice_name, bob, bob_id, bob_name, place

cases, case = table()
kept = {}


@case
def status_post():
    first = alice.status_post("Two wrens", spoiler_text="Birds", language="en", visibility="unlisted", idempotency_key="a")
    again = alice.status_post("Two wrens", idempotency_key="a")
    kept["status"] = first
    same([first.spoiler_text, first.visibility, first.sensitive, again.id], ["Birds", "unlisted", True, first.id])


@case
def toot():
    kept["toot"] = alice.toot("Three wrens")
    same([kept["toot"].content, kept["toot"].visibility], ["<p>Three wrens</p>", "public"])


@case
def status():
    same(bob.status(kept["status"]).id, kept["status"].id)


@case
def status_reply():
    kept["reply"] = bob.status_reply(kept["status"], "And a robin")
    same(kept["reply"].in_reply_to_id, kept["status"].id)
    has(kept["reply"].content, alice_name)


@case
def status_context():
    same(ids(alice.status_context(kept["status"]).descendants), [int(kept["reply"].id)])
    same(ids(alice.status_context(kept["reply"]).ancestors), [int(kept["status"].id)])


@case
def status_card():
    # The library reads it from the status, as Mastodon wants it since 3.0.
    same(alice.status_card(kept["status"]), None)


@case
def status_source():
    found = alice.status_source(kept["status"])
    same([found.text, found.spoiler_text], ["Two wrens", "Birds"])


@case
def status_update():
    found = alice.status_update(kept["status"], "Four wrens", spoiler_text="")
    same([found.content, isinstance(found.edited_at, datetime.datetime)], ["<p>Four wrens</p>", True])


@case
def status_history():
    same([one.content for one in alice.status_history(kept["status"])], ["<p>Two wrens</p>", "<p>Four wrens</p>"])


@case
def status_favourite():
    same(bob.status_favourite(kept["status"]).favourited, True)


@case
def status_favourited_by():
    same(ids(alice.status_favourited_by(kept["status"])), [int(bob_id)])


@case
def favourites():
    has(ids(bob.favourites()), int(kept["status"].id))


@case
def status_unfavourite():
    same(bob.status_unfavourite(kept["status"]).favourited, False)


@case
def status_reblog():
    same(bob.status_reblog(kept["status"], visibility="unlisted").reblog.id, kept["status"].id)


@case
def status_reblogged_by():
    same(ids(alice.status_reblogged_by(kept["status"])), [int(bob_id)])


@case
def status_unreblog():
    same(bob.status_unreblog(kept["status"]).reblogged, False)


@case
def status_bookmark():
    same(bob.status_bookmark(kept["status"]).bookmarked, True)


@case
def bookmarks():
    same(ids(bob.bookmarks()), [int(kept["status"].id)])


@case
def status_unbookmark():
    same(bob.status_unbookmark(kept["status"]).bookmarked, False)


@case
def status_mute():
    same(alice.status_mute(kept["status"]).muted, True)


@case
def status_unmute():
    same(alice.status_unmute(kept["status"]).muted, False)


@case
def status_pin():
    same(alice.status_pin(kept["status"]).pinned, True)
    same(ids(bob.account_statuses(alice_id, pinned=True)), [int(kept["status"].id)])
    refused(lambda: alice.status_pin(kept["reply"]), "422", "Someone else's post cannot be pinned")


@case
def status_unpin():
    same(alice.status_unpin(kept["status"]).pinned, False)


@case
def status_delete():
    deleted = alice.status_delete(kept["toot"])
    same(deleted.text, "Three wrens")
    refused(lambda: bob.status(kept["toot"]), "404", "Record not found")


@case
def media_post():
    kept["media"] = alice.media_post(place["picture"], "image/png", description="A wren", focus=(0.5, -0.5))
    found = kept["media"]
    same([found.type, found.description, found.meta.focus.x], ["image", "A wren", 0.5])
    same(len(found.blurhash) > 5, True)


@case
def decode_blurhash():
    # Needs the package blurhash of the author of the library; Debian's of that name is another. It says so itself.
    same([len(row) for row in alice.decode_blurhash(kept["media"], (4, 3), size_per_component=False)], [4, 4, 4])


@case
def media_update():
    found = alice.media_update(kept["media"], description="A robin", thumbnail=None)
    same(found.description, "A robin")


@case
def media():
    same(alice.media(kept["media"]).description, "A robin")
    status = alice.status_post("Look", media_ids=[kept["media"]], sensitive=True)
    same([one.description for one in status.media_attachments], ["A robin"])


@case
def make_poll():
    poll = alice.make_poll(["Wren", "Robin"], 600, multiple=True)
    kept["poll"] = alice.status_post("Which?", poll=poll).poll
    same([option.title for option in kept["poll"].options], ["Wren", "Robin"])


@case
def poll():
    found = bob.poll(kept["poll"])
    same([found.multiple, found.expired, found.voted], [True, False, False])


@case
def poll_vote():
    # The library gives nothing back.
    bob.poll_vote(kept["poll"], [0, 1])
    found = bob.poll(kept["poll"])
    same([found.voters_count, found.own_votes], [1, [0, 1]])
    refused(lambda: bob.poll_vote(kept["poll"], [0]), "You have already voted on this poll")


def in_hours(hours):
    return datetime.datetime.now(datetime.timezone.utc) + datetime.timedelta(hours=hours)


@case
def scheduled_statuses():
    kept["scheduled"] = alice.status_post("Tomorrow", scheduled_at=in_hours(24))
    same(ids(alice.scheduled_statuses()), [int(kept["scheduled"].id)])


@case
def scheduled_status():
    same(alice.scheduled_status(kept["scheduled"]).params.text, "Tomorrow")


@case
def scheduled_status_update():
    later = in_hours(48)
    found = alice.scheduled_status_update(kept["scheduled"], later)
    same(abs((found.scheduled_at - later).total_seconds()) < 2, True)


@case
def scheduled_status_delete():
    alice.scheduled_status_delete(kept["scheduled"])
    same(alice.scheduled_statuses(), [])


@case
def conversations():
    kept["direct"] = bob.status_post("@%s psst" % alice_name, visibility="direct")
    [found] = [one for one in alice.conversations() if one.last_status.id == kept["direct"].id]
    kept["conversation"] = found
    same([found.unread, ids(found.accounts)], [True, [int(bob_id)]])


@case
def conversations_read():
    same(alice.conversations_read(kept["conversation"]).unread, False)


@case
def notifications():
    found = alice.notifications(types=["mention"])
    has([one.status.id for one in found], kept["direct"].id)
    kept["notification"] = found[0]
    same(alice.notifications(id=found[0].id).id, found[0].id)
    same([one.type for one in alice.notifications(mentions_only=True, limit=1)], ["mention"])


@case
def notifications_dismiss():
    alice.notifications_dismiss(kept["notification"])
    refused(lambda: alice.notifications(id=kept["notification"].id), "404")


@case
def notifications_clear():
    alice.notifications_clear()
    same(alice.notifications(), [])
