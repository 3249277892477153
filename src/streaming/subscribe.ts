import { execute } from '../db/query'
import { viewerById } from '../domain/core/viewer'
import { isOwnList } from '../domain/lists/find'
import { liveFeedAccess, resolveScopes, tagFeedAccess } from '../domain/timelines/access'
import { Unauthorized } from '../errors'
import type { Ctx } from '../platform/ports'
import { allowedChannel, halvesOf, parseRequestedStream, type RequestedStream } from './channels'
import type { Subscription } from './connection-request'
import type { StreamClient } from './stream-client'

/** Authorizes a subscription. Throws `BadRequest` or `Unauthorized` if refused. */
export async function authorizeSubscription(
  ctx: Ctx,
  listener: StreamClient,
  asked: RequestedStream,
): Promise<Subscription> {
  const wanted = parseRequestedStream(asked, listener.scopes)
  const { id, name } = wanted
  if (wanted.list !== null) {
    if (!(await execute(ctx.db, isOwnList(ctx, viewerById(listener.accountId), wanted.list))))
      throw new Unauthorized('Not authorized to stream this list')
    return { id, name, channel: id }
  }
  if (wanted.feed === null) return { id, name, channel: id }
  const access = await execute(ctx.db, wanted.feed === 'tag' ? tagFeedAccess(ctx) : liveFeedAccess(ctx))
  return { id, name, channel: allowedChannel(wanted, resolveScopes(access, listener, halvesOf(wanted))) }
}
