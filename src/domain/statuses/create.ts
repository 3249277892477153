import type { Ctx } from '../../context'
import { ask } from '../../db/query'
import { idempotencyKeys } from '../../db/schema'
import { Conflict } from '../../errors'
import type { AccountId, StatusId } from '../../lib/ids'
import { Changes, commit } from '../changes'
import type { Viewer } from '../viewer'
import { readDraft, type StatusDraft } from './draft'
import { statusMadeWith } from './find'
import { factsFor } from './find-facts'
import { knowMentioned } from './know-mentioned'
import { planStatus } from './plan'
import { storeStatus } from './store'

/**
 * Makes a status of `author` from a draft and answers its id: one trip to gather, one to commit. People of
 * other servers whom it names and nobody here knows are asked for first, for three seconds at most.
 *
 * With an idempotency key the status made with it within the last hour is answered instead, also when the
 * same request comes twice at once. In the same batch the status enters home feeds and notifies the people it
 * mentions and those who listen to its author. Emits `status.created`. Refusals: see `readDraft` and `planStatus`.
 */
export async function createStatus(
  ctx: Ctx,
  author: Viewer,
  order: { readonly draft: StatusDraft; readonly key?: string | null },
): Promise<StatusId> {
  const draft = readDraft(order.draft, {
    statusCharacters: ctx.config.limits.statusCharacters,
    contentType: author.settings.defaultContentType ?? 'text/plain',
  })
  const key = order.key ?? null
  const { facts: first, earlier } = await ask(ctx.db, factsFor(ctx, author, { draft, key }))
  if (earlier !== null) return earlier
  const facts = await knowMentioned(ctx, { draft, facts: first })
  const id = ctx.ids.next()
  const { origin, ownDomains } = ctx.config
  const plan = planStatus(draft, facts, {
    ...{ id, origin, ownDomains, now: ctx.clock.now() },
    pollId: ctx.ids.next(),
  })
  const changes = new Changes()
  storeStatus(ctx, changes, plan)
  if (plan.status.localOnly !== true)
    changes.emit({ kind: 'status.created', accountId: author.id, statusId: id })
  if (plan.quote?.state === 'pending')
    changes.emit({ kind: 'quote.requested', accountId: author.id, statusId: id })
  if (key === null) {
    await commit(ctx, changes)
    return id
  }
  return commitOnce(ctx, changes, { id, author: author.id, key })
}

/** Commits unless the key is taken by now, by the same request having come twice. */
async function commitOnce(
  ctx: Ctx,
  changes: Changes,
  { id, author, key }: { readonly id: StatusId; readonly author: AccountId; readonly key: string },
): Promise<StatusId> {
  const made = statusMadeWith(ctx, author, key)
  const taken = new Conflict('This status has been posted already')
  const row = { statusId: id, createdAt: ctx.clock.now() }
  changes.require(made.free, taken).add(
    ctx.db
      .insert(idempotencyKeys)
      .values({ ...row, accountId: author, key })
      .onConflictDoUpdate({ target: [idempotencyKeys.accountId, idempotencyKeys.key], set: row }),
  )
  try {
    await commit(ctx, changes)
    return id
  } catch (failure) {
    const earlier = failure === taken ? await ask(ctx.db, made.query) : null
    if (earlier === null) throw failure
    return earlier
  }
}
