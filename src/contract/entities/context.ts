import * as z from 'zod'
import { Status } from './status'

export const Context = z
  .strictObject({
    ancestors: z.array(Status),
    descendants: z.array(Status),
  })
  .meta({ id: 'Context' })
export type Context = z.infer<typeof Context>
