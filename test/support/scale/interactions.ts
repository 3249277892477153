import { type Accounts, firstOrdinary, roles } from './accounts.ts'
import { below, insertFrom, instantOf, numbers, permille, type Timeline, tail, text } from './expressions.ts'
import type { ScaleFigures } from './figures.ts'
import { hardStatuses, linkedPage, rareWord } from './hard-cases.ts'
import { listStatements } from './lists.ts'
import { hardAuthors, ordinaryCount, planTable } from './statuses.ts'

/** Favourites, bookmarks, notifications, feeds, lists, filters, links and the index of words. */
export function interactionStatements(
  figures: ScaleFigures,
  timeline: Timeline,
  accounts: Accounts,
): string[] {
  const { localAccounts, remoteAccounts, notifications, viralFavourites } = figures
  const count = ordinaryCount(figures)
  const reader = accounts.local(roles.reader)
  const { viral } = hardStatuses(figures, timeline)
  const authors = hardAuthors(figures, accounts)
  /** First statuses of every five, which all may see. */
  const open = `${planTable} p where p.kind = 0`
  const marks = `case
    when p.i % 3 = 0 then ${accounts.localSql(`${firstOrdinary} + ${tail('p.i', 2, localAccounts - firstOrdinary)}`)}
    else ${accounts.remoteSql(tail('p.i', 3, remoteAccounts))} end`
  /** Rare kinds are the oldest. */
  const type = `case when n.i < 3 then 'update' when n.i < 5 then 'poll' when n.i % 10 < 6 then 'favourite' when n.i % 10 < 8 then 'reblog'
    when n.i % 10 = 8 then 'mention' else 'follow' end`
  const noticeAt = timeline.sql('n.i', notifications, 1)
  /** Five times as many numbers as notices, so that subjects differ. */
  const subject = `(select id from ${planTable} where i = (n.i * 5) % ${Math.floor(count / 5) * 5})`
  const recent = Math.floor(count * 0.6)
  return [
    insertFrom(
      'favourites',
      {
        id: 'p.id + 1',
        account_id: marks,
        status_id: 'p.id',
        uri: `iif(p.i % 3 = 0, null, 'https://social.example/likes/' || p.i)`,
      },
      open,
      'insert or ignore',
    ),
    insertFrom(
      'favourites',
      { id: 'p.id + 2', account_id: reader, status_id: 'p.id' },
      `${open} and p.i % 2 = 1`,
      'insert or ignore',
    ),
    insertFrom(
      'bookmarks',
      { id: 'p.id + 3', account_id: reader, status_id: 'p.id' },
      `${open} and p.i % 2 = 0`,
    ),
    insertFrom(
      'notifications',
      {
        id: noticeAt,
        account_id: reader,
        type,
        from_account_id: accounts.remoteSql(tail('n.i', 4, remoteAccounts)),
        status_id: `iif(${type} = 'follow', null, ${subject})`,
        group_key: `case when ${type} in ('favourite', 'reblog') then ${type} || '-' || ${subject} || '-' || (${instantOf(noticeAt)} / 43200000)
          when ${type} = 'follow' then 'follow-' || (${instantOf(noticeAt)} / 43200000) end`,
        created_at: instantOf(noticeAt),
      },
      numbers(notifications),
      'insert or ignore',
    ),
    insertFrom(
      'notifications',
      {
        id: timeline.sql(`${viralFavourites} + n.i`, viralFavourites * 2 + 1, 2),
        account_id: authors.viral,
        type: text('favourite'),
        from_account_id: accounts.remoteSql(`n.i % ${remoteAccounts}`),
        status_id: viral,
        group_key: `'favourite-${viral}-' || (n.i / 50)`,
        created_at: timeline.now,
      },
      numbers(viralFavourites),
    ),
    // Answers to ordinary members.
    insertFrom(
      'notifications',
      {
        id: 'p.id + 7',
        account_id: 't.author',
        type: text('mention'),
        from_account_id: 'p.author',
        status_id: 'p.id',
        created_at: instantOf('p.id'),
      },
      `${planTable} p cross join ${planTable} t on t.i = p.target where p.kind in (1, 2) and t.local = 1 and t.author <> p.author`,
      'insert or ignore',
    ),
    `insert or ignore into home_entries (account_id, status_id)
      select account_id, status_id from (
        select f.account_id as account_id, s.id as status_id, row_number() over (partition by f.account_id order by s.id desc) as place
        from users u cross join follows f on f.account_id = u.account_id
          cross join statuses s on s.account_id = f.target_account_id
        where s.visibility in ('public', 'unlisted') and s.id > coalesce((select id from ${planTable} where i = ${count - recent}), 0))
      where place <= 400 order by 1, 2`,
    ...listStatements(figures, timeline, accounts),
    ...linkStatements(timeline, count),
    ...searchStatements(figures, timeline),
  ]
}

