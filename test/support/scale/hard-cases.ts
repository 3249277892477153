import { createHash } from 'node:crypto'
import { type Accounts, firstOrdinary, roles } from './accounts.ts'
import { type Columns, insertFrom, instantOf, numbers, type Timeline, text } from './expressions.ts'
import type { ScaleFigures } from './figures.ts'
import { hardAuthors, remoteColumns, tagId } from './statuses.ts'

/** Low digits of the ids of statuses of each hard case. */
const lanes = {
  viral: 10,
  reblogs: 11,
  thread: 12,
  prolific: 13,
  withdrawn: 14,
  direct: 15,
  oldest: 16,
  star: 17,
} as const

/** Statuses of the reader to and fro, and of the star. */
const few = 60
const oldest = 3

/** Ids of the hard cases. */
export function hardStatuses(figures: ScaleFigures, timeline: Timeline) {
  const { threadAnswers, prolificStatuses, privateStatuses } = figures
  const thread = (index: number) => timeline.at(index, (threadAnswers + 1) * 2, lanes.thread)
  return {
    viral: timeline.at(1, 3, lanes.viral),
    thread: { first: thread(0), middle: thread(threadAnswers >> 1), last: thread(threadAnswers) },
    prolific: timeline.at(prolificStatuses - 1, prolificStatuses, lanes.prolific),
    withdrawn: timeline.at(privateStatuses - 1, privateStatuses, lanes.withdrawn),
    direct: timeline.at(few - 1, few, lanes.direct),
    star: timeline.at(few - 1, few, lanes.star),
    /** The oldest statuses of all, with the rare tag and the rare word. */
    oldest: timeline.at(0, 1_000, lanes.oldest),
  }
}

/** Tags of the hard cases: on all statuses of the prolific actor and a few old local ones; and on those alone. */
export const hardTags = (figures: ScaleFigures) => ({
  common: 'tag0',
  flood: `tag${figures.tags - 2}`,
  rare: `tag${figures.tags - 1}`,
})
export const rareWord = 'zyzzyva'

/** Page that a third of the indexed statuses link to, and the token of the index for it. */
export const linkedPage = {
  url: 'https://birds.example/0',
  trait: `u${createHash('sha256').update('birds.example/0').digest('hex').slice(0, 16)}0`,
}

