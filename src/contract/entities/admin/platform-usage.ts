import * as z from 'zod'
import { Timestamp } from '../../scalars'

/** Usage of the platform's quotas. Own entity. */
export const PlatformUsage = z
  .strictObject({
    plan: z.enum(['free', 'paid']),
    measured_at: Timestamp,
    // Midnight in UTC, at which quotas of a day begin anew.
    resets_at: Timestamp,
    // Work given up until then, in the order in which it is given up.
    paused: z.array(z.enum(['imports', 'backfill', 'previews', 'trends', 'public_timelines', 'inbox'])),
    quotas: z.array(
      z.strictObject({
        name: z.enum([
          'requests',
          'rows_read',
          'rows_written',
          'object_calls',
          'queue_operations',
          'storage_writes',
          'storage_reads',
          'image_transformations',
          'mails',
          'database_bytes',
          'media_bytes',
        ]),
        period: z.enum(['day', 'month', 'total']),
        used: z.number(),
        limit: z.int(),
        // 1 at the limit.
        share: z.number(),
        // Whether calls fail beyond the limit; otherwise they are billed.
        hard: z.boolean(),
        // At the end of the day or month, or in 30 days for what is stored. Null where too little is known.
        forecast: z.int().nullable(),
        // Null where the limit is not reached before that.
        full_at: Timestamp.nullable(),
      }),
    ),
    // Counts of today without a quota. CPU time is not known to a Worker: the dashboard of Cloudflare shows it.
    outgoing_requests: z.int(),
    statements: z.int(),
  })
  .meta({ id: 'FieldfareUsage' })
export type PlatformUsage = z.infer<typeof PlatformUsage>
