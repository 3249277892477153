import { type SQL, sql } from 'drizzle-orm'
import * as z from 'zod'
import { combineQueries, execute, first, limitTo, map, oneRow, type Query, rows } from '../../db/query'
import { settings } from '../../db/schema'
import { Conflict } from '../../errors'
import { restOfMinutes } from '../../lib/days'
import type { Ctx } from '../../ports/ctx'
import { Changes, commit } from './changes'

export const cachedLists = ['peers', 'limits', 'emojis', 'networks'] as const
export type CachedList = (typeof cachedLists)[number]

interface List {
  /** An entry, as JSON. */
  readonly entry: SQL
  /** Table with the condition of the list, and the unique column that orders it. */
  readonly from: SQL
  readonly by: SQL
  /** Path of that column in an entry. */
  readonly path: string
}

/**
 * Lists that are returned whole and may be longer than one request may read. Long ones are cached in `settings`,
 * some hundred entries a row: rebuilt by a job when a command changes them, every hour if servers became known, and
 * every day.
 */
const lists: Readonly<Record<CachedList, List>> = {
  peers: { entry: sql`json_quote(domain)`, from: sql`instances where true`, by: sql`domain`, path: '' },
  limits: {
    entry: sql`json_array(domain, severity, reject_media, reject_reports, obfuscate, public_comment,
      private_comment, id, created_at, blocklist_id)`,
    from: sql`domain_limits where true`,
    by: sql`domain`,
    path: '[0]',
  },
  emojis: {
    entry: sql`json_object('shortcode', shortcode, 'image', json(image), 'still', json(still), 'category', category)`,
    from: sql`custom_emojis where domain is null and disabled = 0 and visible_in_picker = 1`,
    by: sql`shortcode`,
    path: '.shortcode',
  },
  networks: {
    entry: sql`json_array(ip, expires_at)`,
    from: sql`ip_blocks where severity = 'no_access'`,
    by: sql`ip`,
    path: '[0]',
  },
}

