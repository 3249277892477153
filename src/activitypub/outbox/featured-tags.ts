import { ask, known, together } from '../../db/query'
import { partiesOf } from '../../domain/accounts/find-parties'
import { ownFeaturedTag } from '../../domain/featured-tags/find'
import type { FederatedEvent } from '../../messages/events'
import type { Ctx } from '../../platform/ports'
import { addActivity, removeActivity } from '../serialise/activities'
import { featuredTag } from '../serialise/tags'
import type { Mission } from './mission'

type TagEvent = Extract<FederatedEvent, { kind: 'tag.featured' | 'tag.unfeatured' }>

/** A hashtag enters or leaves somebody's profile: followers are told in the words Mastodon uses. */
export async function tagChanged(ctx: Ctx, event: TagEvent, eventId: number): Promise<Mission | null> {
  const { kind, accountId } = event
  const { parties, tag } = await ask(
    ctx.db,
    together({
      parties: partiesOf(ctx, [accountId]),
      tag: event.kind === 'tag.unfeatured' ? known(event) : ownFeaturedTag(ctx, accountId, event.featuredId),
    }),
  )
  const sender = parties.get(accountId)
  if (sender === undefined || sender.domain !== null || tag === null) return null
  const make = kind === 'tag.featured' ? addActivity : removeActivity
  const username = sender.uri.slice(sender.uri.lastIndexOf('/') + 1)
  const activities = [make(sender.uri, String(eventId), featuredTag(ctx.config, username, tag))]
  return { senderId: accountId, sender: sender.uri, activities, reach: { followersOf: accountId } }
}
