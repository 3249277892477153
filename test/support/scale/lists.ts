import { type Accounts, firstOrdinary, roles } from './accounts.ts'
import { type Columns, insertFrom, numbers, type Timeline, text } from './expressions.ts'
import type { ScaleFigures } from './figures.ts'
import { planTable } from './statuses.ts'

/** Lists of the reader, and what moderators do. */
export function listStatements(figures: ScaleFigures, timeline: Timeline, accounts: Accounts): string[] {
  const { follows, remoteAccounts, hosts, tags } = figures
  const reader = accounts.local(roles.reader)
  const owner = accounts.local(firstOrdinary)
  const half = Math.floor(follows / 2)
  const id = timeline.sql('n.i', follows, 6)
  const list = timeline.at(1, 10, 5)
  const times: Columns = { created_at: timeline.begin }
  const ofReader = (table: string, target: string, more: Columns = {}, count = half) =>
    insertFrom(table, { id, account_id: reader, ...more, target_account_id: target }, numbers(count))
  return [
    ofReader('blocks', accounts.remoteSql(`${remoteAccounts} - 2 - n.i`), times),
    ofReader('mutes', accounts.remoteSql(`${remoteAccounts} - 2 - ${half} - n.i`), times),
    ofReader('endorsements', accounts.remoteSql(`(n.i * 7) % ${remoteAccounts}`)),
    insertFrom(
      'follow_requests',
      {
        id,
        account_id: accounts.remoteSql(`(n.i * 11 + 5) % ${remoteAccounts}`),
        target_account_id: reader,
        ...times,
      },
      numbers(follows),
    ),
    insertFrom(
      'account_domain_blocks',
      { account_id: reader, domain: `'blocked' || n.i || '.example'`, id },
      numbers(half),
    ),
    insertFrom(
      'tag_follows',
      { id, account_id: reader, tag_id: timeline.sql('n.i', tags, 4), ...times },
      numbers(Math.min(100, tags - 4)),
    ),
    `insert into lists (id, account_id, title, created_at) values (${list}, ${reader}, 'Birds', ${timeline.begin})`,
    `insert into list_accounts (id, list_id, owner_id, account_id)
      select id, ${list}, ${reader}, target_account_id from follows where account_id = ${reader} order by id limit 100`,
    `insert into list_entries (list_id, status_id)
      select ${list}, status_id from home_entries where account_id = ${reader}`,
    `insert into filters (id, account_id, title, contexts, action)
      values (1, ${reader}, 'Politics', '["home","public","thread"]', 'warn')`,
    `insert into filter_keywords (id, filter_id, keyword, whole_word)
      values (1, 1, 'election', 1), (2, 1, 'parliament', 0)`,
    insertFrom(
      'custom_emojis',
      {
        id,
        shortcode: `'emoji' || n.i`,
        domain: `'social' || n.i % ${hosts} || '.example'`,
        image: text('{"remote":"https://files.social.example/emoji.png"}'),
        ...times,
      },
      numbers(follows),
    ),
    insertFrom(
      'reports',
      {
        id,
        account_id: owner,
        target_account_id: accounts.remoteSql(`(n.i * 3) % ${remoteAccounts}`),
        category: text('spam'),
        action_taken_at: `iif(n.i % 4, ${timeline.now}, null)`,
        ...times,
      },
      numbers(follows),
    ),
    insertFrom(
      'account_warnings',
      {
        id,
        account_id: owner,
        target_account_id: accounts.remoteSql(`(n.i * 3) % ${remoteAccounts}`),
        action: text('silence'),
        text: text(''),
        ...times,
      },
      numbers(half),
    ),
    insertFrom(
      'audit_log',
      {
        id: timeline.sql('n.i', follows * 10, 6),
        account_id: owner,
        username: text('owner'),
        action: text('silence'),
        target_type: text('Account'),
        target_id: accounts.remoteSql(`(n.i * 3) % ${remoteAccounts}`),
        target_label: text('user'),
        ...times,
      },
      numbers(follows * 10),
    ),
    insertFrom(
      'trending_statuses',
      {
        status_id: 'id',
        account_id: 'author',
        language: text('en'),
        rank: 'i * 1.0',
        trendable: 1,
      },
      `${planTable} where kind = 0 order by i desc limit 100`,
    ),
    insertFrom(
      'trending_tags',
      {
        tag_id: 'id',
        rank: '1.0',
        peak: '9.0',
        peak_at: timeline.now,
        day: Math.floor(timeline.now / 86_400_000),
        history: text('[[9,9]]'),
      },
      'tags limit 100',
    ),
    insertFrom(
      'trending_links',
      {
        card_id: 'id',
        rank: '1.0',
        peak: '9.0',
        peak_at: timeline.now,
        day: Math.floor(timeline.now / 86_400_000),
        history: text('[[9,9]]'),
      },
      'preview_cards limit 100',
    ),
  ]
}