const card = JSON.stringify({
  title: 'Fieldfares winter further north',
  description: 'Counts of the last ten years show that the birds stay where they used to pass.',
  type: 'link',
  authorName: '',
  authorUrl: '',
  providerName: 'The Hedge',
  providerUrl: '',
  html: '',
  width: 1200,
  height: 630,
  image: { remote: 'https://birds.example/picture.jpg' },
  imageDescription: '',
  blurhash: null,
  photo: null,
  language: 'en',
  publishedAt: null,
  creatorId: null,
})

/** Cards of every twentieth status that stands alone. */
function linkStatements(timeline: Timeline, count: number): string[] {
  const cards = Math.ceil(count / 100)
  const linked = `${planTable} p where p.kind = 3 and p.visibility = 'public' and ${permille('p.i', 8, 250)}`
  const number = tail('p.i', 9, cards)
  const value = `json_set(${text(card)}, '$.url', 'https://birds.example/' || (CARD))`
  return [
    insertFrom(
      'preview_cards',
      {
        id: timeline.sql('n.i', cards, 6),
        url: `'https://birds.example/' || n.i`,
        host: text('birds.example'),
        card: value.replace('CARD', 'n.i'),
        trendable: 1,
        created_at: timeline.begin,
        updated_at: timeline.now,
      },
      numbers(cards),
    ),
    insertFrom(
      'status_links',
      { status_id: 'p.id', card_id: timeline.sql(number, cards, 6), account_id: 'p.author' },
      linked,
    ),
    `update statuses set card = ${value.replace('CARD', 'l.number')} from
      (select p.id as of, ${number} as number from ${linked}) l where id = l.of`,
  ]
}

/** Words of public statuses by authors who allow it, and of all local ones for their authors. */
function searchStatements(figures: ScaleFigures, timeline: Timeline): string[] {
  const { thread } = hardStatuses(figures, timeline)
  const words = `lower(replace(replace(replace(substr(content, 4, length(content) - 7), ',', ''), '.', ''), '?', ''))`
  return [
    `insert into status_search (rowid, text, traits)
      select s.id, iif(instr(s.content, '<a '), substr(${words}, 1, instr(${words}, '<') - 1), ${words}),
        'f' || s.account_id || iif(s.language is null, '', ' l' || s.language || '0')
          || iif(s.in_reply_to_id is null, '', ' xreply0') || iif(s.attachments = '[]', '', ' xmedia0 ximage0')
          || iif(s.id / 4096 % 3 = 0, ' xlink0 ${linkedPage.trait}', '')
          || iif(a.domain is null, ' w' || a.id, '') || iif(s.visibility = 'public' and a.indexable = 1, ' pub', '')
      from statuses s cross join accounts a on a.id = s.account_id
      where s.reblog_of_id is null and s.conversation_id <> ${thread.first}
        and (a.domain is null or (s.visibility = 'public' and a.indexable = 1)) order by s.id`,
    `insert into account_search (rowid, username, display_name, domain)
      select id, username, display_name, domain from accounts order by id`,
    // There is nothing left to index, but for a few.
    'delete from search_walks',
    'delete from search_stale',
    `insert into search_stale (status_id) select id from ${planTable} order by i desc limit 20`,
    // Followed by nobody and named nowhere else.
    `insert into tags (id, name, display_name, created_at)
      values (${timeline.at(0, 10, 7)}, '${rareWord}', '${rareWord}', ${below('1', 0, 1)})`,
  ]
}
