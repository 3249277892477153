import * as z from 'zod'
import { Timestamp } from '../../scalars'

/** Alerts to the operator by their causes, those that last first. Own entity. */
export const Alerts = z
  .strictObject({
    alerts: z.array(
      z.strictObject({
        cause: z.string(),
        /** Number of what failed, or percent of a quota. */
        figure: z.int(),
        text: z.string(),
        since: Timestamp,
        notified_at: Timestamp,
        resolved_at: Timestamp.nullable(),
      }),
    ),
  })
  .meta({ id: 'FieldfareAlerts' })

/** Number of alerts that were queued. Own entity. */
export const SentAlerts = z
  .strictObject({
    count: z.int().min(0),
    /** Whether the settings want mail, and the server sends none. */
    lacks_mail: z.boolean(),
  })
  .meta({ id: 'FieldfareSentAlerts' })

/** Secret of the webhook of alerts. Own entity. */
export const AlertsSecret = z.strictObject({ secret: z.string() }).meta({ id: 'FieldfareAlertsSecret' })