/** Statuses that something must be found among, or that drag much behind them. */
export function hardCaseStatements(figures: ScaleFigures, timeline: Timeline, accounts: Accounts): string[] {
  const { threadAnswers, prolificStatuses, privateStatuses, viralReblogs, viralFavourites, remoteAccounts } =
    figures
  const authors = hardAuthors(figures, accounts)
  const found = hardStatuses(figures, timeline)
  const { tags } = figures
  const remote = (columns: Columns, count: number, author: string) =>
    insertFrom('statuses', columns, `${numbers(count)} cross join accounts a on a.id = ${author}`)
  const local = (id: string, author: number, columns: Columns): Columns => ({
    ...remoteColumns(id),
    account_id: author,
    uri: 'null',
    url: 'null',
    local: 1,
    text: text('One of many, and not much to be said about it.'),
    ...columns,
  })
  const inThread = timeline.sql('n.i', (threadAnswers + 1) * 2, lanes.thread)
  const before = timeline.sql('n.i - 1', (threadAnswers + 1) * 2, lanes.thread)
  const rebloggedAt = timeline.sql(`${viralReblogs} + n.i`, viralReblogs * 2 + 1, lanes.reblogs)
  const prolificId = timeline.sql('n.i', prolificStatuses, lanes.prolific)
  const withdrawnId = timeline.sql('n.i', privateStatuses, lanes.withdrawn)
  const oldestId = timeline.sql('n.i', 1_000, lanes.oldest)
  const directId = timeline.sql('n.i', few, lanes.direct)
  const starId = timeline.sql('n.i', few, lanes.star)
  const reader = accounts.local(roles.reader)
  const flood = hardTags(figures)
  const namesOf = (...names: string[]) =>
    text(JSON.stringify(names.map((name) => ({ name, display: name.replace('t', 'T') }))))
  return [
    insertFrom(
      'statuses',
      local(String(found.viral), authors.viral, { content: text('<p>Look at this cat.</p>') }),
      '(select 1)',
    ),
    remote(
      {
        ...remoteColumns(rebloggedAt),
        content: text(''),
        language: 'null',
        reblog_of_id: found.viral,
        reblog_of_many: 'n.i >= 100',
      },
      viralReblogs,
      accounts.remoteSql(`(n.i * 3) % ${remoteAccounts}`),
    ),
    insertFrom(
      'favourites',
      {
        id: timeline.sql(`${viralFavourites} + n.i`, viralFavourites * 2 + 1, 1),
        account_id: accounts.remoteSql(`n.i % ${remoteAccounts}`),
        status_id: found.viral,
        uri: `'https://social.example/likes/' || n.i`,
      },
      numbers(viralFavourites),
    ),
    // A thread: every third answers the one before, the others the first.
    remote(
      {
        ...remoteColumns(inThread),
        conversation_id: found.thread.first,
        in_reply_to_id: `iif(n.i = 0, null, iif(n.i % 3, ${found.thread.first}, ${before}))`,
        in_reply_to_account_id: `iif(n.i = 0, null, ${authors.thread})`,
        content: text(
          '<p>An answer of usual length, to what was said above, with a word or two of thanks and some objections.</p>',
        ),
      },
      threadAnswers + 1,
      `iif(n.i = 0, ${authors.thread}, ${accounts.remoteSql(`(n.i * 5) % ${remoteAccounts}`)})`,
    ),
    // Attachments and answers of the prolific actor are its oldest.
    remote(
      {
        ...remoteColumns(prolificId),
        attachments: `iif(n.i < 5, json_array(json_object('id', n.i + 1, 'type', 'image', 'file', json_object('remote', 'https://files.social.example/p.jpg'),
          'preview', null, 'description', null, 'blurhash', null, 'meta', json('{}'))), '[]')`,
        tags: `iif(n.i < 5, ${namesOf(flood.flood, flood.rare)}, ${namesOf(flood.flood)})`,
        in_reply_to_id: `iif(n.i < 5, null, iif(n.i % 2, null, ${found.viral}))`,
        in_reply_to_account_id: `iif(n.i < 5, null, iif(n.i % 2, null, ${authors.viral}))`,
      },
      prolificStatuses,
      String(authors.prolific),
    ),
    insertFrom(
      'status_tags',
      { tag_id: tagId(timeline, figures, tags - 2), status_id: prolificId },
      numbers(prolificStatuses),
    ),
    insertFrom(
      'status_tags',
      { tag_id: tagId(timeline, figures, tags - 1), status_id: prolificId },
      numbers(5),
    ),
    insertFrom(
      'statuses',
      local(withdrawnId, authors.withdrawn, { visibility: `iif(n.i < 3, 'public', 'private')` }),
      numbers(privateStatuses),
    ),
    insertFrom(
      'statuses',
      local(oldestId, accounts.local(firstOrdinary), {
        content: text(`<p>The word is ${rareWord}.</p>`),
        tags: namesOf(flood.common, flood.flood, flood.rare),
      }),
      numbers(oldest),
    ),
    ...[0, tags - 2, tags - 1].map((tag) =>
      insertFrom(
        'status_tags',
        { tag_id: tagId(timeline, figures, tag), status_id: oldestId },
        numbers(oldest),
      ),
    ),
    insertFrom('statuses', local(starId, accounts.local(roles.star), {}), numbers(few)),
    remote(
      {
        ...remoteColumns(directId),
        visibility: text('direct'),
        mentions: text(
          JSON.stringify([
            { id: reader, username: 'reader', domain: null, url: 'https://fieldfare.test/@reader' },
          ]),
        ),
      },
      few,
      accounts.remoteSql(`(n.i * 5) % ${remoteAccounts}`),
    ),
    insertFrom('status_mentions', { status_id: directId, account_id: reader }, numbers(few)),
    insertFrom(
      'conversations',
      {
        account_id: reader,
        id: directId,
        conversation_id: directId,
        participants: `json_array(${accounts.remoteSql(`(n.i * 5) % ${remoteAccounts}`)})`,
        last_status_id: directId,
        unread: 'n.i % 2',
      },
      numbers(few),
    ),
  ]
}

/** Days of servers as triggers would have counted them, of the last week alone. */
export function countStatements(timeline: Timeline): string[] {
  const dayOf = (id: string) => `(${instantOf(id)} / 86400000)`
  const week = (timeline.now - timeline.begin) / 104
  const since = Math.floor((timeline.now - week - Date.UTC(2007, 0, 1)) * 4_096)
  return [
    `insert into followed_accounts (account_id, domain, local_followers)
      select a.id, a.domain, count(*) from follows f cross join accounts a on a.id = f.target_account_id
      where a.domain is not null group by a.id`,
    `insert into domain_days (domain, day, accounts, statuses, reports, follows, followers, all_accounts, all_statuses, all_reports, all_follows, all_followers)
      select a.domain, ${dayOf('s.id')}, 0, count(*), 0, 0, 0, 1, count(*), 0, 0, 0
      from statuses s cross join accounts a on a.id = s.account_id where s.id > ${since} and a.domain is not null group by 1, 2`,
    `insert or ignore into activity_weeks (week, statuses, logins, registrations)
      select (created_at + 259200000) / 604800000, count(*), 10, 1 from statuses where local = 1 group by 1`,
    `update counters set value = (select count(*) from users) where name = 'users'`,
    `update counters set value = (select count(*) from statuses where local = 1) where name = 'statuses'`,
    `update counters set value = (select count(*) from instances) where name = 'domains'`,
    `update counters set value = (select count(*) from users) where name in ('active_month', 'active_halfyear')`,
    `update accounts set
      statuses_count = (select count(*) from statuses where account_id = accounts.id),
      last_status_at = (select created_at from statuses where account_id = accounts.id order by id desc limit 1),
      followers_count = (select count(*) from follows where target_account_id = accounts.id),
      following_count = (select count(*) from follows where account_id = accounts.id)`,
    `update statuses set replies_count = n from
      (select in_reply_to_id as of, count(*) as n from statuses where in_reply_to_id is not null group by 1) where id = of`,
    `update statuses set reblogs_count = n from
      (select reblog_of_id as of, count(*) as n from statuses where reblog_of_id is not null group by 1) where id = of`,
    `update statuses set favourites_count = n from
      (select status_id as of, count(*) as n from favourites group by 1) where id = of`,
  ]
}
