import { actorUri, instanceActorUri, readStatusUri } from '../../contract/addresses'
import { execute } from '../../db/query'
import type { Visibility } from '../../db/schema/statuses'
import { receiveFeatureRevocation } from '../../domain/collections/receive-request'
import { receiveCollection } from '../../domain/collections/remote'
import { done, ignored, type Outcome, rejected } from '../../domain/core/changes'
import { receiveReblog } from '../../domain/interactions/reblog'
import { receiveVote } from '../../domain/polls/vote'
import type { RelayAnswer } from '../../domain/relays/change'
import { receiveQuoteRevocation } from '../../domain/statuses/quotes/receive-quote'
import { receiveForRecipient } from '../../domain/statuses/receive-request'
import { statusKnownAt } from '../../domain/statuses/remote/find-forwarded'
import { isFollowedHere } from '../../domain/statuses/remote/find-remote'
import { importStatus } from '../../domain/statuses/remote/import'
import { receiveDelete, receiveEdit } from '../../domain/statuses/remote/receive-edit'
import type { RemoteStatus } from '../../domain/statuses/remote/remote-status'
import { hostOf, liesOn, parseWebAddress, sameOrigin } from '../../lib/web-address'
import type { Ctx } from '../../ports/ctx'
import type { RelaySigner, Signer } from '../verify-request'
import { type Activity, isAddressed, readActivity, visibilityOf } from '../vocab/activity'
import { readFeaturedCollection } from '../vocab/collections'
import { hasType, isUnreadable, type Reference } from '../vocab/json'
import { isStatusDocument, type RemoteVote, readStatus, readVote } from '../vocab/status'
import { refetchForwarded } from './forwarded'
import { outcomeOf, readOwnPost } from './handler'

/**
 * Remote account creates a status or votes. An inlined status by the signer is trusted, since it came from its
 * server; one named by id is fetched there, and a status of another author only triggers a refetch.
 */
export async function create(
  ctx: Ctx,
  signer: Signer,
  activity: Activity,
  inbox: string | null,
): Promise<Outcome> {
  const { object } = activity
  if (object === null) return ignored('creates no identifiable object')
  const { document } = object
  if (document === null) return requestRefetch(ctx, signer, object.id)
  const vote = readVote(document)
  if (vote !== null) return receivePollVote(ctx, signer, vote)
  if (!isStatusDocument(document)) return ignored('creates an unsupported object')
  const status = readStatus(document, {
    authorFollowers: signer.followers,
    audience: activity,
    actor: signer.uri,
    now: ctx.clock.now(),
  })
  if (isUnreadable(status)) return rejected(status.unreadable)
  if (status.author !== signer.uri) return refetchForwarded(ctx, activity, signer)
  const reader = inbox === null ? null : actorUri(ctx.config.origin, inbox)
  const imported = await importStatus(ctx, signer.id, {
    status: readableBy(status, reader),
    occasion: 'delivered',
  })
  if (imported.kind !== 'duplicate' || inbox === null) return outcomeOf(imported)
  return receiveForRecipient(ctx, signer, { statusId: imported.id, username: inbox })
}

/** Adds the owner of the receiving inbox to a non-public status: some servers deliver to blind recipients. */
function readableBy(status: RemoteStatus, reader: string | null): RemoteStatus {
  const isOpen = status.visibility === 'public' || status.visibility === 'unlisted'
  if (reader === null || isOpen || status.mentioned.includes(reader)) return status
  return { ...status, mentioned: [...status.mentioned, reader], silent: [...status.silent, reader] }
}

async function requestRefetch(ctx: Ctx, signer: Signer, uri: string | null): Promise<Outcome> {
  if (uri === null || !sameOrigin(uri, signer.uri)) return ignored('names an object of another server')
  if (!(await execute(ctx.db, isFollowedHere(ctx, signer.id)))) return ignored('nobody concerned')
  await ctx.jobs.send({ kind: 'refetch-object', uri })
  return done
}

async function receivePollVote(ctx: Ctx, signer: Signer, vote: RemoteVote): Promise<Outcome> {
  if (vote.author !== null && vote.author !== signer.uri) return rejected('votes for another actor')
  const own = readStatusUri(ctx.config.origin, vote.question)
  if (own === null) return ignored('votes in a poll of another server')
  return receiveVote(ctx, signer, { statusId: own.id, choice: vote.choice })
}

/** Remote account edits its status, or its poll has new counts. Statuses of other authors cannot be edited. */
export async function updatePost(ctx: Ctx, signer: Signer, activity: Activity): Promise<Outcome> {
  const { object } = activity
  if (object === null) return ignored('updates no identifiable object')
  if (object.id === null || !sameOrigin(object.id, signer.uri))
    return rejected('updates an object of another server')
  if (object.document === null) {
    await ctx.jobs.send({ kind: 'refetch-object', uri: object.id })
    return done
  }
  const collection = readFeaturedCollection(object.document, ctx.clock.now())
  if (collection !== null)
    return collection.author === signer.uri
      ? receiveCollection(ctx, signer, collection)
      : rejected('updates a collection of another actor')
  if (!isStatusDocument(object.document)) return ignored('updates an unsupported object')
  const status = readStatus(object.document, {
    authorFollowers: signer.followers,
    audience: activity,
    actor: signer.uri,
    now: ctx.clock.now(),
  })
  if (isUnreadable(status)) return rejected(status.unreadable)
  if (status.author !== signer.uri) return rejected('changes what somebody else wrote')
  return receiveEdit(ctx, signer, status)
}

