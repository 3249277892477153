import * as z from 'zod'
import { Url } from '../scalars'

export const Invite = z
  .strictObject({
    invite_code: z.string(),
    instance_api_url: Url,
  })
  .meta({ id: 'Invite' })
export type Invite = z.infer<typeof Invite>
