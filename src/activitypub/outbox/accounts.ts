import { sql } from 'drizzle-orm'
import { actorUri, instanceActorUri } from '../../contract/addresses'
import { instanceActorId } from '../../contract/ids'
import { both, combineQueries, constant, execute } from '../../db/query'
import { actorRefsOf, recentlyReached } from '../../domain/accounts/find-actor-refs'
import { ownFeaturedTag } from '../../domain/featured-tags/find'
import { ensureInstanceActor, findInstanceActor } from '../../domain/instance/keys'
import { collectionUrisIn, reportById } from '../../domain/reports/find'
import { type ForwardedStatus, statusesInReport } from '../../domain/statuses/find-author'
import type { FederatedEvent } from '../../messages/events'
import type { Ctx } from '../../ports/ctx'
import { loadActors } from '../../view/load/actors'
import {
  addActivity,
  deleteActorActivity,
  flagActivity,
  moveActivity,
  removeActivity,
  updateActorActivity,
} from '../serialise/activities'
import { serialiseActor } from '../serialise/actor'
import { featuredTag } from '../serialise/note'
import type { OutboundDelivery } from './delivery'

type EventOf<K extends FederatedEvent['kind']> = Extract<FederatedEvent, { kind: K }>

/**
 * Federates the current profile to every server that keeps a copy: those of followers and of followed accounts, and, as
 * in Mastodon, those of recently mentioned accounts and of reporters.
 */
export async function profileChanged(
  ctx: Ctx,
  { accountId }: EventOf<'account.updated'>,
  eventId: number,
): Promise<OutboundDelivery | null> {
  const [[facts], people] = await execute(
    ctx.db,
    both(loadActors(ctx, sql`select ${accountId} as id, 0 as cursor`), recentlyReached(ctx, accountId)),
  )
  if (facts === undefined) return null
  const sender = actorUri(ctx.config.origin, facts.account.username)
  const activity = updateActorActivity(sender, serialiseActor(ctx.config, facts), eventId)
  const recipients = { followersOf: accountId, followedBy: accountId, people }
  return { senderId: accountId, sender, activities: [activity], recipients }
}

/** Federates an account deletion to every known server: any may have stored it from a reply, a search or a reblog. */
export async function accountDeleted(
  ctx: Ctx,
  { accountId }: EventOf<'account.deleted'>,
): Promise<OutboundDelivery | null> {
  const party = (await execute(ctx.db, actorRefsOf(ctx, [accountId]))).get(accountId)
  if (party === undefined || party.domain !== null) return null
  const activities = [deleteActorActivity(party.uri)]
  return { senderId: accountId, sender: party.uri, activities, recipients: { everywhere: true } }
}

/** Federates a migration to followers, whose servers then follow the other account instead. */
export async function accountMoved(
  ctx: Ctx,
  { accountId, targetAccountId }: EventOf<'account.moved'>,
  eventId: number,
): Promise<OutboundDelivery | null> {
  const parties = await execute(ctx.db, actorRefsOf(ctx, [accountId, targetAccountId]))
  const [from, to] = [parties.get(accountId), parties.get(targetAccountId)]
  if (from === undefined || to === undefined || from.domain !== null) return null
  const activities = [moveActivity({ actor: from.uri, id: eventId, object: to.uri })]
  return { senderId: accountId, sender: from.uri, activities, recipients: { followersOf: accountId } }
}

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

/**
 * Forwards a report to a remote server. The instance actor sends it, so that the reporter stays unknown there.
 *
 * The reported account's server receives every reported object; other servers only statuses that reply to their
 * accounts.
 */
export async function reportForwarded(
  ctx: Ctx,
  { reportId, domain }: Extract<FederatedEvent, { kind: 'report.forwarded' }>,
): Promise<OutboundDelivery | null> {
  const { report, statuses, collections, instanceActor } = await execute(
    ctx.db,
    combineQueries({
      report: reportById(ctx, reportId),
      statuses: statusesInReport(ctx, reportId),
      collections: collectionUrisIn(ctx, reportId),
      instanceActor: findInstanceActor(ctx),
    }),
  )
  if (report === null) return null
  const target = (await execute(ctx.db, actorRefsOf(ctx, [report.targetAccountId]))).get(
    report.targetAccountId,
  )
  if (target === undefined || target.domain === null) return null
  const isHome = target.domain === domain
  const shown = isHome ? statuses : statuses.filter(({ answers }) => answers === domain)
  const people = isHome ? [target.id] : answeredIn(shown)
  if (people.length === 0) return null
  await ensureInstanceActor(ctx, instanceActor)
  const actor = instanceActorUri(ctx.config.origin)
  const objects = [target.uri, ...shown.map(({ uri }) => uri), ...(isHome ? collections : [])]
  return {
    senderId: instanceActorId,
    sender: actor,
    recipients: { people, personal: isHome },
    activities: [flagActivity({ actor, id: report.id, objects, content: report.comment })],
  }
}

function answeredIn(statuses: readonly ForwardedStatus[]) {
  return statuses.flatMap(({ answeredId }) => answeredId ?? [])
}
