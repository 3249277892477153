import * as z from 'zod'
import { IdString, Timestamp } from '../scalars'

/** Import of the archive of an account on another server. Own entity. */
export const ArchiveImport = z
  .strictObject({
    id: IdString,
    // Id of the account on the server that made the archive.
    actor: z.string(),
    // Proof that it is the account that imports: it names it as an alias, or links to it. Null without one.
    proof: z.enum(['alias', 'link']).nullable(),
    // Statuses and reblogs imported so far, and entries that were refused.
    imported_count: z.int(),
    refused_count: z.int(),
    created_at: Timestamp,
    progressed_at: Timestamp,
  })
  .meta({ id: 'FieldfareArchiveImport' })
export type ArchiveImport = z.infer<typeof ArchiveImport>

/** Result of importing an entry of an archive. Own entity. */
export const ArchiveImportResult = z
  .strictObject({
    // Address on the old server; null where the entry has none.
    uri: z.string().nullable(),
    // `known`: imported before.
    state: z.enum(['imported', 'known', 'refused']),
    id: IdString.nullable(),
    reason: z.string().nullable(),
    // Files that were not uploaded, and which it therefore lacks.
    missing_files: z.array(z.string()),
  })
  .meta({ id: 'FieldfareArchiveImportResult' })
export type ArchiveImportResult = z.infer<typeof ArchiveImportResult>

/** Entry of an archive that was refused. Own entity. */
export const ArchiveImportRefusal = z
  .strictObject({ uri: z.string(), reason: z.string() })
  .meta({ id: 'FieldfareArchiveImportRefusal' })

/** Result of importing a favourite or bookmark. Own entity. */
export const ArchiveMarkResult = z
  .strictObject({
    uri: z.string(),
    // `unknown`: no status here has the address, or the account may not see it.
    state: z.enum(['marked', 'unknown']),
  })
  .meta({ id: 'FieldfareArchiveMarkResult' })

/** Parts of the profile that an archive filled; the others were not empty, or are not in the archive. Own entity. */
export const ArchiveProfileResult = z
  .strictObject({ restored: z.array(z.enum(['display_name', 'note', 'fields', 'avatar', 'header'])) })
  .meta({ id: 'FieldfareArchiveProfileResult' })
export type ArchiveProfileResult = z.infer<typeof ArchiveProfileResult>
