import * as z from 'zod'

const id = z.number().int()

/** What happened. Ids only: a consumer reloads and tolerates absence. Every kind has its effects in jobs/effects.ts. */
export const DomainEvent = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('account.unlocked'), accountId: id }),
  z.object({
    kind: z.literal('domain.blocked'),
    accountId: id,
    domain: z.string(),
    // The follows that the block ended: afterwards nothing else tells.
    followedIds: z.array(id),
    followerIds: z.array(id),
  }),
  // Its pictures have to go.
  z.object({ kind: z.literal('domain.limited'), domain: z.string() }),
  z.object({ kind: z.literal('follow.created'), accountId: id, targetAccountId: id }),
  // The follow may be none any more, or never have been one: then its id there is all that names it.
  z.object({
    kind: z.literal('follow.rejected'),
    accountId: id,
    targetAccountId: id,
    uri: z.string().nullable(),
  }),
  // doerId: who ended it, where that is not the follower.
  z.object({
    kind: z.literal('follow.removed'),
    accountId: id,
    targetAccountId: id,
    doerId: id.optional(),
  }),
  // Somebody of this server wants to follow somebody of another.
  z.object({ kind: z.literal('follow.requested'), accountId: id, targetAccountId: id }),
  z.object({ kind: z.literal('files.unused'), keys: z.array(z.string()) }),
  // Another server passed on that something happened to this object; only its own can tell.
  z.object({ kind: z.literal('hint.received'), uri: z.string() }),
  z.object({
    kind: z.literal('mail.wanted'),
    accountId: id,
    purpose: z.enum(['confirm', 'reset', 'approved']),
  }),
  // What a status answers is on another server and unknown here; `levels` tells how many may be fetched in a row.
  z.object({ kind: z.literal('thread.wanted'), statusId: id, levels: id }),
  // The answers to a status of another server may be unknown here; `levels` deep.
  z.object({ kind: z.literal('replies.wanted'), statusId: id, levels: id }),
  // The posts of an account of another server are unknown here, but for those that were sent.
  z.object({ kind: z.literal('backfill.wanted'), accountId: id }),
  // Confirmed and approved for the first time.
  z.object({ kind: z.literal('member.joined'), accountId: id }),
])
export type DomainEvent = z.infer<typeof DomainEvent>
export type EventKind = DomainEvent['kind']
