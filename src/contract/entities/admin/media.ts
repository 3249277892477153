import * as z from 'zod'

/** A part of the files of the bucket that was looked through. Own entity. */
export const CleanedMedia = z
  .strictObject({
    files: z.int().min(0),
    bytes: z.int().min(0),
    /** Files that nothing names; deleted, but for a dry run. */
    orphans: z.int().min(0),
    orphan_bytes: z.int().min(0),
    /** Value of `after` for the next part. */
    next: z.string().nullable(),
  })
  .meta({ id: 'FieldfareCleanedMedia' })
