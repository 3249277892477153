import { sql } from 'drizzle-orm'
import { both, execute, rows } from '../../../db/query'
import { blocklistEntries, domainLimits } from '../../../db/schema'
import { inList, limitTo } from '../../../db/sql'
import { Conflict, NotFound } from '../../../errors'
import type { Ctx } from '../../../platform/ports'
import { recordAudit } from '../../core/audit'
import { Changes, commit } from '../../core/changes'
import type { Moderator } from '../../core/moderator'
import { type LimitEffects, previewEffects } from '../preview-effects'
import { readInParts, type Subscription, subscriptionById } from './find'
import { maxLines } from './parse'

/** Pending changes that a moderator decides: by their ids, or all there are. */
export type Decided = readonly number[] | 'all'

/** Domains that an entry of the audit log names. */
const namedDomains = 100

/** Numbers of pending changes of a subscription, and whom its suspensions affect. */
export interface ReviewPreview {
  readonly added: number
  readonly changed: number
  readonly removed: number
  readonly effects: LimitEffects
}

/** Sums up the pending changes of a subscription, read in parts: a row for each, of ten thousand at most. */
export async function previewReview(ctx: Ctx, blocklistId: number): Promise<ReviewPreview> {
  const { id, domain, change, severity } = blocklistEntries
  if ((await execute(ctx.db, subscriptionById(ctx, blocklistId))) === null) throw new NotFound()
  const entries = await readInParts(ctx, 0, {
    part: (after, limit) =>
      rows(
        ctx.db
          .select({ id, domain, change, severity })
          .from(blocklistEntries)
          .where(sql`blocklist_id = ${blocklistId} and state = 'pending' and ${id} > ${after}`)
          .orderBy(sql`${id} ${limit}`),
      ),
    keyOf: (entry) => entry.id,
  })
  const count = (kind: (typeof entries)[number]['change']) =>
    entries.filter((entry) => entry.change === kind).length
  const suspended = entries.filter((entry) => entry.change !== 'remove' && entry.severity === 'suspend')
  const effects = await previewEffects(
    ctx,
    suspended.map((entry) => entry.domain),
  )
  return { added: count('add'), changed: count('change'), removed: count('remove'), effects }
}

/**
 * Approves pending changes of a subscription; a job applies them. `NotFound` for an unknown subscription, `Conflict` where
 * one of the named changes is pending no longer.
 */
export function approveChanges(
  ctx: Ctx,
  moderator: Moderator,
  blocklistId: number,
  decided: Decided,
): Promise<Subscription> {
  return decide(ctx, moderator, { blocklistId, decided, state: 'approved' })
}

/**
 * Rejects pending changes of a subscription. They are proposed again when the list changes them. A limit whose removal is
 * rejected becomes the moderators' own.
 */
export function rejectChanges(
  ctx: Ctx,
  moderator: Moderator,
  blocklistId: number,
  decided: Decided,
): Promise<Subscription> {
  return decide(ctx, moderator, { blocklistId, decided, state: 'rejected' })
}

interface Decision {
  readonly blocklistId: number
  readonly decided: Decided
  readonly state: 'approved' | 'rejected'
}

async function decide(
  ctx: Ctx,
  moderator: Moderator,
  { blocklistId, decided, state }: Decision,
): Promise<Subscription> {
  const isChosen = sql`blocklist_id = ${blocklistId} and state = 'pending'
    and ${decided === 'all' ? sql`1` : inList(blocklistEntries.id, decided)}`
  const { id, domain, change } = blocklistEntries
  const chosen = ctx.db
    .select({ id, domain, change })
    .from(blocklistEntries)
    .where(isChosen)
    .orderBy(sql`${id} ${limitTo(maxLines)}`)
  const [list, entries] = await execute(ctx.db, both(subscriptionById(ctx, blocklistId), rows(chosen)))
  if (list === null) throw new NotFound()
  const ids = entries.map((entry) => entry.id)
  if (decided !== 'all' && ids.length < new Set(decided).size) throw decidedMeanwhile()
  if (ids.length === 0) return list
  const changes = new Changes().require(arePending(ids), decidedMeanwhile())
  if (state === 'rejected')
    changes.add(
      ctx.db
        .update(domainLimits)
        .set({ blocklistId: null })
        .where(
          sql`blocklist_id = ${blocklistId} and ${inList(
            domainLimits.domain,
            entries.filter((entry) => entry.change === 'remove').map((entry) => entry.domain),
          )}`,
        ),
    )
  changes.add(ctx.db.update(blocklistEntries).set({ state }).where(inList(blocklistEntries.id, ids)))
  if (state === 'approved') changes.enqueue({ kind: 'apply-blocklist', blocklistId })
  recordAudit(ctx, changes, moderator, {
    action: state === 'approved' ? 'approve' : 'reject',
    target: { type: 'blocklist', id: list.id, label: list.title },
    after: { changes: ids.length, domains: entries.slice(0, namedDomains).map((entry) => entry.domain) },
  })
  await commit(ctx, changes)
  return { ...list, hasPendingChanges: decided === 'all' ? false : await hasMore(ctx, blocklistId) }
}

async function hasMore(ctx: Ctx, blocklistId: number): Promise<boolean> {
  return (await execute(ctx.db, subscriptionById(ctx, blocklistId)))?.hasPendingChanges ?? false
}

function arePending(ids: readonly number[]) {
  return sql`(select count(*) from blocklist_entries
    where ${inList(blocklistEntries.id, ids)} and state = 'pending') = ${ids.length}`
}

function decidedMeanwhile(): Conflict {
  return new Conflict('Some of these changes have been decided by someone else')
}
