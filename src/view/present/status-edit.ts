import type { Status } from '../../contract/entities/status'
import type { StatusEdit } from '../../contract/entities/status-edit'
import type { EditFacts } from '../load/edits'
import type { StatusFacts } from '../load/statuses'
import { accountEntity } from './account'
import { presentEmoji } from './emoji'
import { presentAttachment } from './media'
import type { Showing } from './status'
import { timestamp } from './time'

/** All versions of a status, oldest first, the latest last. What it quotes is the same in all. */
export function presentEdits(
  { config }: Showing,
  { status, author, role, poll }: StatusFacts,
  earlier: readonly EditFacts[],
  quote: Status['quote'],
): StatusEdit[] {
  const latest = {
    ...status,
    createdAt: status.editedAt ?? status.createdAt,
    pollOptions: poll?.options ?? null,
  }
  return [...earlier, latest].map((version) => ({
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
