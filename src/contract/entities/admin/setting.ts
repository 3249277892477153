import * as z from 'zod'
import { Timestamp } from '../../scalars'

/** A setting with its type, bounds and default. Own entity: Mastodon shows settings on pages only. */
export const Setting = z
  .strictObject({
    // As in `npx fieldfare settings`.
    name: z.string(),
    type: z.enum(['text', 'integer', 'boolean', 'choice', 'list', 'file']),
    nullable: z.boolean(),
    // Values of a choice; empty for other types.
    choices: z.array(z.string()),
    // Bounds of an integer.
    minimum: z.int().nullable(),
    maximum: z.int().nullable(),
    value: z.unknown(),
    default: z.unknown(),
    // Null where it was never saved.
    updated_at: Timestamp.nullable(),
  })
  .meta({ id: 'FieldfareSetting' })
export type Setting = z.infer<typeof Setting>
