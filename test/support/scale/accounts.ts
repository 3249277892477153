import {
  below,
  type Columns,
  insertFrom,
  numbers,
  permille,
  type Timeline,
  tail,
  text,
} from './expressions.ts'
import type { ScaleFigures } from './figures.ts'

/** Local accounts with a part to play; those after them are ordinary. */
export const roles = {
  /** Many remote followers, seven local ones. */
  star: 0,
  /** Followed by thousands of accounts of one server. */
  crowded: 1,
  /** Follows many, has many notifications, and asks in most measurements. */
  reader: 2,
  /** Writes for followers only. */
  withdrawn: 3,
  /** Author of the viral status. */
  viral: 4,
} as const
export const firstOrdinary = 5

/** Remote accounts by number: followers of the star, then the crowded domain, then the others. */
export function remoteRanges({ starFollowers, crowdedDomain, remoteAccounts }: ScaleFigures) {
  const crowded = starFollowers
  const others = starFollowers + crowdedDomain
  return { crowded, others, prolific: others, thread: others + 1, end: remoteAccounts }
}

export interface Accounts {
  local(index: number): number
  remote(index: number): number
  localSql(index: string): string
  remoteSql(index: string): string
}

/** Ids of accounts: those of remote ones lie in the same two years. */
export function accountsOf(figures: ScaleFigures, timeline: Timeline): Accounts {
  const { localAccounts, remoteAccounts } = figures
  return {
    local: (index) => timeline.at(index, localAccounts * 4, 1),
    remote: (index) => timeline.at(index, remoteAccounts, 2),
    localSql: (index) => timeline.sql(index, localAccounts * 4, 1),
    remoteSql: (index) => timeline.sql(index, remoteAccounts, 2),
  }
}

export const hostOf = (index: number): string => `social${index}.example`
const hostSql = (index: string) => `'social' || (${index}) || '.example'`

/** Number of the host of the remote account `n.i`. */
function hostNumber(figures: ScaleFigures): string {
  const { starHosts, hosts } = figures
  const { crowded, others } = remoteRanges(figures)
  return `case when n.i < ${starHosts} then n.i
    when n.i < ${crowded} then ${tail('n.i', 0, starHosts)}
    when n.i < ${others} then ${starHosts}
    else ${starHosts + 1} + ${tail('n.i', 0, hosts - starHosts - 1)} end`
}

const note = 'Watches birds, bakes bread and writes about both, and now and then about trains. She, her.'
const fields = JSON.stringify([
  { name: 'Where', value: 'By the river', html: 'By the river', verifiedAt: null },
  {
    name: 'Page',
    value: 'https://example.org',
    html: '<a href="https://example.org" rel="me nofollow noopener" target="_blank">example.org</a>',
    verifiedAt: null,
  },
])
const publicKey = `-----BEGIN PUBLIC KEY-----\n${'MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEAvXc4vkECU2\n'.repeat(7)}-----END PUBLIC KEY-----\n`

/** Hosts, remote accounts with all that is stored of them, and local accounts with their users. */
export function accountStatements(
  figures: ScaleFigures,
  timeline: Timeline,
  accounts: Accounts,
  localKey: { readonly publicKey: string; readonly privateKey: string },
): string[] {
  const { hosts, remoteAccounts, localAccounts, starHosts, starInboxes } = figures
  const own = 'https://' as const
  const host = `(${hostSql(hostNumber(figures))})`
  const page = `'${own}' || domain || '/users/' || username`
  const times: Columns = { created_at: timeline.begin, updated_at: timeline.now }
  const remote = insertFrom(
    'accounts',
    {
      id: accounts.remoteSql('n.i'),
      username: `'user' || n.i`,
      domain: host,
      display_name: `'User ' || n.i || ' of the fediverse'`,
      note: text(''),
      note_html: text(`<p>${note}</p>`),
      fields: `iif(${permille('n.i', 1, 400)}, ${text(fields)}, '[]')`,
      avatar: `json_object('remote', '${own}files.' || ${host} || '/accounts/avatars/' || n.i || '/original/7f1e9a55c3d0b1.png')`,
      header: `iif(${permille('n.i', 2, 500)}, json_object('remote', '${own}files.' || ${host} || '/accounts/headers/' || n.i || '/original/7f1e9a55c3d0b1.png'), null)`,
      uri: `'${own}' || ${host} || '/users/user' || n.i`,
      url: `'${own}' || ${host} || '/@user' || n.i`,
      locked: `${permille('n.i', 3, 200)}`,
      actor_type: `iif(${permille('n.i', 4, 40)}, 'Service', 'Person')`,
      discoverable: `${permille('n.i', 5, 600)}`,
      indexable: `${permille('n.i', 6, 300)}`,
      silenced_at: `iif(n.i % 97 = 96, ${timeline.now}, null)`,
      suspended_at: `iif(n.i % 211 = 210, ${timeline.now}, null)`,
      ...times,
    },
    numbers(remoteAccounts),
  )
  const local = insertFrom(
    'accounts',
    {
      id: accounts.localSql('n.i'),
      username: `case n.i ${Object.entries(roles)
        .map(([name, index]) => `when ${index} then '${name}'`)
        .join(' ')} else 'member' || n.i end`,
      display_name: `'Member ' || n.i`,
      note: text(note),
      note_html: text(`<p>${note}</p>`),
      fields: text(fields),
      avatar: `json_object('key', 'avatars/' || n.i || '.png')`,
      discoverable: 1,
      indexable: `n.i % 3 <> 0`,
      locked: `n.i % 9 = 8`,
      public_key: text(localKey.publicKey),
      ...times,
    },
    // The last one waits for approval: it has done nothing, as it could not.
    numbers(localAccounts + 1),
  )
  const shared = `iif(rowid_of >= ${starHosts} and rowid_of < ${starInboxes}, null, '${own}' || domain || '/inbox')`
  return [
    insertFrom(
      'instances',
      {
        domain: hostSql('n.i'),
        created_at: timeline.begin,
        software: text('mastodon'),
        software_version: text('4.5.0'),
        last_seen_at: timeline.now,
      },
      numbers(hosts),
    ),
    remote,
    local,
    insertFrom(
      'remote_actors',
      {
        account_id: 'id',
        inbox: `${page} || '/inbox'`,
        shared_inbox: shared,
        outbox: `${page} || '/outbox'`,
        followers: `${page} || '/followers'`,
        following: `${page} || '/following'`,
        featured: `${page} || '/collections/featured'`,
        fetched_at: timeline.now,
      },
      `(select id, username, domain, cast(substr(username, 5) as integer) as rowid_of from accounts where domain is not null order by id)`,
    ),
    insertFrom(
      'actor_keys',
      {
        key_id: `uri || '#main-key'`,
        account_id: 'id',
        public_key: text(publicKey),
        created_at: timeline.begin,
      },
      'accounts where domain is not null',
    ),
    insertFrom(
      'users',
      {
        account_id: 'id',
        email: `username || '@mail.example'`,
        password_hash: text('none'),
        role_id: `iif(username = 'member${firstOrdinary}', 3, null)`,
        confirmed_at: timeline.begin,
        approved: `username <> 'member${localAccounts}'`,
        last_active_at: timeline.now,
        created_at: timeline.begin,
      },
      'accounts where domain is null',
    ),
    insertFrom(
      'account_keys',
      { account_id: 'id', private_key: text(localKey.privateKey), created_at: timeline.begin },
      'accounts where domain is null',
    ),
    insertFrom(
      'presences',
      { account_id: accounts.localSql('n.i'), channels: text('["user"]') },
      numbers(figures.connected),
    ),
    insertFrom('heard_topics', { channel: text('public') }, '(select 1)'),
    insertFrom(
      'domain_limits',
      {
        domain: `'limited' || n.i || '.example'`,
        id: timeline.sql('n.i', hosts, 3),
        severity: `iif(n.i % 3, 'suspend', 'silence')`,
        public_comment: text('Spam'),
        created_at: timeline.begin,
      },
      numbers(Math.ceil(hosts / 5)),
    ),
  ]
}

