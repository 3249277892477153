import * as z from 'zod'
import { IdString } from '../../scalars'

/** Sign-in of a member, as far as moderators decide about it. */
export const AdminSignIn = z
  .strictObject({
    account_id: IdString,
    two_factor_enabled: z.boolean(),
    // No code by mail is asked for when a sign-in looks new.
    skip_sign_in_token: z.boolean(),
  })
  .meta({ id: 'FieldfareAdminSignIn' })
export type AdminSignIn = z.infer<typeof AdminSignIn>
