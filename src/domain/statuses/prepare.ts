import { ask } from '../../db/query'
import type { ScheduledId } from '../../lib/ids'
import type { Ctx } from '../../platform/ports'
import type { Viewer } from '../core/viewer'
import { readDraft, type StatusDraft } from './draft'
import { factsFor } from './find-facts'
import type { Made } from './find-made'
import { knowMentioned } from './know-mentioned'
import { planStatus, type StatusPlan } from './plan'

export interface Order {
  readonly draft: StatusDraft
  /** Stands for one status, whatever comes with it. */
  readonly key: string | null
  readonly heldBy?: ScheduledId | null
}

/**
 * Holds a draft of `author` against all rules and decides what it becomes, or answers what was made with the same
 * idempotency key before: one trip.
 *
 * People of other servers whom it names and nobody here knows are asked for, for three seconds at most. Refusals:
 * see `readDraft` and `planStatus`.
 */
export async function prepareStatus(
  ctx: Ctx,
  author: Viewer,
  order: Order,
): Promise<{ readonly plan: StatusPlan; readonly earlier: null } | { readonly earlier: Made }> {
  const { key, heldBy = null } = order
  const draft = readDraft(order.draft, {
    statusCharacters: ctx.config.limits.statusCharacters,
    contentType: author.settings.defaultContentType ?? 'text/plain',
  })
  const { facts: first, earlier } = await ask(ctx.db, factsFor(ctx, author, { draft, key, heldBy }))
  if (earlier !== null) return { earlier }
  const facts = await knowMentioned(ctx, { draft, facts: first })
  const { origin, ownDomains } = ctx.config
  const plan = planStatus(draft, facts, {
    ...{ id: ctx.ids.next(), origin, ownDomains, now: ctx.clock.now() },
    pollId: ctx.ids.next(),
  })
  return { plan: { ...plan, heldBy }, earlier: null }
}
