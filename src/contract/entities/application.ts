import * as z from 'zod'
import { IdString, Url } from '../scalars'

export const Application = z
  .strictObject({
    id: IdString,
    name: z.string(),
    website: Url.nullable(),
    scopes: z.array(z.string()),
    redirect_uris: z.array(z.string()),
    redirect_uri: z.string(),
    vapid_key: z.string(),
  })
  .meta({ id: 'Application' })
export type Application = z.infer<typeof Application>

export const CredentialApplication = Application.extend({
  client_id: z.string(),
  client_secret: z.string(),
  // Unix time; 0 means never.
  client_secret_expires_at: z.int(),
}).meta({ id: 'CredentialApplication' })
export type CredentialApplication = z.infer<typeof CredentialApplication>
