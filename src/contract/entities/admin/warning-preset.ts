import * as z from 'zod'
import { IdString, Timestamp } from '../../scalars'

/** Text that moderators put into warnings. */
export const WarningPreset = z
  .strictObject({
    id: IdString,
    title: z.string(),
    text: z.string(),
    created_at: Timestamp,
    updated_at: Timestamp,
  })
  .meta({ id: 'FieldfareWarningPreset' })
export type WarningPreset = z.infer<typeof WarningPreset>
