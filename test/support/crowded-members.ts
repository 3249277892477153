import { bucketAt } from '../../src/domain/notifications/groups'
import { hashToken } from '../../src/domain/sessions/find'
import { allScopes } from '../../src/domain/sessions/scopes'
import { type CrowdedDatabase, idInBlock, many, numbers } from './crowded-database'
import { clock } from './test-app'

/** Members of the crowded server with tokens of all scopes, and ids of what they own. */
export interface CrowdedMembers {
  /** `alice` has much of everything, `erin` hides nearly everybody, `boss` is the owner of the server. */
  readonly tokens: { readonly alice: string; readonly erin: string; readonly boss: string }
  readonly notifications: readonly number[]
  readonly groups: readonly string[]
  readonly lists: readonly number[]
  readonly conversations: readonly number[]
  readonly filters: readonly number[]
  readonly scheduled: readonly number[]
  readonly reports: readonly number[]
  readonly cursors: readonly number[]
}

const people = { alice: 1, erin: 5, boss: 6 } as const
const remote = { silenced: 11, suspended: 12, plain: 13, hidden: 14, rich: 15 } as const
const [stranger, followers] = [1_000_000, 2_000_000]

/** Fills the tables that belong to members and staff, so that most rows stand in the way of those looked for. */
export async function crowdMembers({ db }: CrowdedDatabase): Promise<CrowdedMembers> {
  const now = clock.now().getTime()
  const { at, idOf } = idInBlock(clock.now())
  const write = (text: string, ...values: readonly string[]) => db.prepare(text).bind(...values)
  const { alice, erin, boss } = people
  const bucket = bucketAt(new Date(now - 3_600_000))
  const groups = [`favourite-${at(0, 0)}-${bucket}`, `follow-${bucket}`]
  /** Insert of many rows; `i` is the number, `$id` an id of its own in `block`. */
  const fill = (
    table: string,
    block: number,
    columns: Readonly<Record<string, number | string>>,
    count = many,
  ) =>
    write(`insert into ${table} (${Object.keys(columns)})
      select ${Object.values(columns).map((value) => String(value).replace('$id', idOf(block, 'n.i')))} from ${numbers(count)}`)
  const follower = `${followers} + n.i`
  const token = (name: keyof typeof people) => `token-of-${name}`
  const hashes = await Promise.all((['alice', 'erin', 'boss'] as const).map((name) => hashToken(token(name))))

  await db.batch([
    ...(['erin', 'boss'] as const).flatMap((name) => [
      write(
        `insert into accounts (id, username, created_at, updated_at) values (${people[name]}, '${name}', ${now}, ${now})`,
      ),
      write(`insert into users (account_id, email, password_hash, confirmed_at, created_at, role_id, settings)
        values (${people[name]}, '${name}@mail.test', '', ${now}, ${now}, ${name === 'boss' ? 3 : 'null'},
          '${name === 'erin' ? '{"chosenLanguages":["fi"]}' : '{}'}')`),
    ]),
    ...Object.values(people).map((id, n) =>
      write(
        `insert into access_tokens (id, token_hash, application_id, account_id, scopes, created_at, last_used_at)
          values (${id}, ?, 1, ${id}, '${allScopes.join(' ')}', ${now}, ${now})`,
        hashes[n] ?? '',
      ),
    ),
    write(`update accounts set indexable = 1 where id in (${remote.plain}, ${remote.rich})`),
    // Search: of the newest authors nobody may be found any more, though the index still says so.
    ...[
      [7, remote.hidden],
      [6, remote.plain],
    ].map(([block = 0, author = 0]) =>
      write(`insert into status_search (rowid, text, traits)
        select ${idOf(block, 'n.i')}, 'thrush number' || n.i, 'f${author} len0 pub' from ${numbers(many)}`),
    ),
    // Relations of somebody who hides nearly everybody.
    write(`insert into account_domain_blocks (account_id, domain, id)
      select ${erin}, iif(n.i = 0, 'crowd.test', 'd' || n.i || '.test'), ${idOf(30, 'n.i')} from ${numbers(many)}`),
    write(`insert into account_domain_blocks (account_id, domain, id)
      select ${alice}, 'd' || n.i || '.test', ${idOf(31, 'n.i')} from ${numbers(many)}`),
    ...[erin, alice].flatMap((id, n) => [
      fill('blocks', 32 + n, { id: '$id', account_id: id, target_account_id: follower, created_at: now }),
      fill('mutes', 34 + n, { id: '$id', account_id: id, target_account_id: follower, created_at: now }),
    ]),
    ...Object.values({ ...remote, bob: 2, carol: 3, dave: 4 }).map((id) =>
      write(
        `insert into mutes (id, account_id, target_account_id, created_at) values (${id}, ${erin}, ${id}, ${now})`,
      ),
    ),
    fill('follow_requests', 36, {
      id: '$id',
      account_id: follower,
      target_account_id: alice,
      created_at: now,
    }),
    fill(
      'follow_requests',
      37,
      { id: '$id', account_id: `${stranger} + n.i`, target_account_id: alice, created_at: now },
      60,
    ),
    // Home and lists full of what is hidden, and the only ones shown at the end.
    ...[2, 7].map((block) => fill('home_entries', block, { account_id: alice, status_id: '$id' }, 800)),
    fill('home_entries', 0, { account_id: alice, status_id: '$id' }, 40),
    fill('home_entries', 7, { account_id: erin, status_id: '$id' }, 800),
    write(`insert into lists (id, account_id, title, created_at)
      select n.i + 1, ${alice}, 'List', ${now} from ${numbers(50)}`),
    fill('list_accounts', 38, { id: '$id', list_id: 1, owner_id: alice, account_id: follower }),
    ...[2, 7].map((block) => fill('list_entries', block, { list_id: 1, status_id: '$id' }, 800)),
    // Marks on what its author or a moderator has hidden since.
    ...[0, 2, 9].flatMap((block) => [
      fill(
        'bookmarks',
        40 + block,
        { id: '$id', account_id: alice, status_id: idOf(block, 'n.i') },
        block === 2 ? many : 40,
      ),
      fill(
        'favourites',
        50 + block,
        { id: '$id', account_id: alice, status_id: idOf(block, 'n.i') },
        block === 2 ? many : 40,
      ),
    ]),
    fill('tag_follows', 60, { id: '$id', account_id: alice, tag_id: '100 + n.i', created_at: now }),
    // Notifications: many of one kind by people who are hidden, many by one account, few of others.
    fill(
      'notifications',
      61,
      {
        id: '$id',
        account_id: alice,
        type: "'mention'",
        from_account_id: remote.rich,
        status_id: idOf(9, 'n.i'),
        created_at: now,
      },
      40,
    ),
    fill('notifications', 62, {
      id: '$id',
      account_id: alice,
      type: "'favourite'",
      from_account_id: follower,
      status_id: at(0, 0),
      group_key: `'${groups[0]}'`,
      created_at: now,
    }),
    fill('notifications', 63, {
      id: '$id',
      account_id: alice,
      type: "'status'",
      from_account_id: remote.plain,
      status_id: idOf(6, 'n.i'),
      created_at: now,
    }),
    fill('notifications', 64, {
      id: '$id',
      account_id: alice,
      type: "'follow'",
      from_account_id: `${stranger} + n.i`,
      group_key: `'${groups[1]}'`,
      created_at: now,
    }),
    fill('notifications', 65, {
      id: '$id',
      account_id: alice,
      type: "'follow'",
      from_account_id: `${followers} + n.i`,
      filtered: 1,
      created_at: now,
    }),
    fill('notifications', 66, {
      id: '$id',
      account_id: alice,
      type: "'mention'",
      from_account_id: remote.silenced,
      status_id: idOf(1, 'n.i'),
      filtered: 1,
      created_at: now,
    }),
    fill('notifications', 67, {
      id: '$id',
      account_id: erin,
      type: "'status'",
      from_account_id: remote.plain,
      status_id: idOf(6, 'n.i'),
      created_at: now,
    }),
    fill('conversations', 2, {
      account_id: alice,
      id: '$id',
      conversation_id: '$id',
      participants: "'[12]'",
      last_status_id: '$id',
      unread: 1,
    }),
    fill(
      'conversations',
      0,
      {
        account_id: alice,
        id: '$id',
        conversation_id: '$id',
        participants: "'[2]'",
        last_status_id: '$id',
        unread: 1,
      },
      40,
    ),
    fill(
      'scheduled_statuses',
      68,
      {
        id: '$id',
        account_id: alice,
        scheduled_at: now,
        params: `'{"text":"x","mediaIds":[]}'`,
        created_at: now,
        due_at: now,
      },
      300,
    ),
    write(`insert into filters (id, account_id, title, contexts, action)
      select n.i + 1, ${alice}, 'x', '["home"]', 'warn' from ${numbers(50)}`),
    write(`insert into filter_keywords (id, filter_id, keyword, whole_word)
      select n.i + 1, n.i / 20 + 1, 'word' || n.i, 1 from ${numbers(1_000)}`),
    fill('filter_statuses', 0, { id: 'n.i + 1', filter_id: 1, status_id: idOf(2, 'n.i') }, 500),
    // Lists of staff.
    fill('reports', 69, {
      id: '$id',
      account_id: alice,
      target_account_id: remote.suspended,
      status_ids: `json_array(${at(2, 0)}, ${at(2, 1)})`,
      created_at: now,
      action_taken_at: `iif(n.i < 40, null, ${now})`,
    }),
    fill('account_warnings', 70, {
      id: '$id',
      account_id: boss,
      target_account_id: alice,
      action: "'none'",
      text: "'x'",
      created_at: now,
    }),
    fill('appeals', 71, {
      id: '$id',
      account_id: alice,
      strike_id: idOf(70, 'n.i'),
      text: "'x'",
      created_at: now,
      approved_at: `iif(n.i < 40, null, ${now})`,
      decided_by_account_id: boss,
    }),
    fill('moderation_notes', 72, {
      id: '$id',
      account_id: boss,
      username: "'boss'",
      target_account_id: remote.suspended,
      content: "'x'",
      created_at: now,
    }),
    fill('audit_log', 73, {
      id: '$id',
      account_id: boss,
      username: "'boss'",
      action: "'suspend'",
      target_type: "'account'",
      target_id: remote.suspended,
      target_label: "'x'",
      created_at: now,
    }),
    fill('email_domain_blocks', 74, { id: '$id', domain: "'e' || n.i || '.test'", created_at: now }),
    fill('ip_blocks', 75, {
      id: '$id',
      ip: "'203.0.' || (n.i / 250) || '.' || (n.i % 250)",
      severity: "'sign_up_block'",
      created_at: now,
    }),
    fill('canonical_email_blocks', 76, { id: '$id', canonical_email_hash: "'h' || n.i", created_at: now }),
    fill('username_blocks', 77, {
      id: '$id',
      username: "'u' || n.i",
      normalized: "'u' || n.i",
      created_at: now,
      updated_at: now,
    }),
    fill('allowed_domains', 78, { id: '$id', domain: "'ok' || n.i || '.test'", created_at: now }),
    fill('invites', 79, { id: '$id', code: "'code' || n.i", account_id: alice, created_at: now }),
    fill(
      'announcements',
      80,
      { id: '$id', text: "'x'", content: "'x'", published_at: now, created_at: now, updated_at: now },
      300,
    ),
    write(
      `insert into blocklists (id, title, url, created_at)
        select n.i + 1, 'List', 'https://lists.test/' || n.i, ${now} from ${numbers(60)}`,
    ),
    fill('blocklist_entries', 81, {
      id: '$id',
      blocklist_id: 1,
      domain: "'b' || n.i || '.test'",
      severity: "'suspend'",
      reject_media: 0,
      reject_reports: 0,
      obfuscate: 0,
      public_comment: "''",
      change: "'add'",
      state: "'pending'",
    }),
    fill('blocklist_exceptions', 82, { id: '$id', domain: "'x' || n.i || '.test'", created_at: now }),
    fill('severance_events', 83, {
      id: '$id',
      type: "'domain_block'",
      target: "'s' || n.i || '.test'",
      created_at: now,
    }),
    write(`insert into webhooks (id, url, events, created_at, updated_at)
      select n.i + 1, 'https://hooks.test/' || n.i, '[]', ${now}, ${now} from ${numbers(20)}`),
    fill('webhook_deliveries', 84, {
      id: '$id',
      webhook_id: 1,
      event: "'account.created'",
      source_id: '$id',
      object_id: 1,
      occurred_at: now,
    }),
    fill('trend_publishers', 85, { id: '$id', domain: "'p' || n.i || '.test'" }),
    fill('suggestion_dismissals', 86, { account_id: alice, target_account_id: `${stranger} + n.i` }),
  ])
  return {
    tokens: { alice: token('alice'), erin: token('erin'), boss: token('boss') },
    notifications: [at(61, 0), at(62, 5), at(63, 5), at(65, 5), at(66, 5)],
    groups: [...groups, `ungrouped-${at(61, 0)}`],
    lists: [1, 2],
    conversations: [at(0, 0)],
    filters: [1, 2],
    scheduled: [at(68, 0)],
    reports: [at(69, 0), at(69, 100)],
    cursors: [at(0, 39), at(62, 1_500), at(64, 10), at(70, 1_500)],
  }
}
