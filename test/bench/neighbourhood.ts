/**
 * A believable server as rows, for measuring: 200 people of two servers, 2,000 statuses with all that statuses
 * carry, and a reader who follows 50. The same every time. Imports nothing, so that Node reads it as it is.
 */

type Value = string | number | null
type Row = Readonly<Record<string, Value>>

interface Insert {
  readonly text: string
  readonly json: string
}

interface Person {
  readonly id: number
  readonly username: string
  readonly domain: string | null
  readonly url: string
}

interface Post {
  readonly row: Row & { readonly id: number; readonly account_id: number }
  readonly tags: readonly string[]
  readonly mentions: readonly Person[]
}

export const readerToken = 'token-of-the-one-who-reads'
/** Secret of the browser that the reader is signed in with. */
const readerSession = 'session-of-the-one-who-reads'
/** Local accounts with a token that the reader does not follow: one may post 300 times in three hours. */
const writersCount = 20
const people = 200
const posts = 2_000
const followed = 50
const otherHost = 'elsewhere.example'
const tagNames = ['birds', 'bread', 'gardening', 'fieldnotes', 'morning', 'migration', 'introduction']

export interface Neighbourhood {
  readonly inserts: readonly Insert[]
  readonly reader: number
  readonly token: string
  /** Secret of the reader's browser, which its cookie holds with a signature. */
  readonly session: string
  /** Tokens of local accounts that the reader does not follow. */
  readonly writers: readonly string[]
  /** Account that the reader follows and that wrote statuses. */
  readonly author: number
  /** 40 people, to ask relationships of. */
  readonly acquaintances: readonly number[]
  /** A public status that nobody has marked as favourite. */
  readonly status: number
  /** Path of the document of a local status. */
  readonly note: string
  /** The first of a conversation of 60. */
  readonly thread: number
  /** Paths of the pages of that conversation and of `author`. */
  readonly pages: { readonly thread: string; readonly author: string }
  readonly tag: string
}

