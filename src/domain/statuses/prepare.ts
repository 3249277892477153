import { execute } from '../../db/query'
import type { ScheduledId } from '../../lib/ids'
import type { Ctx } from '../../ports/ctx'
import type { Viewer } from '../core/viewer'
import { parseDraft, type StatusDraft } from './draft'
import type { CreatedPost } from './find-by-idempotency-key'
import { loadDraftFacts } from './find-draft-facts'
import { planStatus, type StatusPlan } from './plan'
import { resolveMentions } from './resolve-mentions'

export interface PrepareOptions {
  readonly draft: StatusDraft
  /** Idempotency key: identifies one status, whatever the rest of the request says. */
  readonly key: string | null
  readonly heldBy?: ScheduledId | null
}

/**
 * Validates a draft of `author` and plans the status, or returns what the same idempotency key created before:
 * one round trip.
 *
 * Unknown remote accounts it mentions are resolved, for at most three seconds. Errors: see `parseDraft` and
 * `planStatus`.
 */
export async function prepareStatus(
  ctx: Ctx,
  author: Viewer,
  options: PrepareOptions,
): Promise<{ readonly plan: StatusPlan; readonly earlier: null } | { readonly earlier: CreatedPost }> {
  const { key, heldBy = null } = options
  const draft = parseDraft(options.draft, {
    statusCharacters: ctx.config.limits.statusCharacters,
    contentType: author.settings.defaultContentType ?? 'text/plain',
  })
  const { facts: first, earlier } = await execute(ctx.db, loadDraftFacts(ctx, author, { draft, key, heldBy }))
  if (earlier !== null) return { earlier }
  const facts = await resolveMentions(ctx, { draft, facts: first })
  const { origin, ownDomains } = ctx.config
  const plan = planStatus(draft, facts, {
    id: ctx.ids.next(),
    origin,
    ownDomains,
    now: ctx.clock.now(),
    pollId: ctx.ids.next(),
  })
  return { plan: { ...plan, heldBy }, earlier: null }
}
