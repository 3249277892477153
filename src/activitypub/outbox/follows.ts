import { ask, both } from '../../db/query'
import { type Party, partiesOf } from '../../domain/accounts/find-parties'
import { pairOf } from '../../domain/relationships/find'
import type { AccountId } from '../../lib/ids'
import type { FederatedEvent } from '../../messages/events'
import type { Ctx } from '../../platform/ports'
import {
  type Activity,
  acceptFollowActivity,
  blockActivity,
  followActivity,
  rejectFollowActivity,
  undoActivity,
} from '../serialise/activities'
import type { Letter, Mission } from './mission'

type EventOf<K extends FederatedEvent['kind']> = Extract<FederatedEvent, { kind: K }>

interface Tie {
  readonly accountId: AccountId
  readonly targetAccountId: AccountId
}

/** Asks the server of the target; not once the request is answered or taken back. */
export async function followAsked(ctx: Ctx, event: EventOf<'follow.requested'>): Promise<Mission | null> {
  const { from, to, pair } = await endsOf(ctx, event)
  const request = pair?.ties.requested ?? null
  if (request === null || !isOurs(from) || !isTheirs(to)) return null
  return deed(from, to, followActivity({ actor: from.uri, id: request.id, object: to.uri }))
}

/** Tells the server of a new follower that it was let in. Signed by the followed, who alone can say so. */
export async function followAccepted(ctx: Ctx, event: EventOf<'follow.created'>): Promise<Mission | null> {
  const { from, to, pair } = await endsOf(ctx, event)
  const follow = pair?.ties.follows ?? null
  if (follow === null || !isTheirs(from) || !isOurs(to)) return null
  return deed(to, from, acceptFollowActivity(to.uri, { ...follow, follower: from.uri }))
}

/**
 * A follow or request that ended: Undo where our side ended its own, Reject where it ended that of another server.
 * Nothing where it is there again.
 */
export async function followEnded(
  ctx: Ctx,
  event: EventOf<'follow.removed' | 'follow.withdrawn' | 'follow.rejected'>,
  eventId: number,
): Promise<Mission | null> {
  const { from, to, pair } = await endsOf(ctx, event)
  if (from === undefined || to === undefined) return null
  if (pair !== null && (pair.follows || pair.requested)) return null
  const row = { id: event.followId ?? eventId, uri: event.uri }
  if (event.by === from.id && isOurs(from) && isTheirs(to))
    return deed(from, to, undoFollow(from, to, row.id))
  if (event.by === to.id && isTheirs(from) && isOurs(to))
    return deed(to, from, rejectFollowActivity(to.uri, { ...row, follower: from.uri }))
  return null
}

export async function blockChanged(
  ctx: Ctx,
  event: EventOf<'block.created' | 'block.removed'>,
): Promise<Mission | null> {
  const { from, to, pair } = await endsOf(ctx, event)
  if (!isOurs(from) || !isTheirs(to) || pair === null) return null
  if ((event.kind === 'block.created') !== pair.blocks) return null
  const block = blockActivity({ actor: from.uri, id: event.blockId, object: to.uri })
  return deed(from, to, event.kind === 'block.created' ? block : undoActivity(block))
}

/** Somebody blocked a whole server: each follow that ended is told by itself. */
export async function domainBlocked(ctx: Ctx, event: EventOf<'domain.blocked'>): Promise<readonly Letter[]> {
  const { accountId, followed, followers } = event
  const ids = [accountId, ...[...followed, ...followers].map((tie) => tie.accountId)]
  const parties = await ask(ctx.db, partiesOf(ctx, ids))
  const me = parties.get(accountId)
  if (!isOurs(me)) return []
  const letter = (them: Party | undefined, write: (them: Party) => Activity): readonly Letter[] => {
    if (!isTheirs(them) || them.suspended || them.inbox === null) return []
    return [{ senderId: me.id, sender: me.uri, activity: write(them), inbox: them.inbox }]
  }
  return [
    ...followed.flatMap((tie) =>
      letter(parties.get(tie.accountId), (them) => undoFollow(me, them, tie.followId)),
    ),
    ...followers.flatMap((tie) =>
      letter(parties.get(tie.accountId), (them) =>
        rejectFollowActivity(me.uri, { id: tie.followId, uri: tie.uri, follower: them.uri }),
      ),
    ),
  ]
}

async function endsOf(ctx: Ctx, { accountId, targetAccountId }: Tie) {
  const [parties, pair] = await ask(
    ctx.db,
    both(partiesOf(ctx, [accountId, targetAccountId]), pairOf(ctx, accountId, targetAccountId)),
  )
  return { from: parties.get(accountId), to: parties.get(targetAccountId), pair }
}

function isOurs(party: Party | undefined): party is Party {
  return party !== undefined && party.domain === null
}

function isTheirs(party: Party | undefined): party is Party {
  return party !== undefined && party.domain !== null
}

function undoFollow(from: Party, to: Party, id: number): Activity {
  return undoActivity(followActivity({ actor: from.uri, id, object: to.uri }))
}

/** Something between two, for the one's own inbox. */
function deed(sender: Party, receiver: Party, activity: Activity): Mission {
  return {
    ...{ senderId: sender.id, sender: sender.uri, activities: [activity] },
    reach: { people: [receiver.id], personal: true },
  }
}
