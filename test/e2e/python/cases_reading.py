"""Timelines, pages, search and trends."""

from cases import has, ids, refused, same, table
from people import alice, alice_id, alice_name, bob, bob_id, bob_name, client, place

cases, case = table()
tag = place["tag"]
posted = []


@case
def account_statuses():
    for number in range(5):
        posted.append(int(bob.status_post("Number %d of #%s" % (number, tag)).id))
    same(ids(alice.account_statuses(bob_id, tagged=tag, exclude_replies=True, limit=2)), [posted[4], posted[3]])


def page():
    return alice.account_statuses(bob_id, tagged=tag, limit=2)


@case
def fetch_next():
    same(ids(alice.fetch_next(page())), [posted[2], posted[1]])


@case
def fetch_previous():
    second = alice.fetch_next(page())
    same(ids(alice.fetch_previous(second)), [posted[4], posted[3]])


@case
def fetch_remaining():
    same(ids(alice.fetch_remaining(page())), posted[::-1])


@case
def timeline():
    has(ids(alice.timeline("home", limit=40)), posted[4])


@case
def timeline_home():
    same(ids(alice.timeline_home(limit=1, max_id=posted[4] + 1)), [posted[4]])


@case
def timeline_local():
    has(ids(client().timeline_local(limit=40)), posted[4])


@case
def timeline_public():
    has(ids(client().timeline_public(limit=40)), posted[4])
    # Below, local posts of all tests may fill an early end of the page, and Mastodon.py fails on an empty page with a Link.
    same(ids(client().timeline_public(remote=True, min_id=posted[4])), [])


@case
def timeline_hashtag():
    same(ids(client().timeline_hashtag(tag, limit=2, min_id=posted[0])), [posted[2], posted[1]])


@case
def search():
    found = alice.search("@" + bob_name)
    has(ids(found.accounts), int(bob_id))
    same([list(found.statuses), list(found.hashtags)], [[], []])


@case
def search_v2():
    found = alice.search_v2(tag, resolve=False, result_type="hashtags")
    same([one.name for one in found.hashtags], [tag])


@case
def search_v1():
    alice.search_v1("bird")


@case
def trends():
    same(isinstance(alice.trends(limit=3), list), True)


@case
def trending_tags():
    same(isinstance(alice.trending_tags(limit=3), list), True)


@case
def trending_statuses():
    same(isinstance(alice.trending_statuses(), list), True)


@case
def trending_links():
    same(isinstance(alice.trending_links(), list), True)
