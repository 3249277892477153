import { execute } from '../../db/query'
import { done, ignored, type Outcome } from '../../domain/core/outcome'
import { forwardedFacts } from '../../domain/statuses/remote/find-forwarded'
import { hostOf } from '../../lib/web-address'
import type { Ctx } from '../../platform/ports'
import type { Activity } from '../vocab/activity'
import { idOf } from '../vocab/json'

const gapSeconds = 60

/** Whoever passes things on may name as many objects as they like, and always of the same third server. */
const mostAboutHost = 100

/**
 * What a server passes on for somebody else is no proof, but says where to look: the object is asked for at its own
 * server, by a job. Only where that may change something here: an object known here, or a reply to one.
 */
export async function refetchForwarded(ctx: Ctx, activity: Activity): Promise<Outcome> {
  const uri = activity.object?.id ?? null
  const inReplyTo = idOf(activity.object?.document?.['inReplyTo'])
  if (uri === null) return ignored('passed on, and names no object')
  if (!['Create', 'Update', 'Delete'].includes(activity.type))
    return ignored(`${activity.type} passed on by another server`)
  const { known, parentKnown } = await execute(ctx.db, forwardedFacts(ctx, { uri, inReplyTo }))
  const worthwhile = activity.type === 'Create' ? !known && parentKnown : known
  if (!worthwhile) return ignored('passed on, and nothing to nobody here')
  // The same is passed on by many, and nobody shall make us ask a third server over and over.
  if (ctx.memory.get(`hint ${uri}`) !== null) return ignored('passed on, and asked about a moment ago')
  if (ctx.memory.increment(`hints about ${hostOf(uri)}`, gapSeconds) > mostAboutHost)
    return ignored('passed on, and its server was asked about much')
  ctx.memory.set(`hint ${uri}`, '', gapSeconds)
  await ctx.jobs.send({ kind: 'refetch-object', uri })
  return done
}
