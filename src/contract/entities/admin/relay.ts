import * as z from 'zod'
import { IdString, Timestamp } from '../../scalars'

/** A relay, which passes public statuses on between servers. Own entity: Mastodon shows these on pages only. */
export const Relay = z
  .strictObject({
    id: IdString,
    inbox_url: z.string(),
    // Idle: not asked, or left. Statuses go both ways once it accepted.
    state: z.enum(['idle', 'pending', 'accepted', 'rejected']),
    created_at: Timestamp,
    updated_at: Timestamp,
  })
  .meta({ id: 'FieldfareRelay' })
export type Relay = z.infer<typeof Relay>
