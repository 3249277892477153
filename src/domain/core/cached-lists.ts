import { type SQL, sql } from 'drizzle-orm'
import * as z from 'zod'
import { combineQueries, execute, first, map, type Query, rows } from '../../db/query'
import { settings } from '../../db/schema'
import { limitTo, oneRow } from '../../db/sql'
import { dayMilliseconds } from '../../lib/days'
import type { Ctx } from '../../platform/ports'
import { Changes, commit } from './changes'

const names = ['peers', 'limits', 'emojis', 'networks'] as const
export type CachedList = (typeof names)[number]

/**
 * Lists that are returned whole and may be longer than one request may read. Long ones are cached in `settings`,
 * some hundred entries a row: rebuilt when a command changes them, every hour if servers became known, and every day.
 */
const lists: Readonly<Record<CachedList, SQL>> = {
  peers: sql`select json_quote(domain) as entry from instances order by domain`,
  limits: sql`select json_array(domain, severity, obfuscate, public_comment) as entry from domain_limits
    where severity in ('suspend', 'silence') order by severity = 'silence', domain`,
  emojis: sql`select json_object('shortcode', shortcode, 'image', json(image), 'still', json(still), 'category', category)
      as entry from custom_emojis
    where domain is null and disabled = 0 and visible_in_picker = 1 order by shortcode`,
  networks: sql`select json_array(ip, expires_at) as entry from ip_blocks where severity = 'no_access' order by ip`,
}

/**
 * Lengths above which a list is cached; shorter ones are read directly. Lists that need sorting read each entry
 * twice.
 */
const maxUncached = { peers: 450, limits: 900, emojis: 900, networks: 900 } as const satisfies Readonly<
  Record<CachedList, number>
>
/** A value holds two megabytes. Inlined: a bound number is a float, and divides as one. */
const entriesPerRow = 500

const prefixOf = (name: CachedList) => `kept.${name}.`
const isPart = (name: CachedList) => sql`key >= ${prefixOf(name)} and key < ${`kept.${name}/`}`

/** Entries of a list in its order. Two statements, one of which reads nothing. */
export function readCachedList<T>(ctx: Ctx, name: CachedList, entry: z.ZodType<T>): Query<readonly T[]> {
  const parts = ctx.db
    .select({ value: sql<string>`${settings.value}`.as('value') })
    .from(settings)
    .where(isPart(name))
    .orderBy(settings.key)
  // `limit 0` reads nothing.
  const direct = sql`(select entry from (${lists[name]})
    limit (select iif(exists (select 1 from settings where ${isPart(name)}), 0, ${maxUncached[name]}))) as listed`
  const found = combineQueries({
    parts: rows(parts),
    direct: rows(ctx.db.select({ entry: sql<string>`listed.entry`.as('entry') }).from(direct)),
  })
  const Part = z.array(entry)
  return map(found, ({ parts: cached, direct: entries }) => [
    ...cached.flatMap(({ value }) => Part.parse(JSON.parse(value))),
    ...entries.map((row) => entry.parse(JSON.parse(row.entry))),
  ])
}

/** Rebuilds the cache of a list where it is too long to be read directly; otherwise deletes the cache. */
export async function rebuildCachedList(ctx: Ctx, name: CachedList): Promise<void> {
  const beyond = ctx.db
    .select({
      isLong:
        sql<number>`exists (select 1 from (${lists[name]}) ${limitTo(1)} offset ${maxUncached[name]})`.as(
          'is_long',
        ),
    })
    .from(oneRow)
  const found = await execute(ctx.db, first(beyond))
  const changes = new Changes().add(ctx.db.delete(settings).where(isPart(name)))
  if (found?.isLong === 1)
    changes.add(
      ctx.db.run(sql`insert into ${settings} (key, value, updated_at)
        select ${prefixOf(name)} || printf('%05d', part), json_group_array(json(entry)), ${ctx.clock.now().getTime()}
        from (select entry, (row_number() over () - 1) / ${sql.raw(String(entriesPerRow))} as part from (${lists[name]}))
        group by part`),
    )
  await commit(ctx, changes)
}

/** Row of `settings` with the time of the last rebuild of all lists, and the number of known servers then. */
const rebuiltKey = 'task.rebuild-cached-lists'
const knownServers = sql`(select value from counters where name = 'domains')`

/** Condition: servers became known since the last rebuild, or it is a day ago. Other lists are rebuilt by commands. */
export const isRebuildDue = ({ clock }: Ctx) => sql`not exists (select 1 from settings
  where key = ${rebuiltKey} and updated_at > ${clock.now().getTime() - dayMilliseconds} and value = ${knownServers})`

/** Cron: rebuilds the caches of all lists. */
export async function rebuildCachedLists(ctx: Ctx): Promise<void> {
  const mark = ctx.db.run(sql`insert into settings (key, value, updated_at)
    values (${rebuiltKey}, ${knownServers}, ${ctx.clock.now().getTime()})
    on conflict (key) do update set value = excluded.value, updated_at = excluded.updated_at`)
  for (const name of names) await rebuildCachedList(ctx, name)
  await commit(ctx, new Changes().add(mark))
}
