import { type Accounts, firstOrdinary, remoteRanges, roles } from './accounts.ts'
import {
  below,
  type Columns,
  insertFrom,
  instantOf,
  numbers,
  permille,
  type Timeline,
  tail,
  text,
} from './expressions.ts'
import type { ScaleFigures } from './figures.ts'

/** Name of the table that says of each ordinary status what it becomes; dropped at the end. */
export const planTable = 'scale_plan'

const phrases = [
  'Two fieldfares in the apple tree this morning, and a wren below them. ',
  'The dough has been rising since six and smells of rye. ',
  'Rain later, they say; the ringing group meets anyway. ',
  'Has anybody tried the new release on an old laptop? It takes its time. ',
  'I read the whole book on the train and missed my station twice. ',
  'There is a heron on the roof of the town hall again. ',
  'Notes from the workshop are online now, with pictures of the boards. ',
  'Good morning to everybody who is up as early as the bakers. ',
  'My neighbour grows tomatoes on a balcony that gets no sun at all. ',
  'The council has voted: the bridge stays open for bicycles. ',
  'A quiet day, a long walk, and far too much coffee. ',
  'What do you use to keep your photographs in order? ',
  'The museum is free on Sundays, and the café is better than its name. ',
  'Snow on the pass, so we turned back at the hut. ',
  'This thread is about compilers, and I will come to the point soon. ',
  'Seen from the ferry: seventeen eiders and one very proud captain. ',
]

/** Expression of two or three of the phrases. */
const wordsOf = (number: string) =>
  `(${text(JSON.stringify(phrases))} ->> ${below(number, 0, phrases.length)}) ||
    (${text(JSON.stringify(phrases))} ->> ${below(number, 1, phrases.length)}) ||
    iif(${permille(number, 2, 500)}, ${text(JSON.stringify(phrases))} ->> ${below(number, 3, phrases.length)}, '')`

export const languageOf = (number: string): string =>
  `(${text('["en","en","en","en","en","en","de","de","ja","fr","es","nl",null]')} ->> ${below(number, 4, 13)})`

const picture = (number: string) => `json_array(json_object('id', ${number}, 'type', 'image',
  'file', json_object('remote', 'https://files.social.example/media_attachments/files/' || (${number}) || '/original/7f1e9a55c3d0b1.jpg'),
  'preview', json_object('remote', 'https://files.social.example/media_attachments/files/' || (${number}) || '/small/7f1e9a55c3d0b1.jpg'),
  'description', 'Two thrushes in a bare tree, seen from below', 'blurhash', 'UBL_:rOpGG-oBUNG,qRj2so|=eE1w^n4S5NH',
  'meta', json('{"original":{"width":1200,"height":800,"size":"1200x800","aspect":1.5}}')))`

/** Tag of a number; the first is everywhere. */
export const tagName = (index: number): string => `tag${index}`
export const tagId = (timeline: Timeline, figures: ScaleFigures, index: number): number =>
  timeline.at(index, figures.tags, 4)

export const statusAt = (timeline: Timeline, count: number) => (index: string) =>
  timeline.sql(index, count, 0)

/** Ordinary statuses: what is left beside the hard cases. */
export function ordinaryCount(figures: ScaleFigures): number {
  const { statuses, threadAnswers, viralReblogs, prolificStatuses, privateStatuses } = figures
  return statuses - threadAnswers - viralReblogs - prolificStatuses - privateStatuses
}

/** Number of the only status with an open poll, by a local author. */
export const openPoll = (figures: ScaleFigures): number =>
  Math.floor((ordinaryCount(figures) - 4) / 75) * 75 + 3

/**
 * Plan of the ordinary statuses. Of five, the first is public and may be reblogged and answered, the second answers a
 * first, the third a second, the fourth stands alone, the fifth reblogs a first.
 */