/** Remote account deletes its status. Objects on other servers cannot be deleted. */
export async function deletePost(ctx: Ctx, signer: Signer, { object }: Activity): Promise<Outcome> {
  const uri = object?.id ?? null
  if (uri === null) return ignored('deletes no identifiable object')
  if (!sameOrigin(uri, signer.uri)) return rejected('deletes an object of another server')
  // Mastodon names a revoked consent by its id alone, and statuses by a Tombstone.
  const document = object?.document ?? null
  if (document === null || hasType(document, 'QuoteAuthorization')) {
    const revoked = await receiveQuoteRevocation(ctx, signer, uri)
    if (revoked !== null) return revoked
  }
  if (document === null || hasType(document, 'FeatureAuthorization')) {
    const revoked = await receiveFeatureRevocation(ctx, signer, uri)
    if (revoked !== null) return revoked
  }
  return receiveDelete(ctx, signer, uri)
}

/**
 * Remote account reblogs a status. Only the object id counts: an inlined copy proves nothing, unless actors reblog a
 * status of their own. Mastodon sends followers-only ones that way, which cannot be fetched. Relays reblog nothing. Groups
 * pass on what their members write: an Update or a Delete leads to the server of its object.
 */
export async function announce(ctx: Ctx, signer: Signer, activity: Activity): Promise<Outcome> {
  if (signer.relay !== null) return receiveRelayed(ctx, signer.relay, activity)
  const { id: uri, object, published } = activity
  const passedOn = object === null ? null : passedOnActivity(object)
  // A group does not prove activities of its members: their own server is asked.
  if (passedOn?.type === 'Update' || passedOn?.type === 'Delete')
    return refetchForwarded(ctx, passedOn, signer)
  const statusUri = object === null ? null : rebloggedUri(object, passedOn)
  if (uri === null || object === null || statusUri === null) return ignored('reblogs no identifiable status')
  const visibility = visibilityFor(signer, activity)
  if (visibility === 'direct') return ignored('reblogs with direct visibility')
  const now = ctx.clock.now()
  const publishedAt = published === null || published > now ? now : published
  const inlined = readOwnPost(signer, object, now)
  return receiveReblog(ctx, signer, { uri, statusUri, visibility, publishedAt, inlined })
}

/** Visibility of a reblog. Some servers address a reblog to no recipient and mean public. */
function visibilityFor(signer: Signer, activity: Activity): Visibility {
  return isAddressed(activity) ? visibilityOf(activity, signer.followers) : 'public'
}

/** The activity of a member that a group announces (FEP-1b12); null for anything else. */
function passedOnActivity({ document }: Reference): Activity | null {
  const inner = document === null ? null : readActivity(document)
  return inner === null || inner.type === 'Unknown' ? null : inner
}

/**
 * Id of the reblogged status. Lemmy groups announce the activities of their members: only a Create counts as a
 * reblog, and votes by the thousand must not be fetched.
 */
function rebloggedUri(reference: Reference, inner = passedOnActivity(reference)): string | null {
  if (inner === null) return reference.id
  return inner.type === 'Create' ? (inner.object?.id ?? null) : null
}

/** Seconds for which an isolate remembers that a status was passed on: several relays pass on the same ones. */
const rememberedSeconds = 300

const gapSeconds = 60

/** A relay names statuses of any server, which must not be hit over and over. */
const mostOfHost = 300

/** Relay passes on a status. Unknown ones are fetched from their own servers by a job; no reblog is stored. */
export async function receiveRelayed(ctx: Ctx, relay: RelaySigner, activity: Activity): Promise<Outcome> {
  if (relay.state !== 'accepted') return ignored('relayed by a relay without a subscription')
  const named = activity.object === null ? null : rebloggedUri(activity.object)
  const uri = named === null ? null : parseWebAddress(named)
  if (uri === null) return ignored('relays no identifiable status')
  if (liesOn(ctx.config.ownDomains, uri)) return ignored('relays a local status')
  if (ctx.memory.get(`relayed ${uri}`) !== null) return ignored('relayed a moment ago')
  if (await execute(ctx.db, statusKnownAt(ctx, uri))) return ignored('relays a known status')
  if (ctx.memory.increment(`relayed of ${hostOf(uri)}`, gapSeconds) > mostOfHost)
    return ignored('relayed, but its server was named too often')
  ctx.memory.set(`relayed ${uri}`, '', rememberedSeconds)
  await ctx.jobs.send({ kind: 'fetch-relayed-status', relayId: relay.id, statusUri: uri })
  return done
}

/**
 * Answer of a relay to the subscription of this server: null unless the object is a Follow by the instance actor. Only
 * the relay itself may answer, by the id of the Follow that was sent to its inbox.
 */
export function relayAnswer(ctx: Ctx, { relay }: Signer, { object }: Activity): RelayAnswer | null {
  const prefix = `${instanceActorUri(ctx.config.origin)}#follows/`
  const id = object?.id ?? ''
  const followId = id.startsWith(prefix) ? Number(id.slice(prefix.length)) : Number.NaN
  return relay === null || !Number.isSafeInteger(followId) ? null : { relayId: relay.id, followId }
}