/** Follows in both directions, with long tails. */
export function followStatements(figures: ScaleFigures, timeline: Timeline, accounts: Accounts): string[] {
  const { starFollowers, crowdedDomain, localAccounts, remoteAccounts, follows, followsOfOthers } = figures
  const { crowded, others } = remoteRanges(figures)
  const follow = (lane: number, count: number, from: string, to: string, source: string) =>
    insertFrom(
      'follows',
      {
        id: timeline.sql('n.i', count, lane),
        account_id: from,
        target_account_id: to,
        inbox_id: `(select i.id from remote_actors r cross join inboxes i on i.url = coalesce(r.shared_inbox, r.inbox)
          where r.account_id = ${from})`,
        uri: `'https://social.example/follows/' || n.i`,
        created_at: timeline.begin,
      },
      source,
      'insert or ignore',
    )
  const pairs = localAccounts * followsOfOthers
  const follower = `(${firstOrdinary} + n.i % ${localAccounts - firstOrdinary})`
  return [
    // Triggers would have kept them.
    'insert into inboxes (url) select distinct coalesce(shared_inbox, inbox) from remote_actors where true',
    follow(
      1,
      starFollowers,
      accounts.remoteSql('n.i'),
      String(accounts.local(roles.star)),
      numbers(starFollowers),
    ),
    follow(
      2,
      10,
      accounts.localSql(`${firstOrdinary} + n.i`),
      String(accounts.local(roles.star)),
      numbers(7),
    ),
    follow(
      3,
      crowdedDomain,
      accounts.remoteSql(`${crowded} + n.i`),
      String(accounts.local(roles.crowded)),
      numbers(crowdedDomain),
    ),
    // The reader: mostly of remote accounts, the most productive ones among them, and followed back by some.
    follow(
      4,
      follows,
      String(accounts.local(roles.reader)),
      `iif(n.i % 4, ${accounts.remoteSql(`(n.i * 7) % ${remoteAccounts}`)}, ${accounts.localSql(`${firstOrdinary} + n.i % ${localAccounts - firstOrdinary}`)})`,
      numbers(follows),
    ),
    follow(
      5,
      follows,
      accounts.remoteSql(`(n.i * 11) % ${remoteAccounts}`),
      String(accounts.local(roles.reader)),
      numbers(follows),
    ),
    // The other local accounts: long tails on both sides.
    follow(
      6,
      pairs,
      accounts.localSql(follower),
      `iif(n.i % 5, ${accounts.remoteSql(tail('n.i', 7, remoteAccounts))}, ${accounts.localSql(`${firstOrdinary} + ${tail('n.i', 8, localAccounts - firstOrdinary)}`)})`,
      `${numbers(pairs)} where ${tail(`n.i % ${localAccounts}`, 9, followsOfOthers)} > n.i / ${localAccounts}`,
    ),
    follow(
      7,
      pairs,
      accounts.remoteSql(`${others} + ${tail('n.i', 7, remoteAccounts - others)}`),
      accounts.localSql(`${firstOrdinary} + ${tail('n.i', 8, localAccounts - firstOrdinary)}`),
      `${numbers(pairs)} where ${below('n.i', 9, 2)} = 0`,
    ),
    // Only local authors with local readers have something in common with others.
    'delete from follows where account_id = target_account_id',
  ]
}
