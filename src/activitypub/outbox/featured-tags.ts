import { combineQueries, constant, execute } from '../../db/query'
import { actorRefsOf } from '../../domain/accounts/find-actor-refs'
import { ownFeaturedTag } from '../../domain/featured-tags/find'
import type { FederatedEvent } from '../../messages/events'
import type { Ctx } from '../../ports/ctx'
import { addActivity, removeActivity } from '../serialise/activities'
import { featuredTag } from '../serialise/tags'
import type { OutboundDelivery } from './delivery'

type TagEvent = Extract<FederatedEvent, { kind: 'tag.featured' | 'tag.unfeatured' }>

/** Federates a featured hashtag added or removed, in Mastodon's form. */
export async function tagChanged(
  ctx: Ctx,
  event: TagEvent,
  eventId: number,
): Promise<OutboundDelivery | null> {
  const { kind, accountId } = event
  const { parties, tag } = await execute(
    ctx.db,
    combineQueries({
      parties: actorRefsOf(ctx, [accountId]),
      tag:
        event.kind === 'tag.unfeatured' ? constant(event) : ownFeaturedTag(ctx, accountId, event.featuredId),
    }),
  )
  const sender = parties.get(accountId)
  if (sender === undefined || sender.domain !== null || tag === null) return null
  const make = kind === 'tag.featured' ? addActivity : removeActivity
  const username = sender.uri.slice(sender.uri.lastIndexOf('/') + 1)
  const activities = [make(sender.uri, String(eventId), featuredTag(ctx.config, username, tag))]
  return { senderId: accountId, sender: sender.uri, activities, recipients: { followersOf: accountId } }
}
