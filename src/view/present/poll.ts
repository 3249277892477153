import type { Config } from '../../config'
import type { Poll } from '../../contract/entities/poll'
import type { EmojiSnapshot } from '../../db/values'
import { publicPollId } from '../../lib/poll-id'
import type { PollFacts } from '../load/statuses'
import { presentEmoji } from './emoji'
import { timestampOrNull } from './time'

/** Presents a poll; `votes` are the viewer's own choices, `emojis` those of its status. */
export function presentPoll(
  config: Config,
  poll: PollFacts,
  seen: { readonly now: Date; readonly viewerId: number | null; readonly votes: readonly number[] },
  emojis: readonly EmojiSnapshot[],
): Poll {
  const expired = poll.expiresAt !== null && poll.expiresAt <= seen.now
  const hidden = poll.hideTotals && !expired
  return {
    id: String(publicPollId(poll)),
    expires_at: timestampOrNull(poll.expiresAt),
    expired,
    multiple: poll.multiple,
    votes_count: poll.votesCount,
    voters_count: poll.votersCount,
    options: poll.options.map((title, index) => ({
      title,
      votes_count: hidden ? null : (poll.tallies[index] ?? 0),
    })),
    emojis: emojis
      .filter(({ shortcode }) => poll.options.some((option) => option.includes(`:${shortcode}:`)))
      .map((emoji) => presentEmoji(config, emoji, poll.accountId)),
    ...(seen.viewerId === null
      ? {}
      : {
          // The author never votes and always sees what a voter sees.
          voted: seen.votes.length > 0 || seen.viewerId === poll.accountId,
          own_votes: [...seen.votes],
        }),
  }
}
