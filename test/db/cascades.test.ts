import { env } from 'cloudflare:workers'
import { expect, it } from 'vitest'
import * as z from 'zod'

const Name = z.object({ name: z.string() })
const Reference = z.object({ id: z.number(), table: z.string(), from: z.string(), on_delete: z.string() })
const Column = z.object({ name: z.string(), pk: z.number() })
const Index = z.object({ name: z.string(), unique: z.number() })

async function read<T>(row: z.ZodType<T>, text: string): Promise<T[]> {
  return z.array(row).parse((await env.DB.prepare(text).all()).results)
}

/** Columns of a table that are unique by themselves: one row at most refers by them to another. */
async function uniqueColumns(table: string): Promise<readonly string[]> {
  const keys = (await read(Column, `pragma table_info('${table}')`)).filter(({ pk }) => pk > 0)
  const found = keys.length === 1 ? keys.map(({ name }) => name) : []
  for (const { name, unique } of await read(Index, `pragma index_list('${table}')`)) {
    const columns = await read(z.object({ name: z.string().nullable() }), `pragma index_info('${name}')`)
    const [only] = columns
    if (unique === 1 && columns.length === 1 && only?.name != null) found.push(only.name)
  }
  return found
}

/** References `table.column` whose rows go, or change, with what they refer to, by the latter; without unique ones. */
async function unboundedReferences(): Promise<ReadonlyMap<string, readonly string[]>> {
  const found: { readonly parent: string; readonly child: string }[] = []
  for (const { name } of await read(
    Name,
    `select name from sqlite_master where type = 'table' and sql like '%references%'`,
  )) {
    const references = await read(Reference, `pragma foreign_key_list('${name}')`)
    const unique = references.length === 0 ? [] : await uniqueColumns(name)
    for (const { table, from, on_delete: onDelete } of references)
      if (['CASCADE', 'SET NULL'].includes(onDelete) && !unique.includes(from))
        found.push({ parent: table, child: `${name}.${from}` })
  }
  const byParent = Map.groupBy(found, ({ parent }) => parent)
  return new Map([...byParent].map(([parent, all]) => [parent, all.map(({ child }) => child).toSorted()]))
}

/** Tables of which no row is deleted that others refer to. */
const safeParents: Readonly<Record<string, string>> = {
  accounts: 'rows go that nothing refers to (isAccountKept), or of sign-ups that waited and could do nothing',
  applications: 'rows go that nobody signed in with, without tokens and codes (pruneAged)',
  reports: 'kept',
  account_warnings: 'kept',
  severance_events: 'kept',
  archive_imports: 'kept',
  tags: 'kept',
}

/** Limit of the rows that go with one, or the function that deletes them in parts before it. */
const bounded: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  account_archives: { 'archive_pieces.archive_id': 'deleted as the archive becomes ready (finishArchive)' },
  announcements: {
    'announcement_mutes.announcement_id': 'in parts (continueAnnouncementRemoval)',
    'announcement_reactions.announcement_id': 'in parts (continueAnnouncementRemoval)',
  },
  backups: { 'backup_parts.backup_id': 'in parts (deleteFilesOf)' },
  blocklists: { 'blocklist_entries.blocklist_id': 'in parts (deletePart)' },
  collections: { 'collection_items.collection_id': '25 (collectionLimits.items)' },
  crypto_devices: {
    'one_time_keys.token_id': '100 (cryptoLimits.oneTimeKeys)',
    'encrypted_messages.token_id': '500 (cryptoLimits.messagesPerDevice)',
  },
  email_domain_blocks: { 'email_domain_attempts.block_id': 'networks that tried in one day' },
  filters: {
    'filter_keywords.filter_id': '500 (filterLimits.keywords)',
    'filter_statuses.filter_id': '500 (filterLimits.statuses)',
  },
  imports: { 'import_entries.import_id': 'in parts (resumeStalledImports)' },
  invites: { 'users.invite_id': 'in parts (purgeAccountData)' },
  lists: { 'list_accounts.list_id': 'in parts (listRemoval)' },
  polls: { 'poll_votes.poll_id': 'in parts (retirePoll, deleteSomeChildren)' },
  scheduled_statuses: { 'media_attachments.scheduled_status_id': '4 (mediaLimits.perStatus)' },
  statuses: {
    'bookmarks.status_id': 'in parts (deleteSomeChildren)',
    'emoji_reactions.status_id': 'in parts (deleteSomeChildren)',
    'favourite_requests.status_id': 'in parts (deleteSomeChildren)',
    'favourites.status_id': 'in parts (deleteSomeChildren)',
    'filter_statuses.status_id': 'in parts (deleteSomeChildren)',
    'imported_statuses.status_id': 'one of each import of the author',
    'notifications.status_id': 'in parts (deleteSomeChildren)',
    'polls.status_id': 'one, and one retired',
    'quotes.quoted_status_id': 'in parts (deleteSomeChildren)',
    'status_edits.status_id': '100 (editLimits.versions)',
    'status_mentions.status_id': 'in parts (deleteSomeChildren)',
    'statuses.reblog_of_id': 'in parts (deleteSomeChildren)',
  },
  users: {
    'access_tokens.account_id': 'in parts (deleteSomeSignIns)',
    'announcement_mutes.account_id': 'in parts (deleteSomeSignIns)',
    'announcement_reactions.account_id': 'in parts (deleteSomeSignIns)',
    'authorization_codes.account_id': 'in parts (deleteSomeSignIns)',
    'browser_push_subscriptions.account_id': '20 (mostPerAccount of browser-push)',
    'known_devices.account_id': 'in parts (deleteSomeSignIns)',
    'passkeys.account_id': '20 (passkeyLimits.count)',
    'pending_sign_ins.account_id': 'in parts (deleteSomeSignIns)',
    'push_subscriptions.account_id': '40 (mostPerAccount of subscribe-push)',
    'recovery_codes.account_id': 'ten are made at once, instead of those before',
    'sessions.account_id': 'in parts (deleteSomeSignIns)',
    'sign_in_addresses.account_id': 'in parts (deleteSomeSignIns)',
    'suggestion_dismissals.account_id': 'in parts (deleteSomeSignIns)',
    'user_tokens.account_id': 'in parts (deleteSomeSignIns)',
  },
  webhooks: { 'webhook_deliveries.webhook_id': 'a log of 200' },
}

it('everything deleted with a row by a foreign key is bounded, or deleted in parts before it', async () => {
  const found = await unboundedReferences()
  const listed = Object.entries(bounded).map(
    ([parent, children]) => [parent, Object.keys(children).toSorted()] as const,
  )
  const others = [...found].filter(([parent]) => !Object.hasOwn(safeParents, parent))
  expect(Object.fromEntries(others)).toEqual(Object.fromEntries(listed))
  for (const parent of Object.keys(safeParents)) expect([...found.keys()]).toContain(parent)
})
