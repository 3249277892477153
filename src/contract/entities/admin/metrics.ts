import * as z from 'zod'
import { CalendarDate, Timestamp } from '../../scalars'

export const AdminCohortData = z
  .strictObject({
    date: Timestamp,
    rate: z.number(),
    value: z.string(),
  })
  .meta({ id: 'AdminCohortData' })
export type AdminCohortData = z.infer<typeof AdminCohortData>

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
export type AdminDimensionData = z.infer<typeof AdminDimensionData>

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
