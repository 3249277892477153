import { execute } from '../db/query'
import { viewerById } from '../domain/core/viewer'
import { isOwnList } from '../domain/lists/find'
import { liveFeedAccess, resolveScopes, tagFeedAccess } from '../domain/timelines/access'
import { Unauthorized } from '../errors'
import type { Ctx } from '../ports/ctx'
import { allowedChannel, halvesOf, parseRequestedStream, type RequestedStream } from './channels'
import type { Subscription } from './connection-request'
import type { StreamClient } from './stream-client'

/** Authorizes a subscription. Throws `BadRequest` or `Unauthorized` if refused. */
export async function authorizeSubscription(
  ctx: Ctx,
  client: StreamClient,
  asked: RequestedStream,
): Promise<Subscription> {
  const parsed = parseRequestedStream(asked, client.scopes)
  const { id, name } = parsed
  if (parsed.list !== null) {
    if (!(await execute(ctx.db, isOwnList(ctx, viewerById(client.accountId), parsed.list))))
      throw new Unauthorized('Not authorized to stream this list')
    return { id, name, channel: id }
  }
  if (parsed.feed === null) return { id, name, channel: id }
  const access = await execute(ctx.db, parsed.feed === 'tag' ? tagFeedAccess(ctx) : liveFeedAccess(ctx))
  return { id, name, channel: allowedChannel(parsed, resolveScopes(access, client, halvesOf(parsed))) }
}