/** Rows to insert, in an order that foreign keys accept. `origin` has no slash at its end. */
export async function neighbourhood(origin: string, now: Date): Promise<Neighbourhood> {
  const rank = (index: number) =>
    (now.getTime() - Date.UTC(2007, 0, 1) - (index + 60) * 60_000) * 4096 + index
  const everybody = Array.from({ length: people }, (_, index) =>
    personAt(index, rank(50_000 + index), origin),
  )
  const written = write(everybody, rank, now)
  const reader = at(everybody, 0)
  const friends = everybody.slice(1, followed + 1)
  const known = new Set([reader.id, ...friends.map((friend) => friend.id)])
  const near = everybody.filter((person) => person.domain === null)
  const writers = near
    .filter(({ id }) => !known.has(id))
    .slice(0, writersCount)
    .map(({ id, username }) => ({ id, token: `token-of-${username}` }))
  const tags = tagNames.map((name, index) => ({
    id: rank(40_000 + index),
    name,
    display_name: name,
    created_at: now.getTime(),
  }))
  const plain = written.filter(({ row }) => row['poll_id'] === null && row['reblog_of_id'] === null)
  const inserts = [
    insert('accounts', everybody.map(accountRow(now))),
    insert('users', near.map(userRow(now))),
    insert('applications', [applicationRow(rank(60_000), now)]),
    insert(
      'access_tokens',
      await Promise.all(
        [{ id: reader.id, token: readerToken }, ...writers].map(async ({ id, token }, index) => ({
          ...tokenRow(rank(60_001 + index), id, rank(60_000), now),
          token_hash: await hashOf(`token ${token}`),
        })),
      ),
    ),
    insert('sessions', [await sessionRow(rank(60_500), reader.id, now)]),
    // Oldest first: a reblog needs what it shares.
    ...chunked('statuses', written.map(({ row }) => row).toReversed()),
    insert('polls', written.flatMap(pollRow(now))),
    insert('tags', tags),
    insert(
      'status_tags',
      written.flatMap(({ row, tags: names }) =>
        names.map((name) => ({ status_id: row.id, tag_id: rank(40_000 + tagNames.indexOf(name)) })),
      ),
    ),
    insert(
      'status_mentions',
      written.flatMap(({ row, mentions }) =>
        mentions.map(({ id }) => ({ status_id: row.id, account_id: id })),
      ),
    ),
    insert(
      'home_entries',
      written
        .filter(({ row }) => known.has(row.account_id))
        .map(({ row }) => ({ account_id: reader.id, status_id: row.id })),
    ),
    insert('follows', follows(everybody, rank, now)),
    insert(
      'favourites',
      written
        .filter((_, index) => index % 6 === 0)
        .map(({ row }, index) => ({ id: rank(70_000 + index), account_id: reader.id, status_id: row.id })),
    ),
    insert(
      'bookmarks',
      written
        .filter((_, index) => index % 15 === 0)
        .map(({ row }, index) => ({ id: rank(80_000 + index), account_id: reader.id, status_id: row.id })),
    ),
    insert(
      'blocks',
      everybody.slice(190, 195).map((person, index) => pair(rank(90_000 + index), reader, person, now)),
    ),
    insert(
      'mutes',
      everybody.slice(195).map((person, index) => pair(rank(91_000 + index), reader, person, now)),
    ),
    insert('notifications', notifications(plain, friends, reader, rank, now)),
  ]
  return {
    inserts,
    reader: reader.id,
    token: readerToken,
    session: readerSession,
    writers: writers.map(({ token }) => token),
    author: at(friends, 1).id,
    tag: at(tagNames, 0),
    acquaintances: everybody.slice(1, 41).map(({ id }) => id),
    status: at(
      plain.filter((_, index) => index % 6 === 1),
      0,
    ).row.id,
    note: notePath(near, plain),
    thread: at(written, threadStart).row.id,
    pages: {
      thread: threadPath(everybody, at(written, threadStart)),
      author: `@${at(friends, 1).username}`,
    },
  }
}

function notePath(near: readonly Person[], plain: readonly Post[]): string {
  const authors = new Map(near.map(({ id, username }) => [id, username]))
  const { row } = at(
    plain.filter((post) => authors.has(post.row.account_id)),
    0,
  )
  return `users/${authors.get(row.account_id)}/statuses/${row.id}`
}

function threadPath(everybody: readonly Person[], { row }: Post): string {
  const author = everybody.find(({ id }) => id === row.account_id)
  return `@${author?.username}/${row.id}`
}

function at<T>(list: readonly T[], index: number): T {
  const found = list[index]
  if (found === undefined) throw new Error(`nothing at ${index}`)
  return found
}

