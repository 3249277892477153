import * as z from 'zod'
import { IdString, Timestamp } from '../../scalars'

/** A note of a moderator about a report or an account. Own entity: Mastodon shows these on pages only. */
export const ModerationNote = z
  .strictObject({
    id: IdString,
    // Null: the operator, or a moderator whose account was deleted.
    account_id: IdString.nullable(),
    username: z.string(),
    // Exactly one of the two is set.
    report_id: IdString.nullable(),
    target_account_id: IdString.nullable(),
    content: z.string(),
    created_at: Timestamp,
  })
  .meta({ id: 'FieldfareModerationNote' })
export type ModerationNote = z.infer<typeof ModerationNote>
