import { env } from 'cloudflare:workers'
import { sql } from 'drizzle-orm'
import { expect, it } from 'vitest'
import { saveSettings } from '../../../src/domain/instance/save-settings'
import { operator } from '../../../src/domain/policy/permissions'
import { accountRelations } from '../../../src/domain/pruning/prune-accounts'
import { as } from '../../support/as'
import { given } from '../../support/given'
import { agedStatus, pruneAll } from '../../support/pruning'
import { columnsReferringTo, storedReference } from '../../support/stored-row'
import { clock, context } from '../../support/test-app'

const month = 31 * 86_400_000

async function storedAccounts(ids: readonly number[]): Promise<readonly number[]> {
  const found = await context().db.all<{ id: number }>(
    sql`select id from accounts where id in (select value from json_each(${JSON.stringify(ids)})) order by id`,
  )
  return found.map(({ id }) => id)
}

it('each relation alone keeps a remote account; an account without relations is deleted with its keys, a fresh one is kept', async () => {
  const kept = new Map<string, number>()
  for (const relation of accountRelations) {
    const { id } = await given.remoteAccount()
    const [table = '', column = ''] = relation.split('.')
    await storedReference({ table, column }, id)
    kept.set(relation, id)
  }
  const set = async (name: string, values: string) => {
    const { id } = await given.remoteAccount({ domain: `${name}.test`, username: name })
    await env.DB.prepare(`update accounts set ${values} where id = ${id}`).run()
    kept.set(name, id)
  }
  await set('silenced', 'silenced_at = 1')
  await set('suspended', 'suspended_at = 1')
  await set('sensitized', 'sensitized_at = 1')
  await set('limited', 'id = id')
  await set('blocked', 'id = id')
  await set('recommended', 'id = id')
  await env.DB.prepare(
    `insert into domain_limits (domain, id, severity, created_at) values ('limited.test', 1, 'silence', 0)`,
  ).run()
  const reader = await given.account()
  await env.DB.prepare(
    `insert into account_domain_blocks (account_id, domain, id) values (${reader.id}, 'blocked.test', 1)`,
  ).run()
  await saveSettings(context(), operator, { featuredAccounts: ['Recommended@recommended.test'] })
  const stranger = await given.peer()
  clock.advance(month)
  const fresh = await given.peer()
  await pruneAll()
  const left = await storedAccounts([...kept.values()])
  expect([...kept].filter(([, id]) => !left.includes(id)).map(([relation]) => relation)).toEqual([])
  expect(await storedAccounts([stranger.id, fresh.id, reader.id])).toEqual([fresh.id, reader.id].toSorted())
  const keys = await context().db.all(sql`select 1 from actor_keys where account_id = ${stranger.id}
    union all select 1 from remote_actors where account_id = ${stranger.id}`)
  expect(keys).toEqual([])
  // Found again by its handle, as before.
  const { body } = await as(reader).get(`/api/v2/search?resolve=true&q=@${stranger.handle}`)
  expect(body).toMatchObject({ accounts: [{ acct: stranger.handle }] })
})

it('deletes an account in the same round in which its statuses are pruned', async () => {
  clock.advance(month)
  await pruneAll()
  const { id } = await given.remoteAccount()
  const status = await agedStatus(60, { account_id: id })
  clock.advance(month)
  expect(await pruneAll()).toMatchObject({ total: { statuses: 1, accounts: 1 } })
  expect(await storedAccounts([id])).toEqual([])
  expect(status.authorId).toBe(id)
})

/** Columns that name accounts and keep none: why. */
const others: Readonly<Record<string, string>> = {
  'account_archives.account_id': 'local',
  'account_domain_blocks.account_id': 'local',
  'account_keys.account_id': 'local',
  'account_notes.account_id': 'local',
  'account_severances.account_id': 'local',
  'account_warnings.account_id': 'local',
  'actor_keys.account_id': 'goes: its keys',
  'annual_reports.account_id': 'local',
  'appeals.account_id': 'local',
  'appeals.decided_by_account_id': 'local',
  'archive_import_days.account_id': 'local',
  'archive_imports.account_id': 'local',
  'audit_log.account_id': 'local',
  'bookmarks.account_id': 'local',
  'canonical_email_blocks.account_id': 'local',
  'cleanup_policies.account_id': 'local',
  'conversation_mutes.account_id': 'local',
  'conversations.account_id': 'local',
  'crypto_devices.account_id': 'local',
  'drafts.account_id': 'local',
  'encrypted_messages.from_account_id': 'goes: read by its device within a month',
  'endorsements.account_id': 'local',
  'favourite_requests.account_id': 'local',
  'featured_tags.account_id': 'goes: its hashtags',
  'filters.account_id': 'local',
  'followed_accounts.account_id': 'goes: counts its followers',
  'full_home_feeds.account_id': 'local',
  'home_entries.account_id': 'local',
  'idempotency_keys.account_id': 'local',
  'imported_statuses.account_id': 'local',
  'imports.account_id': 'local',
  'invites.account_id': 'local',
  'list_accounts.owner_id': 'local',
  'lists.account_id': 'local',
  'markers.account_id': 'local',
  'media_attachments.account_id': 'local',
  'moderation_notes.account_id': 'local',
  'mutes.account_id': 'local',
  'notice_mails.account_id': 'local',
  'notification_permissions.account_id': 'local',
  'notification_policies.account_id': 'local',
  'notifications.account_id': 'local',
  'presences.account_id': 'local',
  'remote_actors.account_id': 'goes: its addresses',
  'reports.action_taken_by_account_id': 'local',
  'reports.assigned_account_id': 'local',
  'saved_replies.account_id': 'local',
  'scheduled_statuses.account_id': 'local',
  'search_walks.account_id': 'goes: the walk ends by itself',
  'status_links.account_id': 'goes: with its statuses, which go before',
  'statuses.in_reply_to_account_id': 'goes: answers name it in their mentions',
  'tag_follows.account_id': 'local',
  'trending_statuses.account_id': 'goes: with its statuses, which go before',
  'unsent_mails.account_id': 'local',
  'users.account_id': 'local',
}

it('every column that names an account has a rule: a new table needs one', async () => {
  const found = await columnsReferringTo('accounts', /account_id$/)
  const users = new Set(
    (await columnsReferringTo('users', /^$/)).map(({ table, column }) => `${table}.${column}`),
  )
  const named = found.map(({ table, column }) => `${table}.${column}`).filter((name) => !users.has(name))
  expect(named.toSorted()).toEqual(
    [...accountRelations, ...Object.keys(others)].filter((name) => !users.has(name)).toSorted(),
  )
})
