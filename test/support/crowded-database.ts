import { applyD1Migrations } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { firstIdAt } from '../../src/lib/ids'
import { rebuildLists } from './rebuild-lists'
import { clock } from './test-app'

/**
 * A server on which everything there is much of stands in the way of what is looked for: 24,000 statuses and thousands
 * of accounts, follows, favourites, hashtags and servers. It has a database of its own, so that no other test meets it.
 */
export interface CrowdedDatabase {
  readonly db: D1Database
  /** Values for the parameters of paths and queries, by kind. */
  readonly accounts: readonly number[]
  readonly usernames: readonly string[]
  readonly statuses: readonly number[]
  readonly tags: readonly string[]
  /** Cursors at both ends and amid of statuses, follows and favourites. */
  readonly cursors: readonly number[]
  readonly collections: readonly number[]
  readonly poll: number
  readonly media: number
  readonly link: string
}

/** More than one request may read, of everything. */
export const many = 3_000

const local = { alice: 1, bob: 2, carol: 3, dave: 4 } as const
const remote = { silenced: 11, suspended: 12, plain: 13, hidden: 14, rich: 15, featuring: 16 } as const
const authors = { ...local, ...remote }
const host = 'https://crowd.test'

/** Rows of `count` numbers from 0 as a table `n(i)`. */
export const numbers = (count: number) =>
  `(with recursive n(i) as (select 0 union all select i + 1 from n where i < ${count - 1}) select i from n) n`

/** The n-th id of a block, as a number and in SQL; later blocks are newer, and so is what stands later in a block. */
export function idInBlock(now: Date) {
  const from = firstIdAt(new Date(now.getTime() - 3_600_000))
  return {
    at: (block: number, i: number) => from + (block * many + i) * 64,
    idOf: (block: number, i: number | string) => `${from} + (${block} * ${many} + ${i}) * 64`,
  }
}