function personAt(index: number, id: number, origin: string): Person {
  const username = `neighbour${index}`
  const domain = index % 2 === 0 ? null : otherHost
  return { id, username, domain, url: `${domain === null ? origin : `https://${domain}`}/@${username}` }
}

function accountRow(now: Date): (person: Person) => Row {
  const fields = [
    { name: 'Where', value: 'By the river', html: 'By the river', verifiedAt: null },
    {
      name: 'Page',
      value: 'https://example.org',
      html: '<a href="https://example.org">example.org</a>',
      verifiedAt: null,
    },
  ]
  return ({ id, username, domain, url }) => ({
    id,
    username,
    domain,
    display_name: `Neighbour ${username.slice(9)}`,
    uri: domain === null ? null : `https://${domain}/users/${username}`,
    url: domain === null ? null : url,
    note: 'Watches birds, bakes bread and writes about both.',
    note_html: '<p>Watches birds, bakes bread and writes about both.</p>',
    fields: JSON.stringify(fields),
    avatar: JSON.stringify(
      domain === null ? { key: `avatars/${id}.png` } : { remote: `https://${domain}/avatar.png` },
    ),
    discoverable: 1,
    indexable: 1,
    statuses_count: 10,
    followers_count: 51,
    following_count: 51,
    last_status_at: now.getTime(),
    created_at: now.getTime() - 90 * 86_400_000,
    updated_at: now.getTime(),
  })
}

function userRow(now: Date): (person: Person) => Row {
  return ({ id, username }) => ({
    account_id: id,
    email: `${username}@mail.example`,
    password_hash: 'none',
    confirmed_at: now.getTime(),
    last_active_at: now.getTime(),
    created_at: now.getTime(),
  })
}

function applicationRow(id: number, now: Date): Row {
  const scopes = 'read write follow push profile'
  return {
    id,
    client_id: 'bench',
    client_secret_hash: 'none',
    name: 'Bench',
    scopes,
    created_at: now.getTime(),
    website: 'https://example.org',
    redirect_uris: '["urn:ietf:wg:oauth:2.0:oob"]',
  }
}

function tokenRow(id: number, accountId: number, applicationId: number, now: Date): Row {
  return {
    id,
    application_id: applicationId,
    account_id: accountId,
    scopes: 'read write follow push profile',
    created_at: now.getTime(),
    last_used_at: now.getTime(),
  }
}

async function sessionRow(id: number, accountId: number, now: Date): Promise<Row> {
  return {
    id,
    token_hash: await hashOf(`session ${readerSession}`),
    account_id: accountId,
    created_at: now.getTime(),
    last_seen_at: now.getTime(),
    expires_at: now.getTime() + 86_400_000,
  }
}

const threadStart = 1_200
const threadLength = 60

/** Newest first: `rank` counts down from now. */
function write(everybody: readonly Person[], rank: (index: number) => number, now: Date): readonly Post[] {
  return Array.from({ length: posts }, (_, index) => {
    const author = at(everybody, (index * 7) % people)
    const inThread = index < threadStart && index >= threadStart - threadLength + 1
    const isReblog =
      !inThread && index !== threadStart && index % 6 === 5 && index + 31 < posts && (index + 31) % 6 !== 5
    const mentions = index % 5 === 0 ? [at(everybody, (index * 13 + 2) % people)] : []
    const tags =
      index % 2 === 0
        ? [at(tagNames, index % tagNames.length), at(tagNames, (index + 3) % tagNames.length)]
        : []
    const shared = isReblog ? rank(index + 31) : null
    const parent = inThread ? index + 1 : null
    const row = {
      id: rank(index),
      account_id: author.id,
      local: author.domain === null ? 1 : 0,
      visibility: 'public',
      ...(author.domain === null ? { uri: null, url: null } : addressesOf(author, rank(index))),
      content: isReblog ? '' : contentOf(index, tags, mentions),
      language: 'en',
      application_id: author.domain === null ? rank(60_000) : null,
      reblog_of_id: shared,
      poll_id: !isReblog && index % 25 === 3 ? rank(30_000 + index) : null,
      conversation_id: inThread ? rank(threadStart) : rank(index),
      in_reply_to_id: parent === null ? null : rank(parent),
      in_reply_to_account_id: parent === null ? null : at(everybody, (parent * 7) % people).id,
      attachments: JSON.stringify(!isReblog && index % 4 === 1 ? [attachment(index, rank)] : []),
      mentions: JSON.stringify(isReblog ? [] : mentions),
      tags: JSON.stringify(isReblog ? [] : tags.map((name) => ({ name, display: name }))),
      replies_count: index % 3,
      reblogs_count: index % 4,
      favourites_count: index % 7,
      created_at: now.getTime() - index * 60_000,
    }
    return { row, tags: isReblog ? [] : tags, mentions: isReblog ? [] : mentions }
  })
}

function addressesOf({ username, domain, url }: Person, id: number) {
  return { uri: `https://${domain}/users/${username}/statuses/${id}`, url: `${url}/${id}` }
}

function contentOf(index: number, tags: readonly string[], mentions: readonly Person[]): string {
  const named = mentions.map(
    ({ username, url }) =>
      `<span class="h-card"><a href="${url}" class="u-url mention">@<span>${username}</span></a></span> `,
  )
  const marked = tags.map(
    (name) => ` <a href="/tags/${name}" class="mention hashtag" rel="tag">#<span>${name}</span></a>`,
  )
  const text = `Note ${index}: two fieldfares in the apple tree this morning, and the dough has been rising since six. Rain later, they say; the ringing group meets anyway.`
  return `<p>${named.join('')}${text}${marked.join('')}</p>`
}

function attachment(index: number, rank: (index: number) => number) {
  const original = { width: 1200, height: 800, size: '1200x800', aspect: 1.5 }
  return {
    id: rank(20_000 + index),
    type: 'image',
    file: { key: `media/${index}/original.png` },
    preview: { key: `media/${index}/small.webp` },
    description: 'Two thrushes in a bare tree',
    blurhash: 'UBL_:rOpGG-oBUNG,qRj2so|=eE1w^n4S5NH',
    meta: {
      original,
      small: { width: 588, height: 392, size: '588x392', aspect: 1.5 },
      focus: { x: 0, y: 0.2 },
    },
  }
}

function pollRow(now: Date): (post: Post) => readonly Row[] {
  return ({ row }) => {
    const id = row['poll_id']
    if (id === null || id === undefined) return []
    const times = { expires_at: now.getTime() + 86_400_000 }
    const figures = {
      options: '["Rye","Wheat","Spelt"]',
      tallies: '[3,1,4]',
      votes_count: 8,
      voters_count: 8,
    }
    return [{ id, account_id: row.account_id, status_id: row.id, ...figures, ...times }]
  }
}

/** The reader follows 50 and half of them follow back; everybody else follows somebody. */
function follows(everybody: readonly Person[], rank: (index: number) => number, now: Date): readonly Row[] {
  const reader = at(everybody, 0)
  return everybody
    .slice(1)
    .flatMap((person, index) => [
      ...(index < followed ? [pair(rank(100_000 + index), reader, person, now)] : []),
      ...(index < followed / 2 ? [pair(rank(101_000 + index), person, reader, now)] : []),
      pair(rank(102_000 + index), person, at(everybody, 1 + ((index + 1) % (people - 1))), now),
    ])
}

function pair(id: number, from: Person, to: Person, now: Date): Row {
  return { id, account_id: from.id, target_account_id: to.id, created_at: now.getTime() }
}

/** 60 of four kinds, from people the reader follows. */
function notifications(
  plain: readonly Post[],
  friends: readonly Person[],
  reader: Person,
  rank: (index: number) => number,
  now: Date,
): readonly Row[] {
  const kinds = ['favourite', 'mention', 'reblog', 'follow']
  return Array.from({ length: 60 }, (_, index) => {
    const type = at(kinds, index % kinds.length)
    return {
      id: rank(110_000 + index),
      account_id: reader.id,
      type,
      created_at: now.getTime() - index * 1_000,
      from_account_id: at(friends, index % friends.length).id,
      status_id: type === 'follow' ? null : at(plain, index).row.id,
    }
  })
}

/** As the server keeps tokens and sessions: see domain/sessions. */
async function hashOf(named: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(named))
  const letters = btoa(String.fromCharCode(...new Uint8Array(digest)))
  return letters.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
}

function chunked(table: string, rows: readonly Row[]): readonly Insert[] {
  const size = 500
  return Array.from({ length: Math.ceil(rows.length / size) }, (_, index) =>
    insert(table, rows.slice(index * size, (index + 1) * size)),
  )
}

/** A single statement for any number of rows, bound as one JSON parameter. All rows have the keys of the first. */
function insert(table: string, rows: readonly Row[]): Insert {
  const columns = Object.keys(at(rows, 0))
  const values = columns.map((column) => `value ->> '$.${column}'`)
  return {
    text: `insert into ${table} (${columns.join(', ')}) select ${values.join(', ')} from json_each(?)`,
    json: JSON.stringify(rows),
  }
}
