import { sql } from 'drizzle-orm'
import { both, execute } from '../../db/query'
import { actorRefsOf } from '../../domain/accounts/find-actor-refs'
import { recentlyReached } from '../../domain/accounts/find-reached'
import { actorUri } from '../../lib/addresses'
import type { FederatedEvent } from '../../messages/events'
import type { Ctx } from '../../ports/ctx'
import { loadActors } from '../../view/load/actors'
import { deleteActorActivity, moveActivity, updateActorActivity } from '../serialise/activities'
import { serialiseActor } from '../serialise/actor'
import type { OutboundDelivery } from './delivery'

type EventOf<K extends FederatedEvent['kind']> = Extract<FederatedEvent, { kind: K }>

/**
 * Federates the current profile to every server that keeps a copy: those of followers and of followed accounts, and as
 * Mastodon does those of accounts it mentioned of late and of reporters.
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
