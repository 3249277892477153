import * as z from 'zod'
import { IdString, Timestamp } from '../scalars'

/** Archive of the account of the viewer. Own entity. */
export const AccountArchive = z
  .strictObject({
    id: IdString,
    state: z.enum(['making', 'ready']),
    size_bytes: z.int().nullable(),
    created_at: Timestamp,
    ready_at: Timestamp.nullable(),
    // Time of its deletion; null until it is ready.
    expires_at: Timestamp.nullable(),
  })
  .meta({ id: 'FieldfareAccountArchive' })
export type AccountArchive = z.infer<typeof AccountArchive>
