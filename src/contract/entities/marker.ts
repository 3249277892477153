import * as z from 'zod'
import { IdString, Timestamp } from '../scalars'

export const Marker = z
  .strictObject({
    last_read_id: IdString,
    version: z.int(),
    updated_at: Timestamp,
  })
  .meta({ id: 'Marker' })
export type Marker = z.infer<typeof Marker>
