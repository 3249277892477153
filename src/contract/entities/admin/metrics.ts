import * as z from 'zod'
import { CalendarDate, Timestamp } from '../../scalars'

export const AdminCohortData = z
  .strictObject({
    date: Timestamp,
    rate: z.number(),
    value: z.string(),
  })
  .meta({ id: 'AdminCohortData' })

export const AdminCohort = z
  .strictObject({
    period: Timestamp,
    frequency: z.enum(['day', 'month']),
    data: z.array(AdminCohortData),
  })
  .meta({ id: 'AdminCohort' })
export type AdminCohort = z.infer<typeof AdminCohort>

export const AdminDimensionData = z
  .strictObject({
    key: z.string(),
    human_key: z.string().nullable(),
    value: z.string(),
    unit: z.string().exactOptional(),
    human_value: z.string().exactOptional(),
  })
  .meta({ id: 'AdminDimensionData' })

export const AdminDimension = z
  .strictObject({
    key: z.string(),
    data: z.array(AdminDimensionData),
  })
  .meta({ id: 'AdminDimension' })
export type AdminDimension = z.infer<typeof AdminDimension>

export const AdminMeasure = z
  .strictObject({
    key: z.string(),
    unit: z.string().nullable(),
    total: z.string(),
    human_value: z.string().exactOptional(),
    previous_total: z.string().exactOptional(),
    data: z.array(z.strictObject({ date: z.union([CalendarDate, Timestamp]), value: z.string() })),
  })
  .meta({ id: 'AdminMeasure' })
export type AdminMeasure = z.infer<typeof AdminMeasure>

/** Usage of the platform's quotas. Own entity. */
export const PlatformUsage = z
  .strictObject({
    plan: z.enum(['free', 'paid']),
    measured_at: Timestamp,
    // Midnight in UTC, at which quotas of a day start again.
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
