import * as z from 'zod'
import { Html, IdString, Timestamp } from '../scalars'
import { Account } from './account'
import { CustomEmoji } from './custom-emoji'
import { MediaAttachment } from './media-attachment'
import { quoteOrNull } from './status'

export const StatusEdit = z
  .strictObject({
    content: Html,
    spoiler_text: Html,
    sensitive: z.boolean(),
    created_at: Timestamp,
    account: Account,
    poll: z.strictObject({ options: z.array(z.strictObject({ title: z.string() })) }).exactOptional(),
    media_attachments: z.array(MediaAttachment),
    emojis: z.array(CustomEmoji),
    quote: quoteOrNull().exactOptional(),
  })
  .meta({ id: 'StatusEdit' })
export type StatusEdit = z.infer<typeof StatusEdit>

export const StatusSource = z
  .strictObject({
    id: IdString,
    text: z.string(),
    spoiler_text: z.string(),
  })
  .meta({ id: 'StatusSource' })
export type StatusSource = z.infer<typeof StatusSource>
