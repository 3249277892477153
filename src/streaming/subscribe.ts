import { ask } from '../db/query'
import { refById } from '../domain/core/viewer'
import { isOwnList } from '../domain/lists/find'
import { liveFeedAccess, openHalves, tagFeedAccess } from '../domain/timelines/access'
import { Unauthorized } from '../errors'
import type { Ctx } from '../platform/ports'
import type { Subscription } from './calls'
import { type Asked, channelWithin, halvesOf, readAsked } from './channels'
import type { Listener } from './listener'

/** Lets a listener have a stream. `BadRequest` and `Unauthorized` where they may not. */
export async function subscriptionTo(ctx: Ctx, listener: Listener, asked: Asked): Promise<Subscription> {
  const wanted = readAsked(asked, listener.scopes)
  const { id, name } = wanted
  if (wanted.list !== null) {
    if (!(await ask(ctx.db, isOwnList(ctx, refById(listener.accountId), wanted.list))))
      throw new Unauthorized('Not authorized to stream this list')
    return { id, name, channel: id }
  }
  if (wanted.feed === null) return { id, name, channel: id }
  const access = await ask(ctx.db, wanted.feed === 'tag' ? tagFeedAccess(ctx) : liveFeedAccess(ctx))
  return { id, name, channel: channelWithin(wanted, openHalves(access, listener, halvesOf(wanted))) }
}
