import { execute } from '../../db/query'
import { done, ignored, type Outcome, rejected } from '../../domain/core/outcome'
import { receiveVote } from '../../domain/polls/receive-vote'
import { receiveForRecipient } from '../../domain/statuses/receive-for-recipient'
import { isFollowedHere } from '../../domain/statuses/remote/find-remote'
import { importStatus } from '../../domain/statuses/remote/import'
import type { RemoteStatus } from '../../domain/statuses/remote/remote-status'
import { actorUri, readStatusUri } from '../../lib/addresses'
import { sameOrigin } from '../../lib/web-address'
import type { Ctx } from '../../ports/ctx'
import type { Signer } from '../find-signer'
import { outcomeOf } from '../outcome-of'
import type { Activity } from '../vocab/activity'
import { type RemoteVote, readVote } from '../vocab/poll'
import { isStatusDocument, readStatus } from '../vocab/status'
import { isUnreadable } from '../vocab/unreadable'
import { refetchForwarded } from './forwarded'

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
