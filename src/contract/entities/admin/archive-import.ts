import * as z from 'zod'
import { IdString, Timestamp } from '../../scalars'

/** An import of the archive of an account on another server, as staff sees it. Own entity. */
export const AdminArchiveImport = z
  .strictObject({
    id: IdString,
    // The member who imports.
    account_id: IdString,
    username: z.string(),
    // Id of the account on the server that made the archive; empty where it was not recorded yet.
    actor: z.string(),
    // Proof that it is the member: it names it as an alias, or links to it. Null without one.
    proof: z.enum(['alias', 'link']).nullable(),
    // Statuses and reblogs, and the bytes of their rows.
    imported_count: z.int(),
    bytes: z.int(),
    files_count: z.int(),
    file_bytes: z.int(),
    created_at: Timestamp,
    progressed_at: Timestamp,
    // Time at which staff removed it. Its statuses are gone once `imported_count` is 0.
    removed_at: Timestamp.nullable(),
  })
  .meta({ id: 'FieldfareAdminArchiveImport' })
export type AdminArchiveImport = z.infer<typeof AdminArchiveImport>