/** Selects the entries of a list in its order, those behind `after`. */
function entriesOf(name: CachedList, after?: SQL): SQL {
  const { entry, from, by } = lists[name]
  return sql`select ${entry} as entry from ${from} ${after === undefined ? sql`` : sql`and ${by} > ${after}`} order by ${by}`
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

/** Entries that are read at once where there is no cache. */
const entriesAtOnce = 2_000
/** Parts of a cache that one batch adds, a statement each. */
const partsAtOnce = 10
const statementsOfReplacement = 6

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

/** Entries of a list, all of them also while its cache is missing: then it is read entry by entry. */
export async function readWholeList<T>(
  ctx: Ctx,
  name: CachedList,
  entry: z.ZodType<T>,
): Promise<readonly T[]> {
  const { entries, isWhole } = await execute(ctx.db, readList(ctx, name, entry))
  if (isWhole) return entries
  const whole: T[] = []
  for (let after = ''; ; ) {
    const page = sql`(${entriesOf(name, sql`${after}`)} ${limitTo(entriesAtOnce)}) as listed`
    const columns = {
      entry: sql<string>`listed.entry`.as('entry'),
      place: sql<string>`json_extract(listed.entry, ${`$${lists[name].path}`})`.as('place'),
    }
    const found = await execute(ctx.db, rows(ctx.db.select(columns).from(page)))
    whole.push(...found.map((row) => entry.parse(JSON.parse(row.entry))))
    const last = found.at(-1)
    if (last === undefined || found.length < entriesAtOnce) return whole
    after = last.place
  }
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
  const direct = sql`(select entry from (${entriesOf(name)})
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
  const isLong = sql<number>`exists (select 1 from (${entriesOf(name)}) ${limitTo(1)} offset ${maxUncached[name]})`
  const found = ctx.db
    .select({ isCached: isCached.as('is_cached'), isLong: isLong.as('is_long') })
    .from(oneRow)
  const length = await execute(ctx.db, first(found))
  return { isCached: length?.isCached === 1, isLong: length?.isLong === 1 }
}

/** Cache in the making: its number, which grows from rebuild to rebuild, and how many parts it has. */
export interface ListBuild {
  readonly id: number
  readonly parts: number
}

/** A later rebuild has replaced the cache. */
class Outrun extends Conflict {
  override readonly name = 'Outrun'
}

/**
 * Rebuilds the cache of a list where it is too long to be read directly; otherwise deletes the cache. Parts are made one
 * after the other, by jobs where there are many, and replace the old ones at once. May run twice.
 */
export async function rebuildCachedList(ctx: Ctx, name: CachedList, begun?: ListBuild): Promise<void> {
  if (begun === undefined && !(await readLength(ctx, name)).isLong) {
    await commit(ctx, new Changes().add(...deleteCache(ctx, name)))
    return
  }
  let build = begun ?? { id: ctx.ids.next(), parts: 0 }
  do {
    const statements = Array.from({ length: partsAtOnce }, (_, at) =>
      addPart(ctx, name, build, build.parts + at),
    )
    const added = await commit(ctx, new Changes().add(...statements))
    const parts = added.filter((changed) => changed > 0).length
    build = { ...build, parts: build.parts + parts }
    if (parts < partsAtOnce) return replaceCache(ctx, name, build)
  } while (ctx.usage.statementsLeft() >= partsAtOnce + statementsOfReplacement)
  await ctx.jobs.send({ kind: 'rebuild-cached-list', list: name, build })
}

const isOfBuild = (name: CachedList, { id }: ListBuild) => isUnder(`building.${name}.${id}`)
const partKey = (name: CachedList, { id }: ListBuild, part: number) =>
  `building.${name}.${id}.${String(part).padStart(5, '0')}`

/** Statement that adds the entries after the previous part, if any. */
function addPart(ctx: Ctx, name: CachedList, build: ListBuild, part: number) {
  const before = sql`(select json_extract(value, ${`$[#-1]${lists[name].path}`}) from settings
    where key = ${partKey(name, build, part - 1)})`
  const entries = entriesOf(name, part === 0 ? undefined : before)
  return ctx.db.run(sql`insert into settings (key, value, updated_at)
    select ${partKey(name, build, part)}, json_group_array(json(entry)), ${ctx.clock.now().getTime()}
    from (${entries} ${limitTo(entriesPerRow[name])}) where true having count(*) > 0
    on conflict (key) do update set value = excluded.value, updated_at = excluded.updated_at`)
}

function deleteCache(ctx: Ctx, name: CachedList) {
  const cached = ctx.db.delete(settings).where(isPart(name))
  // The form before there were all limits in it.
  return name === 'limits' ? [cached, ctx.db.delete(settings).where(isUnder('kept.limits'))] : [cached]
}

/** Puts a build in the place of the cache, unless a later one is there already; a list that became short has none. */
async function replaceCache(ctx: Ctx, name: CachedList, build: ListBuild): Promise<void> {
  const isOwn = isOfBuild(name, build)
  const changes = new Changes()
    .require(
      sql`(select count(*) from settings where ${isOwn}) = ${build.parts}`,
      new Outrun('replaced_already'),
    )
    .add(
      ...deleteCache(ctx, name),
      ctx.db.run(sql`update settings set key = ${keys[name]} || substr(key, -6) where ${isOwn}
        and (select sum(json_array_length(value)) from settings where ${isOwn}) > ${maxUncached[name]}`),
      ctx.db.run(
        sql`delete from settings where key >= ${`building.${name}.`} and key < ${`building.${name}.${build.id}/`}`,
      ),
    )
  try {
    await commit(ctx, changes)
  } catch (failure) {
    if (!(failure instanceof Outrun)) throw failure
  }
}

/** Row of `settings` with the time of the last rebuild of all lists, and the number of known servers then. */
const rebuiltKey = 'task.rebuild-cached-lists-2'
const rebuiltMilliseconds = restOfMinutes(24 * 60)
const knownServers = sql`(select value from counters where name = 'domains')`

/** Condition: servers became known since the last rebuild, or it is a day ago. Other lists are rebuilt by commands. */
export const isRebuildDue = ({ clock }: Ctx) => sql`not exists (select 1 from settings
  where key = ${rebuiltKey} and updated_at > ${clock.now().getTime() - rebuiltMilliseconds} and value = ${knownServers})`

/** Cron: has the caches of all lists rebuilt. */
export async function rebuildCachedLists(ctx: Ctx): Promise<void> {
  const mark = ctx.db.run(sql`insert into settings (key, value, updated_at)
    values (${rebuiltKey}, ${knownServers}, ${ctx.clock.now().getTime()})
    on conflict (key) do update set value = excluded.value, updated_at = excluded.updated_at`)
  for (const name of cachedLists) await outdateCachedList(ctx, name)
  await commit(ctx, new Changes().add(mark))
}
