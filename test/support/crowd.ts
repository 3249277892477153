import { env } from 'cloudflare:workers'
import { dayMilliseconds } from '../../src/lib/days'
import { idAt } from '../../src/lib/ids'
import { article } from './given-trends'
import { clock, context } from './test-app'

/** A post of a crowd: somebody uses a hashtag or links to a page at a time. */
export interface CrowdPost {
  readonly at: number
  /** Number of the author in the crowd. */
  readonly by: number
  readonly tag?: string
  /** Address of the page. */
  readonly link?: string
  readonly favourites?: number
}

/** Many remote authors who want to be found, and their posts in few statements. */
export async function givenCrowd(prefix: string, size: number) {
  const { ids } = context()
  const first = ids.next()
  const idOf = (index: number) => first + 4_096 * (index + 1)
  const members = Array.from({ length: size }, (_, index) => [idOf(index), `${prefix}${index}`])
  await run(
    `insert into accounts (id, username, domain, uri, discoverable, created_at, updated_at)
     select value ->> 0, value ->> 1, '${prefix}.test', 'https://${prefix}.test/' || (value ->> 1), 1, 0, 0
     from json_each(?)`,
    members,
  )
  const cards = new Map<string, number>()
  let made = 0

  /** Stores posts; returns their ids in the same order. */
  async function post(posts: readonly CrowdPost[]): Promise<number[]> {
    await know(posts.flatMap(({ link }) => link ?? []))
    const rows = posts.map(({ at, by, tag, link, favourites = 0 }) => {
      made += 1
      return {
        id: idAt(new Date(at), made),
        at,
        by: idOf(by % size),
        tag: tag ?? null,
        card: link === undefined ? null : (cards.get(link) ?? null),
        favourites,
      }
    })
    await run(
      `insert into tags (id, name, display_name, created_at)
       select (select coalesce(max(id), 0) from tags) + row_number() over (), tag, tag, 0
       from (select distinct value ->> 'tag' as tag from json_each(?) where value ->> 'tag' is not null)
       where true on conflict (name) do nothing`,
      rows,
    )
    await run(
      `insert into statuses (id, account_id, local, visibility, conversation_id, language, created_at, tags, favourites_count)
       select value ->> 'id', value ->> 'by', 0, 'public', value ->> 'id', 'en', value ->> 'at',
         iif(value ->> 'tag' is null, '[]', json_array(json_object('name', value ->> 'tag'))), value ->> 'favourites'
       from json_each(?)`,
      rows,
    )
    await run(
      `insert into status_tags (tag_id, status_id) select tags.id, value ->> 'id' from json_each(?)
       cross join tags on tags.name = value ->> 'tag'`,
      rows,
    )
    await run(
      `insert into status_links (status_id, card_id, account_id)
       select value ->> 'id', value ->> 'card', value ->> 'by' from json_each(?) where value ->> 'card' is not null`,
      rows,
    )
    // A favourite of each stands for all: by it the scoring finds the status.
    await run(
      `insert into favourites (id, account_id, status_id, uri)
       select value ->> 'id', ${idOf(0)}, value ->> 'id', 'x' from json_each(?) where value ->> 'favourites' > 0`,
      rows,
    )
    return rows.map(({ id }) => id)
  }

  async function know(urls: readonly string[]): Promise<void> {
    const fresh = [...new Set(urls)].filter((url) => !cards.has(url))
    const rows = fresh.map((url) => {
      const id = ids.next()
      cards.set(url, id)
      return { id, url, host: new URL(url).host, card: { ...article, url } }
    })
    await run(
      `insert into preview_cards (id, url, host, card, created_at, updated_at)
       select value ->> 'id', value ->> 'url', value ->> 'host', value -> 'card', 0, 0 from json_each(?)`,
      rows,
    )
  }

  async function run(statement: string, rows: readonly unknown[]): Promise<void> {
    for (let at = 0; at < rows.length; at += 2_000)
      await env.DB.prepare(statement)
        .bind(JSON.stringify(rows.slice(at, at + 2_000)))
        .run()
  }

  return { post }
}

/** Midnight of the day of the clock. */
export function midnight(): number {
  return Math.floor(clock.now().getTime() / dayMilliseconds) * dayMilliseconds
}

/** Forgets every trend, so that a test knows all there are. */
export async function deleteTrends(): Promise<void> {
  for (const table of ['trending_tags', 'trending_statuses', 'trending_links'])
    await context().db.run(`delete from ${table}`)
}