/** Fills the database `CROWDED`, by some forty statements. */
export async function crowdedDatabase(): Promise<CrowdedDatabase> {
  const db = env.CROWDED
  await applyD1Migrations(db, env.TEST_MIGRATIONS)
  const now = clock.now().getTime()
  const { at, idOf } = idInBlock(clock.now())
  const write = (text: string) => db.prepare(text)
  const status = (block: number, columns: Readonly<Record<string, number | string>>, count = many) => {
    const id = idOf(block, 'n.i')
    const row = {
      id,
      uri: `'${host}/s/' || (${id})`,
      conversation_id: id,
      created_at: `${now} - ${many} + n.i`,
      local: 0,
      content: "'<p>One of many</p>'",
      language: "'en'",
      ...columns,
    }
    return write(
      `insert into statuses (${Object.keys(row)}) select ${Object.values(row)} from ${numbers(count)}`,
    )
  }
  const tag = (id: number | string, block: number, every = 1, rest = 0) =>
    write(`insert into status_tags (tag_id, status_id)
      select ${id}, ${idOf(block, 'n.i')} from ${numbers(many)} where n.i % ${every} = ${rest}`)

  const open = "'public'"
  const picture = `'${JSON.stringify([{ id: 1, type: 'image', file: { key: 'media/one.png' }, preview: null, description: null, blurhash: null, meta: {} }])}'`
  const card = `'${JSON.stringify({ url: 'https://birds.test/x', title: 'Birds', description: '', type: 'link', authorName: '', authorUrl: '', providerName: '', providerUrl: '', html: '', width: 1, height: 1, image: { key: 'cards/one.png' }, imageDescription: '', blurhash: null, photo: null, language: 'en', publishedAt: null, creatorId: remote.plain })}'`
  const stranger = 1_000_000
  const followers = 2_000_000

  await db.batch([
    ...Object.entries(local).map(([name, id]) =>
      write(`insert into accounts (id, username, discoverable, indexable, followers_count, following_count,
        statuses_count, last_status_at, created_at, updated_at)
        values (${id}, '${name}', 1, 1, ${many}, ${many}, ${many}, ${now}, ${now}, ${now})`),
    ),
    ...Object.values(local).map((id) =>
      write(`insert into users (account_id, email, password_hash, confirmed_at, created_at)
        values (${id}, 'u' || ${id} || '@mail.test', '', ${now}, ${now})`),
    ),
    ...Object.entries(remote).map(([name, id]) =>
      write(`insert into accounts (id, username, domain, uri, url, discoverable, silenced_at, suspended_at, last_status_at, created_at, updated_at)
        values (${id}, '${name}', 'crowd.test', '${host}/u/${id}', '${host}/@${name}', ${name === 'hidden' ? 0 : 1},
          ${name === 'silenced' ? now : null}, ${name === 'suspended' ? now : null}, ${now}, ${now}, ${now})`),
    ),
    // People nobody is shown, newer than everybody else and active later.
    write(`insert into accounts (id, username, domain, uri, display_name, discoverable, silenced_at, last_status_at, created_at, updated_at)
      select ${stranger} + n.i, 'a' || n.i, 'a' || n.i || '.crowd.test', '${host}/a/' || n.i, 'alice', 1, ${now}, ${now} + n.i, ${now}, ${now}
      from ${numbers(many)}`),
    write(`insert into accounts (id, username, domain, uri, display_name, suspended_at, followers_count, created_at, updated_at)
      select ${followers} + n.i, 'b' || n.i, 'b.test', 'https://b.test/' || n.i, 'alice', ${now}, 9, ${now}, ${now}
      from ${numbers(many)}`),
    write(
      `insert into instances (domain, created_at) select 'a' || n.i || '.crowd.test', ${now} from ${numbers(many)}`,
    ),
    write(`insert into domain_limits (domain, id, severity, public_comment, created_at)
      select 'a' || n.i || '.crowd.test', 100 + n.i, 'suspend', 'Spam', ${now} from ${numbers(many)}`),
    write(`insert into custom_emojis (id, shortcode, domain, image, created_at)
      select n.i + 1, 'e' || n.i, 'crowd.test', '{"key":"e.png"}', ${now} from ${numbers(many)}`),
    write(`insert into custom_emojis (id, shortcode, image, created_at)
      select 10000 + n.i, 'e' || n.i, '{"key":"e.png"}', ${now} from ${numbers(500)}`),
    // The status looked for is the oldest.
    status(
      0,
      { account_id: `1 + n.i % 4`, local: 1, uri: 'null', visibility: open, attachments: picture },
      40,
    ),
    status(1, { account_id: remote.silenced, visibility: open }),
    status(2, { account_id: remote.suspended, visibility: open }),
    status(3, {
      account_id: local.alice,
      local: 1,
      uri: 'null',
      visibility: "iif(n.i % 2, 'private', 'direct')",
    }),
    status(4, {
      account_id: local.bob,
      local: 1,
      uri: 'null',
      visibility: open,
      in_reply_to_id: at(0, 0),
      in_reply_to_account_id: local.alice,
    }),
    status(5, {
      account_id: local.carol,
      local: 1,
      uri: 'null',
      visibility: open,
      reblog_of_id: idOf(2, 'n.i'),
      content: "''",
    }),
    status(6, {
      account_id: remote.plain,
      visibility: open,
      in_reply_to_uri: "iif(n.i % 3, null, 'https://gone.test/' || n.i)",
    }),
    status(7, { account_id: remote.hidden, visibility: open, card }),
    // A thread in which each status answers the one before.
    status(8, {
      account_id: `iif(n.i % 2, ${remote.suspended}, ${remote.plain})`,
      visibility: "'unlisted'",
      in_reply_to_id: `iif(n.i = 0, null, ${idOf(8, 'n.i - 1')})`,
      in_reply_to_account_id: remote.plain,
      conversation_id: at(8, 0),
    }),
    // Each carries all a status can carry.
    status(
      9,
      {
        account_id: remote.rich,
        visibility: open,
        poll_id: `5000000 + n.i`,
        card,
        quote_policy: "'public'",
        linked_collections: "'[1,2,3,4]'",
        application_id: 1,
        attachments: picture,
        reactions: `'[{"name":"🎉","count":2}]'`,
      },
      400,
    ),
    status(
      10,
      {
        account_id: local.dave,
        local: 1,
        uri: 'null',
        visibility: open,
        reblog_of_id: idOf(9, 'n.i'),
        content: "''",
      },
      400,
    ),
    write(`insert into applications (id, client_id, client_secret_hash, name, redirect_uris, scopes, created_at)
      values (1, 'c', '', 'App', '[]', 'read', ${now})`),
    write(`insert into polls (id, account_id, status_id, options, tallies, expires_at)
      select 5000000 + n.i, ${remote.rich}, ${idOf(9, 'n.i')}, '["a","b"]', '[1,2]', ${now} from ${numbers(400)}`),
    write(`insert into poll_votes (poll_id, account_id, choice)
      select 5000000, ${followers} + n.i, 0 from ${numbers(many)}`),
    write(`insert into quotes (status_id, account_id, quoted_status_id, quoted_account_id, quoted_uri, state, created_at)
      select ${idOf(9, 'n.i')}, ${remote.rich}, ${idOf(9, '(399 - n.i)')}, ${remote.rich}, '${host}', 'accepted', ${now} from ${numbers(400)}`),
    write(`insert into media_attachments (id, account_id, status_id, type, mime, size_bytes, file_key, created_at)
      values (1, 1, ${at(0, 0)}, 'image', 'image/png', 1, 'media/one.png', ${now})`),
    write(`insert into status_edits (id, status_id, content, spoiler_text, sensitive, attachments, emojis, created_at)
      select n.i + 1, ${at(9, 0)}, '', '', 0, '[]', '[]', ${now} from ${numbers(many)}`),
    // Hashtags: on everything, on every other, and on the oldest alone.
    write(`insert into tags (id, name, display_name, created_at)
      values (1, 'crowd', 'Crowd', ${now}), (2, 'even', 'Even', ${now}), (3, 'odd', 'Odd', ${now}), (4, 'rare', 'Rare', ${now}), (5, 'none', 'None', ${now})`),
    write(`insert into tags (id, name, display_name, created_at)
      select 100 + n.i, 'a' || n.i, 'A' || n.i, ${now} from ${numbers(many)}`),
    ...[1, 2, 3, 4, 6, 7, 8].flatMap((block) => [tag(1, block), tag(2, block, 2, 0), tag(3, block, 2, 1)]),
    write(`insert into status_tags (tag_id, status_id) select 4, ${idOf(0, 'n.i')} from ${numbers(40)}`),
    write(`insert into status_tags (tag_id, status_id) select 1, ${idOf(0, 'n.i')} from ${numbers(40)}`),
    // Names that stand only in what is not for everybody, one of them in very much.
    write(
      `insert into status_tags (tag_id, status_id) select 100 + n.i, ${idOf(3, 'n.i')} from ${numbers(many)}`,
    ),
    write(
      `insert or ignore into status_tags (tag_id, status_id) select 100, ${idOf(3, 'n.i')} from ${numbers(many)}`,
    ),
    ...[1, 2, 3].map((id) =>
      write(`insert into featured_tags (id, account_id, tag_id, name, created_at)
      values (${id}, 1, ${id}, 'x', ${now})`),
    ),
    // Marks by people nobody is shown, and a few others; both for what is popular.
    ...[at(0, 0), at(9, 0)].flatMap((id, n) => [
      write(`insert into favourites (id, account_id, status_id)
        select ${at(20 + n, 0)} + n.i, ${followers} + n.i, ${id} from ${numbers(many)}`),
      write(`insert into favourites (id, account_id, status_id)
        select ${at(20 + n, 0)} - 100 - n.i, ${stranger} + n.i, ${id} from ${numbers(60)}`),
      write(`insert into emoji_reactions (id, account_id, status_id, name)
        select ${at(22 + n, 0)} + n.i, ${followers} + n.i, ${id}, '🎉' from ${numbers(many)}`),
    ]),
    write(`insert into statuses (id, account_id, uri, local, visibility, conversation_id, reblog_of_id, created_at)
      select ${idOf(11, 'n.i')}, ${followers} + n.i, '${host}/r/' || n.i, 0, 'public', ${idOf(11, 'n.i')}, ${at(0, 1)}, ${now} from ${numbers(many)}`),
    write(`insert into follows (id, account_id, target_account_id, created_at)
      select ${at(24, 0)} + n.i, ${followers} + n.i, 1, ${now} from ${numbers(many)}`),
    write(`insert into follows (id, account_id, target_account_id, created_at)
      select ${at(25, 0)} + n.i, 1, ${followers} + n.i, ${now} from ${numbers(many)}`),
    write(`insert into follows (id, account_id, target_account_id, created_at)
      select ${at(24, 0)} - 100 - n.i, ${stranger} + n.i, 1, ${now} from ${numbers(60)}`),
    write(`insert into endorsements (id, account_id, target_account_id)
      select n.i + 1, 1, ${followers} + n.i from ${numbers(many)}`),
    write(
      `insert into status_pins (id, account_id, status_id) select n.i + 1, 1, ${idOf(0, '4 * n.i')} from ${numbers(5)}`,
    ),
    write(`insert into collections (id, account_id, name, created_at, updated_at)
      select n.i + 1, ${remote.featuring}, 'Birds', ${now}, ${now} from ${numbers(many)}`),
    write(`insert into collection_items (id, collection_id, account_id, state, created_at)
      select n.i + 1, n.i / 25 + 1, ${stranger} + n.i % 25, 'accepted', ${now} from ${numbers(25 * 120)}`),
    write(`insert into preview_cards (id, url, host, card, trendable, created_at, updated_at)
      values (1, 'https://birds.test/x', 'birds.test', ${card}, 1, ${now}, ${now})`),
    write(`insert into status_links (status_id, card_id, account_id)
      select ${idOf(7, 'n.i')}, 1, ${remote.hidden} from ${numbers(many)}`),
    write(`insert into preview_cards (id, url, host, card, trendable, created_at, updated_at)
      select n.i + 2, 'https://birds.test/' || n.i, 'birds.test', ${card}, 1, ${now}, ${now} from ${numbers(199)}`),
    write(`insert into trending_links (card_id, rank, peak, peak_at, day, history)
      select n.i + 1, 9e9 + n.i, 9, ${now}, ${Math.floor(now / 86_400_000)}, '[[9,9]]' from ${numbers(200)}`),
    write(`insert into trending_tags (tag_id, rank, peak, peak_at, day, history)
      select n.i + 100, 9e9 + n.i, 9, ${now}, ${Math.floor(now / 86_400_000)}, '[[9,9]]' from ${numbers(200)}`),
    write(`insert into trending_statuses (status_id, account_id, language, rank, trendable)
      select ${idOf(9, 'n.i')}, ${remote.rich}, 'en', 9e9 + n.i, 1 from ${numbers(100)}`),
    write(`update statuses set favourites_count = ${many + 60} where id in (${at(0, 0)}, ${at(9, 0)})`),
    write(`update statuses set reblogs_count = ${many} where id = ${at(0, 1)}`),
    write(`insert into rules (id, position, text) select n.i + 1, n.i, 'Be kind' from ${numbers(50)}`),
    write(`insert into settings (key, value, updated_at) values ('instance.trendableByDefault', 'true', ${now}),
      ('instance.domainBlocksShownTo', '"all"', ${now}), ('instance.domainBlockReasonsShownTo', '"all"', ${now})`),
  ])
  await rebuildLists(db)
  return {
    db,
    accounts: [...Object.values(authors), stranger, followers],
    usernames: [...Object.keys(local), 'nobody'],
    statuses: [
      at(0, 0),
      at(0, 1),
      at(4, 1),
      at(8, 0),
      at(8, many / 2),
      at(8, many - 2),
      at(9, 0),
      at(10, 0),
      at(3, 1),
      7,
    ],
    tags: ['crowd', 'even', 'odd', 'rare', 'none', 'a0', 'unknown'],
    cursors: [at(0, 39), at(5, 1_500), at(24, 1_500), at(25, 1_500)],
    collections: [1, 50],
    poll: 5_000_000,
    media: 1,
    link: 'https://birds.test/x',
  }
}