export function planStatements(figures: ScaleFigures, timeline: Timeline, accounts: Accounts): string[] {
  const { localAccounts, remoteAccounts, localShare, tags } = figures
  const count = ordinaryCount(figures)
  const isLocal = `(n.i = ${openPoll(figures)} or ${permille('n.i', 6, localShare)})`
  // Mostly recent ones.
  const earlier = `(n.i / 5 - cast(${tail('n.i', 5, 'min(n.i / 5, 2000)')} as integer))`
  return [
    `create table ${planTable} (i integer primary key, id integer not null, kind integer not null, local integer not null,
      author integer not null, visibility text not null, target integer, root integer, tag integer, poll integer)`,
    insertFrom(
      planTable,
      {
        i: 'n.i',
        id: statusAt(timeline, count)('n.i'),
        kind: 'n.i % 5',
        local: isLocal,
        author: `iif(${isLocal},
          ${accounts.localSql(`${firstOrdinary} + ${tail('n.i', 7, localAccounts - firstOrdinary)}`)},
          ${accounts.remoteSql(tail('n.i', 8, remoteAccounts))})`,
        visibility: `case when n.i % 5 = 0 then 'public' when n.i % 5 = 4 then iif(${permille('n.i', 9, 900)}, 'public', 'unlisted')
          when ${below('n.i', 9, 100)} < 65 then 'public' when ${below('n.i', 9, 100)} < 88 then 'unlisted' else 'private' end`,
        target: `case n.i % 5 when 1 then ${earlier} * 5 when 2 then ${earlier} * 5 + 1 when 4 then ${earlier} * 5 end`,
        tag: `iif(n.i % 5 in (0, 3) and ${permille('n.i', 0, 500)}, iif(n.i % 2, ${tail('n.i', 1, `${tags} - 4`)}, 0), null)`,
        poll: `iif(n.i % 75 = 3, ${timeline.sql('n.i', count, 9)}, null)`,
      },
      numbers(count),
    ),
    // An answer is later than what it answers.
    `update ${planTable} set target = target - 5 where target > i and target >= 5`,
    `update ${planTable} set target = null, kind = 3 where target > i`,
    `update ${planTable} set root = case kind when 1 then target when 2 then
      coalesce((select t.target from ${planTable} t where t.i = ${planTable}.target), target) else i end`,
  ]
}

/** Columns of a remote status by account `a`, before what is said otherwise. */
export function remoteColumns(id: string): Columns {
  return {
    id,
    account_id: 'a.id',
    uri: `'https://' || a.domain || '/users/' || a.username || '/statuses/' || (${id})`,
    url: `'https://' || a.domain || '/@' || a.username || '/' || (${id})`,
    local: 0,
    visibility: text('public'),
    content: text('<p>One of many, and not much to be said about it.</p>'),
    language: text('en'),
    conversation_id: id,
    created_at: instantOf(id),
  }
}

