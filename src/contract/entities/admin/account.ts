import * as z from 'zod'
import { IdString, Timestamp } from '../../scalars'
import { Account } from '../account'
import { Role } from '../role'

export const AdminIp = z
  .strictObject({
    ip: z.string(),
    used_at: Timestamp,
  })
  .meta({ id: 'AdminIp' })
export type AdminIp = z.infer<typeof AdminIp>

export const AdminAccount = z
  .strictObject({
    id: IdString,
    username: z.string(),
    domain: z.string().nullable(),
    created_at: Timestamp,
    // Null for remote accounts from here on: they have no user.
    email: z.string().nullable(),
    ip: z.string().nullable(),
    ips: z.array(AdminIp).nullable(),
    locale: z.string().nullable(),
    invite_request: z.string().nullable(),
    role: Role.nullable(),
    confirmed: z.boolean().nullable(),
    approved: z.boolean().nullable(),
    disabled: z.boolean().nullable(),
    // Set for remote accounts too from here on.
    sensitized: z.boolean(),
    silenced: z.boolean(),
    suspended: z.boolean(),
    account: Account,
    created_by_application_id: IdString.exactOptional(),
    invited_by_account_id: IdString.exactOptional(),
  })
  .meta({ id: 'AdminAccount' })
export type AdminAccount = z.infer<typeof AdminAccount>
