import * as z from 'zod'
import { IdString, Timestamp, Url } from '../../scalars'

/** An invitation as staff sees it. Own entity: Mastodon manages invitations on pages only. */
export const AdminInvite = z
  .strictObject({
    id: IdString,
    code: z.string(),
    url: Url,
    // The member who invites.
    account_id: IdString,
    username: z.string(),
    state: z.enum(['usable', 'used_up', 'expired']),
    uses: z.int(),
    // Null: unlimited.
    max_uses: z.int().nullable(),
    autofollow: z.boolean(),
    expires_at: Timestamp.nullable(),
    created_at: Timestamp,
  })
  .meta({ id: 'FieldfareInvite' })
export type AdminInvite = z.infer<typeof AdminInvite>
