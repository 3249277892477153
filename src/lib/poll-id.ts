import type { PollId } from './ids'

/** Id by which clients know a poll: one that an edit restarted goes on under that of the row before it. */
export function publicPollId(poll: { readonly id: PollId; readonly publicId: PollId | null }): PollId {
  return poll.publicId ?? poll.id
}
