import * as z from 'zod'
import { CountString, UnixTimeString } from '../scalars'

export const InstanceActivity = z
  .strictObject({
    week: UnixTimeString,
    statuses: CountString,
    logins: CountString,
    registrations: CountString,
  })
  .meta({ id: 'InstanceActivity' })
export type InstanceActivity = z.infer<typeof InstanceActivity>
