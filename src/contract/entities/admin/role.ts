import * as z from 'zod'
import { Timestamp } from '../../scalars'

/** A role as administrators set it. Own entity: Mastodon shows these on pages only. */
export const AdminRole = z
  .strictObject({
    // Not `IdString`: the base role has the id -99.
    id: z.string(),
    name: z.string(),
    color: z.string(),
    position: z.int(),
    // Bits as in Role, without those of the base role.
    permissions: z.string(),
    permission_names: z.array(z.string()),
    highlighted: z.boolean(),
    require_two_factor: z.boolean(),
    collection_limit: z.int(),
    created_at: Timestamp,
    updated_at: Timestamp,
  })
  .meta({ id: 'FieldfareRole' })
export type AdminRole = z.infer<typeof AdminRole>