/** The ordinary statuses of the plan, and tags. */
export function statusStatements(figures: ScaleFigures, timeline: Timeline): string[] {
  const plan = (where: string) => `${planTable} p cross join accounts a on a.id = p.author
    left join ${planTable} t on t.i = p.target left join accounts ta on ta.id = t.author
    left join ${planTable} c on c.i = p.root where ${where} order by p.i`
  const mentions = `iif(p.kind in (1, 2) and ta.id <> a.id, json_array(json_object('id', ta.id, 'username', ta.username, 'domain', ta.domain,
    'url', coalesce(ta.url, 'https://fieldfare.test/@' || ta.username))), '[]')`
  const named = `iif(p.kind in (1, 2), '<span class="h-card"><a href="' || coalesce(ta.url, 'https://fieldfare.test/@' || ta.username) || '" class="u-url mention">@<span>' || ta.username || '</span></a></span> ', '')`
  const tagged = `iif(p.tag is null, '', '<a href="https://' || coalesce(a.domain, 'fieldfare.test') || '/tags/tag' || p.tag || '" class="mention hashtag" rel="tag">#<span>tag' || p.tag || '</span></a>')`
  const uri = remoteColumns('p.id')
  const columns: Columns = {
    ...uri,
    uri: `iif(p.local, null, ${uri['uri']})`,
    url: `iif(p.local, null, ${uri['url']})`,
    local: 'p.local',
    visibility: 'p.visibility',
    text: `iif(p.local and p.kind < 4, ${wordsOf('p.i')}, '')`,
    content: `iif(p.kind = 4, '', '<p>' || ${named} || ${wordsOf('p.i')} || ${tagged} || '</p>')`,
    spoiler_text: `iif(p.kind < 4 and ${permille('p.i', 5, 60)}, 'Politics', '')`,
    sensitive: `p.kind < 4 and ${permille('p.i', 5, 60)}`,
    language: `iif(p.kind = 4, null, ${languageOf('p.i')})`,
    in_reply_to_id: 'iif(p.kind in (1, 2), t.id, null)',
    in_reply_to_account_id: 'iif(p.kind in (1, 2), t.author, null)',
    reblog_of_id: 'iif(p.kind = 4, t.id, null)',
    conversation_id: 'coalesce(c.id, p.id)',
    poll_id: 'p.poll',
    attachments: `iif(p.kind in (0, 3) and ${permille('p.i', 6, 180)}, ${picture('p.id')}, '[]')`,
    mentions,
    tags: `iif(p.tag is null, '[]', json_array(json_object('name', 'tag' || p.tag, 'display', 'Tag' || p.tag)))`,
    replies_uri: `iif(p.local or p.kind = 4, null, '/replies')`,
    edited_at: `iif(${permille('p.i', 7, 20)} and p.kind < 4, ${instantOf('p.id')} + 60000, null)`,
  }
  return [
    insertFrom('statuses', columns, plan('true'), 'insert or ignore'),
    insertFrom(
      'tags',
      {
        id: timeline.sql('n.i', figures.tags, 4),
        name: `'tag' || n.i`,
        display_name: `'Tag' || n.i`,
        created_at: timeline.begin,
      },
      numbers(figures.tags),
    ),
    insertFrom(
      'status_tags',
      { tag_id: timeline.sql('p.tag', figures.tags, 4), status_id: 'p.id' },
      `${planTable} p where p.tag is not null order by 1, 2`,
    ),
    insertFrom(
      'status_mentions',
      { status_id: 'p.id', account_id: 't.author' },
      `${planTable} p cross join ${planTable} t on t.i = p.target where p.kind in (1, 2) and t.author <> p.author order by 1`,
    ),
    insertFrom(
      'polls',
      {
        id: 'p.poll',
        account_id: 'p.author',
        status_id: 'p.id',
        options: text('["Rye","Wheat","Spelt"]'),
        tallies: text('[3,1,4]'),
        votes_count: 8,
        voters_count: 8,
        expires_at: `iif(p.i = ${openPoll(figures)}, ${timeline.now} + 604800000, ${instantOf('p.id')} + 86400000)`,
        closed_at: `iif(p.i = ${openPoll(figures)}, null, ${instantOf('p.id')} + 86400000)`,
      },
      `${planTable} p where p.poll is not null order by 1`,
    ),
    insertFrom(
      'status_edits',
      {
        id: 'id + 5',
        status_id: 'id',
        content: text('<p>An earlier version of it.</p>'),
        spoiler_text: text(''),
        sensitive: 0,
        attachments: text('[]'),
        emojis: text('[]'),
        created_at: 'created_at',
      },
      'statuses where edited_at is not null',
    ),
    insertFrom(
      'media_attachments',
      {
        id: 'id',
        account_id: 'account_id',
        status_id: 'id',
        type: text('image'),
        mime: text('image/jpeg'),
        size_bytes: 200_000,
        file_key: `'media/' || id || '/original.jpg'`,
        created_at: 'created_at',
      },
      "statuses where local = 1 and attachments <> '[]'",
    ),
    insertFrom(
      'tombstones',
      {
        uri: `'https://social' || (n.i % ${figures.hosts}) || '.example/users/user' || n.i || '/statuses/gone' || n.i`,
        deleted_at: timeline.now,
      },
      numbers(Math.ceil(figures.statuses / 50)),
    ),
    insertFrom(
      'received_activities',
      {
        uri: `'https://social' || (n.i % ${figures.hosts}) || '.example/users/user' || n.i || '#likes/' || n.i`,
        day: `${Math.floor(timeline.now / 86_400_000)} - n.i % 30`,
      },
      numbers(Math.ceil(figures.statuses / 50)),
    ),
  ]
}

/** Accounts that write the hard cases. */
export function hardAuthors(figures: ScaleFigures, accounts: Accounts) {
  const { prolific, thread } = remoteRanges(figures)
  return {
    prolific: accounts.remote(prolific),
    thread: accounts.remote(thread),
    withdrawn: accounts.local(roles.withdrawn),
    viral: accounts.local(roles.viral),
  }
}
