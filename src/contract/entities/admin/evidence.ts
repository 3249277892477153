import * as z from 'zod'
import { Html, IdString, Timestamp, Url } from '../../scalars'

/**
 * A status as it was when it was reported or led to a strike. Own entity: Mastodon keeps the deleted status itself for
 * thirty days.
 */
export const Evidence = z
  .strictObject({
    id: IdString,
    status_id: IdString,
    account_id: IdString,
    // The status no longer exists.
    deleted: z.boolean(),
    url: Url,
    visibility: z.enum(['public', 'unlisted', 'private', 'direct']),
    content: Html,
    spoiler_text: z.string(),
    sensitive: z.boolean(),
    language: z.string().nullable(),
    in_reply_to_id: IdString.nullable(),
    media_attachments: z.array(
      z.strictObject({
        id: IdString,
        type: z.string(),
        // For moderators, an endpoint that needs their token. Null: the file is gone, or shown to moderators only.
        url: Url.nullable(),
        // A smaller picture of it, in the same way.
        preview_url: Url.nullable(),
        description: z.string().nullable(),
      }),
    ),
    poll_options: z.array(z.string()).nullable(),
    created_at: Timestamp,
    edited_at: Timestamp.nullable(),
    kept_at: Timestamp,
  })
  .meta({ id: 'FieldfareEvidence' })
export type Evidence = z.infer<typeof Evidence>

/** A collection as it was when it was reported or led to a strike. */
export const CollectionEvidence = z
  .strictObject({
    id: IdString,
    collection_id: IdString,
    account_id: IdString,
    // The collection no longer exists.
    deleted: z.boolean(),
    url: Url,
    name: z.string(),
    description: Html,
    sensitive: z.boolean(),
    tag: z.string().nullable(),
    // Handles, those asked for consent included.
    members: z.array(z.string()),
    created_at: Timestamp,
    kept_at: Timestamp,
  })
  .meta({ id: 'FieldfareCollectionEvidence' })
export type CollectionEvidence = z.infer<typeof CollectionEvidence>
