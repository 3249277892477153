import * as z from 'zod'
import { Html, Timestamp } from '../scalars'

export const Field = z
  .strictObject({
    name: z.string(),
    value: Html,
    verified_at: Timestamp.nullable(),
  })
  .meta({ id: 'Field' })
export type Field = z.infer<typeof Field>

export const ProfileField = z
  .strictObject({
    name: z.string(),
    value: z.string(),
    verified_at: Timestamp.nullable(),
  })
  .meta({ id: 'ProfileField' })
export type ProfileField = z.infer<typeof ProfileField>
