"""Signing in, and what the instance says of itself."""

import datetime

from cases import has, ids, refused, same, table
from people import alice, alice_id, alice_name, ask, bob, client, origin, place

cases, case = table()
scopes = ["read", "write", "follow", "push"]
signed_in = {}


@case
def create_app():
    signed_in["app"] = alice.create_app("Mastodon.py", scopes=scopes, api_base_url=origin)
    id, secret = signed_in["app"]
    same([len(id) > 20, len(secret) > 20], [True, True])


@case
def create_account():
    id, secret = signed_in["app"]
    app = client(client_id=id, client_secret=secret)
    name = place["newcomer"]
    token = app.create_account(name, "seed and worm", "%s@birds.example" % name, agreement=True)
    signed_in["newcomer"] = app
    same(app.me().username, name)
    same(app.access_token, token)


@case
def email_resend_confirmation():
    # Nobody waits for a confirmation where no mail is sent.
    refused(signed_in["newcomer"].email_resend_confirmation, "403", "awaiting confirmation")


@case
def auth_request_url():
    id, secret = signed_in["app"]
    app = signed_in["client"] = client(client_id=id, client_secret=secret)
    url = app.auth_request_url(scopes=scopes, state="bird")
    signed_in["code"] = ask({"code": url})["code"]


@case
def log_in():
    app = signed_in["client"]
    token = app.log_in(code=signed_in["code"], scopes=scopes)
    same(app.me().username, place["member"]["username"])
    same(len(token) > 20, True)
    # As in Mastodon since 4.4, no app gets to see a password.
    try:
        client(client_id=app.client_id, client_secret=app.client_secret).log_in("a@b.example", "secret")
    except Exception as failure:
        has(str(failure), "Invalid user name, password")
    else:
        raise AssertionError("a password was taken")


@case
def app_verify_credentials():
    same(signed_in["client"].app_verify_credentials().name, "Mastodon.py")


@case
def revoke_access_token():
    app = signed_in["client"]
    token = app.access_token
    app.revoke_access_token()
    same(app.access_token, None)
    refused(client(token).me, "401")


@case
def set_language():
    alice.set_language("de")
    same(alice.lang, "de")
    alice.set_language("en")


@case
def retrieve_mastodon_version():
    same(alice.retrieve_mastodon_version(), "4.6.5")
    same((alice.mastodon_major, alice.mastodon_minor, alice.mastodon_patch), (4, 6, 5))


@case
def verify_minimum_version():
    same([alice.verify_minimum_version(one) for one in ("1.0.0", "4.6.5", "4.6.6")], [True, True, False])


@case
def get_supported_version():
    has(alice.get_supported_version(), ".")


@case
def get_approx_server_time():
    off = alice.get_approx_server_time() - datetime.datetime.now()
    same(abs(off.total_seconds()) < 3600, True)


@case
def instance():
    found = client().instance()
    same([found.title, found.version.startswith("4.6.5+fieldfare-")], ["The Hedge", True])


@case
def instance_activity():
    weeks = alice.instance_activity()
    same([len(weeks), isinstance(weeks[0].week, datetime.datetime)], [12, True])


@case
def instance_peers():
    same(isinstance(alice.instance_peers(), list), True)


@case
def instance_health():
    same(alice.instance_health(), True)


@case
def instance_nodeinfo():
    same(alice.instance_nodeinfo().software.name, "fieldfare")
    same(alice.instance_nodeinfo("http://nodeinfo.diaspora.software/ns/schema/2.1").version, "2.1")


@case
def instance_rules():
    same([rule.text for rule in alice.instance_rules()], ["Be kind to small birds", "No cats"])


@case
def directory():
    alice.account_update_credentials(discoverable=True)
    alice.status_post("Seen in the directory", idempotency_key="directory")
    has(ids(alice.directory(order="new", local=True, limit=80)), int(alice_id))


@case
def custom_emojis():
    same(isinstance(alice.custom_emojis(), list), True)


@case
def announcements():
    found = alice.announcements()
    has(ids(found), int(place["announcement"]))
    same(isinstance(found[0].published_at, datetime.datetime), True)


@case
def announcement_reaction_create():
    alice.announcement_reaction_create(place["announcement"], "🐦")
    [mine] = [one for one in alice.announcements() if int(one.id) == int(place["announcement"])]
    same([(one.name, one.me) for one in mine.reactions], [("🐦", True)])


@case
def announcement_reaction_delete():
    alice.announcement_reaction_delete(place["announcement"], "🐦")
    [mine] = [one for one in alice.announcements() if int(one.id) == int(place["announcement"])]
    same(mine.reactions, [])


@case
def announcement_dismiss():
    bob.announcement_dismiss(place["announcement"])
    [mine] = [one for one in bob.announcements() if int(one.id) == int(place["announcement"])]
    same(mine.read, True)


@case
def preferences():
    same(alice.preferences()["posting:default:visibility"], "public")


@case
def markers_set():
    status = alice.status_post("A place to mark")
    found = alice.markers_set(["home"], [status])
    same(int(found["home"].last_read_id), int(status.id))


@case
def markers_get():
    same(alice.markers_get(["home"])["home"].version >= 0, True)
