import * as z from 'zod'
import { IdString, Timestamp } from '../../scalars'
import { AdminAccount } from './account'

/** An access token, without the token itself. Own entity. */
export const AdminToken = z
  .strictObject({
    id: IdString,
    application: z.string(),
    scopes: z.array(z.string()),
    created_at: Timestamp,
    last_used_at: Timestamp.nullable(),
  })
  .meta({ id: 'FieldfareAdminToken' })
export type AdminToken = z.infer<typeof AdminToken>

/** A generated password, shown this once. Own entity. */
export const GeneratedPassword = z
  .strictObject({ password: z.string() })
  .meta({ id: 'FieldfareGeneratedPassword' })

/** A new account with its password, shown this once. Own entity. */
export const CreatedAccount = z
  .strictObject({ account: AdminAccount, password: z.string() })
  .meta({ id: 'FieldfareCreatedAccount' })
