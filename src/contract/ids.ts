import type { AccountId, PollId } from '../lib/ids'

/**
 * The instance actor: its id is below every generated one, and no user belongs to it. Never listed, found or
 * shown.
 */
export const instanceActorId: AccountId = -99

/**
 * Suspended account that has the statuses whose removal takes several parts: the rule of visibility hides them from
 * all accounts, their author included. Never listed, found or shown.
 */
export const removedAuthorId: AccountId = -98

/** Id by which clients know a poll: one that an edit restarted continues under that of the row before it. */
export function publicPollId(poll: { readonly id: PollId; readonly publicId: PollId | null }): PollId {
  return poll.publicId ?? poll.id
}
