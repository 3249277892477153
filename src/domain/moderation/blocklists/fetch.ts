import { eq, sql } from 'drizzle-orm'
import { combineQueries, execute, inList, limitTo, rows } from '../../../db/query'
import { blocklistEntries, blocklists } from '../../../db/schema'
import { Invalid, Unreachable } from '../../../errors'
import { dayMilliseconds } from '../../../lib/days'
import { readBody } from '../../../lib/outgoing'
import { textOfFile } from '../../../lib/text/bytes'
import type { Ctx } from '../../../ports/ctx'
import { Changes, commit, done, ignored, type Outcome } from '../../core/changes'
import { compareVersions, replaceEntries, storeEntries } from './compare'
import { type Blocklist, blocklistById, entriesOf, exceptedDomains, limitsAround } from './find'
import { type ListedLimit, parseBlocklist } from './parse'

/** Size of a list of 10,000 lines with comments. */
const maxBytes = 2 * 1_048_576
const timeoutMilliseconds = 10_000
/** Time until a list that could not be read is tried again. */
const retryMilliseconds = 3_600_000
/** Lists that one run of the clock queues. */
const listsPerRun = 10
const maxErrorLength = 1_000

/** Condition: a subscription is due. */
export const hasDueLists = ({ clock }: Ctx) =>
  sql`exists (select 1 from blocklists where next_check_at <= ${clock.now().getTime()})`

/** Cron: has each subscription fetched once a day. */
export async function checkDueLists(ctx: Ctx): Promise<void> {
  const now = ctx.clock.now()
  const due = ctx.db
    .select({ id: blocklists.id })
    .from(blocklists)
    .where(sql`next_check_at <= ${now.getTime()}`)
    .orderBy(sql`${blocklists.nextCheckAt} ${limitTo(listsPerRun)}`)
  const ids = (await execute(ctx.db, rows(due))).map(({ id }) => id)
  if (ids.length === 0) return
  const changes = new Changes().add(
    ctx.db
      .update(blocklists)
      .set({ nextCheckAt: new Date(now.getTime() + dayMilliseconds) })
      .where(inList(blocklists.id, ids)),
  )
  for (const blocklistId of ids) changes.enqueue({ kind: 'fetch-blocklist', blocklistId })
  await commit(ctx, changes)
}

/**
 * Fetches a published list and stores what it changes as pending. A list that is unreachable, too long or malformed
 * changes nothing: the reason is stored with the subscription.
 */
export async function fetchList(ctx: Ctx, blocklistId: number): Promise<Outcome> {
  const list = await execute(ctx.db, blocklistById(ctx, blocklistId))
  if (list === null || list.url === null || list.endedAt !== null)
    return ignored('the subscription has ended')
  try {
    const version = await readVersion(ctx, { url: list.url, etag: list.etag })
    await store(ctx, list, version)
    return done
  } catch (failure) {
    if (!(failure instanceof Unreachable || failure instanceof Invalid)) throw failure
    await recordCheck(ctx, list, {
      error: failure.message.slice(0, maxErrorLength),
      etag: list.etag,
      afterMilliseconds: retryMilliseconds,
    })
    return ignored('the list cannot be read')
  }
}

interface Version {
  /** Null: unchanged since the version of the `etag`. */
  readonly listed: readonly ListedLimit[] | null
  readonly etag: string | null
}

async function readVersion(
  ctx: Ctx,
  { url, etag }: { readonly url: string; readonly etag: string | null },
): Promise<Version> {
  const answer = await ctx.http.send({
    method: 'GET',
    url,
    redirects: 'follow',
    maxBytes,
    timeoutMilliseconds,
    headers: {
      accept: 'text/csv, text/plain;q=0.9, */*;q=0.1',
      ...(etag === null ? {} : { 'if-none-match': etag }),
    },
  })
  if (answer.status !== 200) await answer.body?.cancel()
  if (answer.status === 304 && etag !== null) return { listed: null, etag }
  if (answer.status !== 200) throw new Invalid('list_answer', { status: answer.status })
  const text = textOfFile(await readBody(answer, timeoutMilliseconds))
  const listed = parseBlocklist(ctx.config, text)
  if (listed.length === 0) throw new Invalid('list_empty')
  return { listed, etag: answer.headers.get('etag')?.slice(0, 200) ?? null }
}

async function store(ctx: Ctx, list: Blocklist, { listed, etag }: Version): Promise<void> {
  if (listed === null)
    return recordCheck(ctx, list, { error: null, etag, afterMilliseconds: dayMilliseconds })
  const { entries, excepted } = await execute(
    ctx.db,
    combineQueries({ entries: entriesOf(ctx, list.id), excepted: exceptedDomains(ctx) }),
  )
  // Approved changes are being applied: this version is compared with the next check.
  if (entries.some(({ state }) => state === 'approved'))
    return recordCheck(ctx, list, { error: null, etag: null, afterMilliseconds: retryMilliseconds })
  const domains = [...listed, ...entries].map(({ domain }) => domain)
  const limits = await execute(ctx.db, limitsAround(ctx, domains))
  const found = compareVersions({ blocklistId: list.id, listed, entries, limits, excepted })
  const changes = new Changes()
  storeEntries(ctx, changes, list.id, found.added)
  replaceEntries(ctx, changes, found.replaced)
  changes.add(ctx.db.delete(blocklistEntries).where(inList(blocklistEntries.id, found.dropped)))
  await recordCheck(ctx, list, { error: null, etag, afterMilliseconds: dayMilliseconds }, changes)
}

async function recordCheck(
  ctx: Ctx,
  { id }: Blocklist,
  {
    error,
    etag,
    afterMilliseconds,
  }: { readonly error: string | null; readonly etag: string | null; readonly afterMilliseconds: number },
  changes = new Changes(),
): Promise<void> {
  const now = ctx.clock.now()
  const nextCheckAt = new Date(now.getTime() + afterMilliseconds)
  await commit(
    ctx,
    changes.add(
      ctx.db
        .update(blocklists)
        .set({ error, etag, checkedAt: now, nextCheckAt })
        .where(eq(blocklists.id, id)),
    ),
  )
}
