import { execute } from '../../db/query'
import { done, ignored, type Outcome } from '../../domain/core/outcome'
import { forwardedFacts } from '../../domain/statuses/remote/find-forwarded'
import { hostOf } from '../../lib/web-address'
import type { Ctx } from '../../platform/ports'
import type { Activity } from '../vocab/activity'
import { idOf } from '../vocab/json'

const gapSeconds = 60

/** Forwarding servers may name any number of objects, all of one third server. */
const mostAboutHost = 100

/**
 * Refetches the object of a forwarded activity. Forwarding is no proof, so a job fetches the object from its own
 * server. Only relevant objects count: known here, or a reply to a known one.
 */
export async function refetchForwarded(ctx: Ctx, activity: Activity): Promise<Outcome> {
  const uri = activity.object?.id ?? null
  const inReplyTo = idOf(activity.object?.document?.['inReplyTo'])
  if (uri === null) return ignored('forwarded without an object')
  if (!['Create', 'Update', 'Delete'].includes(activity.type))
    return ignored(`${activity.type} forwarded by another server`)
  const { known, parentKnown } = await execute(ctx.db, forwardedFacts(ctx, { uri, inReplyTo }))
  const isRelevant = activity.type === 'Create' ? !known && parentKnown : known
  if (!isRelevant) return ignored('forwarded, but irrelevant here')
  // Many servers forward the same object; a third server must not be hit over and over.
  const isRecent = ctx.memory.get(`hint ${uri}`) !== null
  const isPlanned = ctx.memory.get(`later hint ${uri}`) !== null
  if (isRecent && (isPlanned || activity.type === 'Create'))
    return ignored('forwarded, but refetched a moment ago')
  if (ctx.memory.increment(`hints about ${hostOf(uri)}`, gapSeconds) > mostAboutHost)
    return ignored('forwarded, but its server was named too often')
  if (isRecent) {
    // The object changed again: one fetch, once the gap is over, for all that is forwarded until then.
    ctx.memory.set(`later hint ${uri}`, '', gapSeconds)
    await ctx.jobs.send({ kind: 'refetch-object', uri }, { delaySeconds: gapSeconds })
    return done
  }
  ctx.memory.set(`hint ${uri}`, '', gapSeconds)
  await ctx.jobs.send({ kind: 'refetch-object', uri })
  return done
}
