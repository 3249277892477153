import type { Status } from '../../contract/entities/status'
import type { StatusEdit } from '../../contract/entities/status-edit'
import { readableSince } from '../../domain/policy/visibility'
import type { EditFacts } from '../load/edits'
import type { StatusFacts } from '../load/statuses'
import { accountEntity } from './account'
import { presentEmoji } from './emoji'
import { presentAttachment } from './media'
import type { PresentContext } from './status'
import { timestamp } from './time'

/**
 * Presents every version of a status that the viewer may read, oldest first, the current one last. The quote is
 * the same in each.
 */
export function presentEdits(
  { config }: PresentContext,
  { status, author, role, poll, viewer }: StatusFacts,
  earlier: readonly EditFacts[],
  quote: Status['quote'],
): StatusEdit[] {
  const latest = {
    ...status,
    createdAt: status.editedAt ?? status.createdAt,
    pollOptions: poll?.options ?? null,
  }
  const since = readableSince(viewer.viewerId, status, viewer)
  const readable = earlier.filter(({ createdAt }) => createdAt.getTime() >= since)
  return [...readable, latest].map((version) => ({
    content: version.content,
    spoiler_text: version.spoilerText,
    sensitive: version.sensitive,
    created_at: timestamp(version.createdAt),
    account: accountEntity(config, author, role),
    ...(version.pollOptions === null
      ? {}
      : { poll: { options: version.pollOptions.map((title) => ({ title })) } }),
    media_attachments: version.attachments.map((attachment) =>
      presentAttachment(config, attachment, status.accountId),
    ),
    emojis: version.emojis.map((emoji) => presentEmoji(config, emoji, status.accountId)),
    ...(quote === null ? {} : { quote }),
  }))
}
