"""Moderation: accounts, reports, limits on servers, figures and trends."""

import datetime

from cases import refused, same, table
from people import alice, client, place

cases, case = table()
owner = client(place["owner"]["token"])
target = place["target"]
target_id = target["id"]
day = datetime.datetime(2026, 1, 1)
domain = "spam-%x.example" % place["run"]
made = {}


@case
def admin_accounts():
    found = owner.admin_accounts(username=target["username"])
    same([one.username for one in found], [target["username"]])


@case
def admin_accounts_v1():
    found = owner.admin_accounts_v1(username=target["username"])
    same([str(one.id) for one in found], [target_id])


@case
def admin_accounts_v2():
    found = owner.admin_accounts_v2(origin="local", username=target["username"])
    same([str(one.id) for one in found], [target_id])


@case
def admin_account():
    same(owner.admin_account(target_id).email is not None, True)
    refused(lambda: alice.admin_account(target_id), "403")


@case
def admin_account_approve():
    refused(lambda: owner.admin_account_approve(target_id), "403")


@case
def admin_account_reject():
    refused(lambda: owner.admin_account_reject(target_id), "403")


@case
def admin_account_moderate():
    owner.admin_account_moderate(target_id, action="silence", text="Too loud", send_email_notification=False)
    same(owner.admin_account(target_id).silenced, True)


@case
def admin_account_unsilence():
    same(owner.admin_account_unsilence(target_id).silenced, False)


@case
def admin_account_unsensitive():
    owner.admin_account_moderate(target_id, action="sensitive")
    same(owner.admin_account_unsensitive(target_id).sensitized, False)


@case
def admin_account_enable():
    owner.admin_account_moderate(target_id, action="disable")
    same(owner.admin_account_enable(target_id).disabled, False)


@case
def admin_account_unsuspend():
    owner.admin_account_moderate(target_id, action="suspend")
    same(owner.admin_account_unsuspend(target_id).suspended, False)


@case
def admin_reports():
    made["report"] = alice.report(target_id, comment="Spam").id
    found = owner.admin_reports(target_account_id=target_id)
    same([str(one.id) for one in found], [str(made["report"])])


@case
def admin_report():
    same(owner.admin_report(made["report"]).comment, "Spam")


@case
def admin_report_assign():
    same(owner.admin_report_assign(made["report"]).assigned_account.username, place["owner"]["username"])


@case
def admin_report_unassign():
    same(owner.admin_report_unassign(made["report"]).assigned_account, None)


@case
def admin_report_resolve():
    same(owner.admin_report_resolve(made["report"]).action_taken, True)


@case
def admin_report_reopen():
    same(owner.admin_report_reopen(made["report"]).action_taken, False)


@case
def admin_create_domain_block():
    made["block"] = owner.admin_create_domain_block(domain, severity="silence").id


@case
def admin_update_domain_block():
    same(owner.admin_update_domain_block(made["block"], severity="suspend").severity, "suspend")


@case
def admin_domain_blocks():
    same(owner.admin_domain_blocks(made["block"]).domain, domain)


@case
def admin_delete_domain_block():
    owner.admin_delete_domain_block(made["block"])
    refused(lambda: owner.admin_domain_blocks(made["block"]), "404")


@case
def admin_measures():
    same([one.key for one in owner.admin_measures(day, day, active_users=True)], ["active_users"])


@case
def admin_dimensions():
    same([one.key for one in owner.admin_dimensions(day, day, languages=True)], ["languages"])


@case
def admin_retention():
    same(len(owner.admin_retention(day, day)), 1)


@case
def admin_trending_links():
    same(isinstance(owner.admin_trending_links(), list), True)


@case
def admin_trending_statuses():
    same(isinstance(owner.admin_trending_statuses(), list), True)


@case
def admin_trending_tags():
    same(isinstance(owner.admin_trending_tags(), list), True)


@case
def admin_account_delete():
    owner.admin_account_moderate(target_id, action="suspend")
    owner.admin_account_delete(target_id)
