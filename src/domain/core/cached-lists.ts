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
 * some hundred entries a row: rebuilt by a job when a command changes them, every hour if servers became known, and
 * every day.
 */
const lists: Readonly<Record<CachedList, SQL>> = {
  peers: sql`select json_quote(domain) as entry from instances order by domain`,
  limits: sql`select json_array(domain, severity, reject_media, reject_reports, obfuscate, public_comment,
      private_comment, id, created_at, blocklist_id)
      as entry from domain_limits order by domain`,
  emojis: sql`select json_object('shortcode', shortcode, 'image', json(image), 'still', json(still), 'category', category)
      as entry from custom_emojis
    where domain is null and disabled = 0 and visible_in_picker = 1 order by shortcode`,
  networks: sql`select json_array(ip, expires_at) as entry from ip_blocks where severity = 'no_access' order by ip`,
}

/**
 * Lengths above which a list is cached; shorter ones are read directly. Lists that need sorting read each entry
 * twice. Previews of limits read peers and limits together.
 */
const maxUncached = { peers: 200, limits: 900, emojis: 900, networks: 900 } as const satisfies Readonly<
  Record<CachedList, number>
>
/** A value holds two megabytes; limits have comments. Inlined: a bound number is a float, and divides as one. */
const entriesPerRow = { peers: 500, limits: 100, emojis: 500, networks: 500 } as const satisfies Readonly<
  Record<CachedList, number>
>

/** Names of the rows of `settings`. A list whose entries get another form gets another one: servers may be upgraded. */
const keys: Readonly<Record<CachedList, string>> = {
  peers: 'kept.peers',
  limits: 'kept.limits-2',
  emojis: 'kept.emojis',
  networks: 'kept.networks',
}
const isUnder = (key: string) => sql`key >= ${`${key}.`} and key < ${`${key}/`}`
const isPart = (name: CachedList) => isUnder(keys[name])

/** Entries of a list in its order. Two statements, one of which reads nothing. */
export function readCachedList<T>(ctx: Ctx, name: CachedList, entry: z.ZodType<T>): Query<readonly T[]> {
  return map(readList(ctx, name, entry), ({ entries }) => entries)
}

/** Entries of a list, whose cache is rebuilt first where it is missing, so that none is left out. */
export async function readWholeList<T>(
  ctx: Ctx,
  name: CachedList,
  entry: z.ZodType<T>,
): Promise<readonly T[]> {
  const { entries, isWhole } = await execute(ctx.db, readList(ctx, name, entry))
  if (isWhole) return entries
  await rebuildCachedList(ctx, name)
  return execute(ctx.db, readCachedList(ctx, name, entry))
}

interface FoundList<T> {
  readonly entries: readonly T[]
  /** False where the list is long and not cached yet: then its end is missing. */
  readonly isWhole: boolean
}

function readList<T>(ctx: Ctx, name: CachedList, entry: z.ZodType<T>): Query<FoundList<T>> {
  const parts = ctx.db
    .select({ value: sql<string>`${settings.value}`.as('value') })
    .from(settings)
    .where(isPart(name))
    .orderBy(settings.key)
  // `limit 0` reads nothing.
  const direct = sql`(select entry from (${lists[name]})
    limit (select iif(exists (select 1 from settings where ${isPart(name)}), 0, ${maxUncached[name] + 1}))) as listed`
  const found = combineQueries({
    parts: rows(parts),
    direct: rows(ctx.db.select({ entry: sql<string>`listed.entry`.as('entry') }).from(direct)),
  })
  const Part = z.array(entry)
  return map(found, ({ parts: cached, direct: entries }) => ({
    entries: [
      ...cached.flatMap(({ value }) => Part.parse(JSON.parse(value))),
      ...entries.map((row) => entry.parse(JSON.parse(row.entry))),
    ],
    isWhole: entries.length <= maxUncached[name],
  }))
}

/**
 * Has the cache of a list rebuilt after a command changed it, where it has one or needs one: by a job, as it reads the
 * whole list. A list that is read directly needs nothing.
 */
export async function outdateCachedList(ctx: Ctx, name: CachedList): Promise<void> {
  const { isCached, isLong } = await readLength(ctx, name)
  if (isCached || isLong) await ctx.jobs.send({ kind: 'rebuild-cached-list', list: name })
}

async function readLength(ctx: Ctx, name: CachedList) {
  const isCached = sql<number>`exists (select 1 from settings where ${isPart(name)})`
  const isLong = sql<number>`exists (select 1 from (${lists[name]}) ${limitTo(1)} offset ${maxUncached[name]})`
  const found = ctx.db
    .select({ isCached: isCached.as('is_cached'), isLong: isLong.as('is_long') })
    .from(oneRow)
  const length = await execute(ctx.db, first(found))
  return { isCached: length?.isCached === 1, isLong: length?.isLong === 1 }
}

/** Rebuilds the cache of a list where it is too long to be read directly; otherwise deletes the cache. */
export async function rebuildCachedList(ctx: Ctx, name: CachedList): Promise<void> {
  const { isLong } = await readLength(ctx, name)
  const changes = new Changes().add(ctx.db.delete(settings).where(isPart(name)))
  // The form before there were all limits in it.
  if (name === 'limits') changes.add(ctx.db.delete(settings).where(isUnder('kept.limits')))
  if (isLong)
    changes.add(
      ctx.db.run(sql`insert into ${settings} (key, value, updated_at)
        select ${`${keys[name]}.`} || printf('%05d', part), json_group_array(json(entry)), ${ctx.clock.now().getTime()}
        from (select entry, (row_number() over () - 1) / ${sql.raw(String(entriesPerRow[name]))} as part from (${lists[name]}))
        group by part`),
    )
  await commit(ctx, changes)
}

/** Row of `settings` with the time of the last rebuild of all lists, and the number of known servers then. */
const rebuiltKey = 'task.rebuild-cached-lists-2'
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
