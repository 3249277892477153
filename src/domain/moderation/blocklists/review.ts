import { type SQL, sql } from 'drizzle-orm'
import { combineQueries, execute, first, inList, limitTo, rows } from '../../../db/query'
import { blocklistEntries, domainLimits } from '../../../db/schema'
import { Conflict, NotFound } from '../../../errors'
import type { Job } from '../../../messages/jobs'
import type { Ctx } from '../../../ports/ctx'
import { recordAudit } from '../../core/audit'
import { Changes, commit } from '../../core/changes'
import type { Moderator } from '../../core/viewer'
import { peerDomains } from '../../servers/limits'
import { effectsAmong, type LimitEffects } from '../preview-effects'
import { type BlocklistEntry, type Subscription, subscriptionById } from './find'

/** Pending changes that a moderator decides: by their ids, `decidedAtOnce` at most, or all there are. */
export type Decided = readonly number[] | 'all'

/** Domains that an entry of the audit log names. */
const namedDomains = 100

/** Numbers of pending changes of a subscription, and accounts that its suspensions affect. */
export interface ReviewPreview {
  readonly added: number
  readonly changed: number
  readonly removed: number
  readonly effects: LimitEffects
}

/** Pending changes that a preview sums up. */
const previewedChanges = 900

/** Sums up the oldest pending changes of a subscription, a row for each; `isComplete` is false where there are more. */
export async function previewReview(ctx: Ctx, blocklistId: number): Promise<ReviewPreview> {
  const { id, domain, change, severity } = blocklistEntries
  const pending = ctx.db
    .select({ domain, change, severity })
    .from(blocklistEntries)
    .where(sql`blocklist_id = ${blocklistId} and state = 'pending'`)
    .orderBy(sql`${id} ${limitTo(previewedChanges + 1)}`)
  const { list, found, known } = await execute(
    ctx.db,
    combineQueries({
      list: subscriptionById(ctx, blocklistId),
      found: rows(pending),
      known: peerDomains(ctx),
    }),
  )
  if (list === null) throw new NotFound()
  const entries = found.slice(0, previewedChanges)
  const count = (kind: (typeof entries)[number]['change']) =>
    entries.filter((entry) => entry.change === kind).length
  const suspended = entries.filter((entry) => entry.change !== 'remove' && entry.severity === 'suspend')
  const domains = suspended.map((entry) => entry.domain)
  const effects = await execute(ctx.db, effectsAmong(ctx, domains, known))
  return {
    added: count('add'),
    changed: count('change'),
    removed: count('remove'),
    effects: { ...effects, isComplete: effects.isComplete && found.length === entries.length },
  }
}

/** The pending change of a subscription with this id; null for one that is decided already. */
export function findPendingChange(ctx: Ctx, blocklistId: number, id: number) {
  const { domain, change, severity, rejectMedia } = blocklistEntries
  return first(
    ctx.db
      .select({ domain, change, severity, rejectMedia })
      .from(blocklistEntries)
      .where(sql`${blocklistEntries.id} = ${id} and ${isPendingOf(blocklistId)}`),
  )
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
  readonly state: 'approved' | 'rejected'
}

/** Changes decided in one request, and in one job: about nine rows are read for each. */
export const decidedAtOnce = 200
const decidedByJob = 2_000

async function decide(
  ctx: Ctx,
  moderator: Moderator,
  { decided, ...decision }: Decision & { readonly decided: Decided },
): Promise<Subscription> {
  const { blocklistId, state } = decision
  const isChosen = decided === 'all' ? sql`1` : inList(blocklistEntries.id, decided)
  const last = ctx.db
    .select({ id: blocklistEntries.id })
    .from(blocklistEntries)
    .where(isPendingOf(blocklistId))
    .orderBy(sql`${blocklistEntries.id} desc ${limitTo(1)}`)
  const { list, entries, newest } = await execute(
    ctx.db,
    combineQueries({
      list: subscriptionById(ctx, blocklistId),
      entries: pendingChanges(ctx, sql`${isPendingOf(blocklistId)} and ${isChosen}`, decidedAtOnce),
      newest: first(last),
    }),
  )
  if (list === null) throw new NotFound()
  if (decided !== 'all' && entries.length < new Set(decided).size) throw decidedMeanwhile()
  const end = entries.at(-1)
  if (end === undefined) return list
  const changes = writeDecision(ctx, decision, entries)
  const hasRest = decided === 'all' && newest !== null && newest.id > end.id
  if (hasRest) changes.enqueue({ kind: 'decide-blocklist', blocklistId, state, upTo: newest.id })
  recordAudit(ctx, changes, moderator, {
    action: state === 'approved' ? 'approve' : 'reject',
    target: { type: 'blocklist', id: list.id, label: list.title },
    after: {
      changes: hasRest ? 'all' : entries.length,
      domains: entries.slice(0, namedDomains).map((entry) => entry.domain),
    },
  })
  await commit(ctx, changes)
  return { ...list, hasPendingChanges: decided === 'all' ? false : await hasMore(ctx, blocklistId) }
}

type Rest = Job & { readonly kind: 'decide-blocklist' }

/** Decides the rest of the changes that a moderator decided about together. May run twice. */
export async function continueDeciding(ctx: Ctx, job: Rest): Promise<void> {
  const { blocklistId, upTo } = job
  const which = sql`${isPendingOf(blocklistId)} and ${blocklistEntries.id} <= ${upTo}`
  const entries = await execute(ctx.db, pendingChanges(ctx, which, decidedByJob))
  if (entries.length === 0) return
  const changes = writeDecision(ctx, job, entries)
  await commit(ctx, entries.length < decidedByJob ? changes : changes.enqueue(job))
}

const isPendingOf = (blocklistId: number) => sql`blocklist_id = ${blocklistId} and state = 'pending'`

/** Pending changes that match, the oldest first. */
function pendingChanges(ctx: Ctx, which: SQL, limit: number) {
  const { id, domain, change } = blocklistEntries
  return rows(
    ctx.db
      .select({ id, domain, change })
      .from(blocklistEntries)
      .where(which)
      .orderBy(sql`${id} ${limitTo(limit)}`),
  )
}

function writeDecision(
  ctx: Ctx,
  { blocklistId, state }: Decision,
  entries: readonly Pick<BlocklistEntry, 'id' | 'domain' | 'change'>[],
): Changes {
  const ids = entries.map((entry) => entry.id)
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
  return state === 'approved' ? changes.enqueue({ kind: 'apply-blocklist', blocklistId }) : changes
}

async function hasMore(ctx: Ctx, blocklistId: number): Promise<boolean> {
  return (await execute(ctx.db, subscriptionById(ctx, blocklistId)))?.hasPendingChanges ?? false
}

function arePending(ids: readonly number[]) {
  return sql`(select count(*) from blocklist_entries
    where ${inList(blocklistEntries.id, ids)} and state = 'pending') = ${ids.length}`
}

export function decidedMeanwhile(): Conflict {
  return new Conflict('changes_decided')
}
