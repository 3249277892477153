import * as z from 'zod'
import { IdString, Url } from '../scalars'

/** RFC 8414. */
export const OAuthServerMetadata = z
  .strictObject({
    issuer: Url,
    service_documentation: Url,
    authorization_endpoint: Url,
    token_endpoint: Url,
    app_registration_endpoint: Url,
    revocation_endpoint: Url,
    userinfo_endpoint: Url,
    scopes_supported: z.array(z.string()),
    response_types_supported: z.array(z.string()),
    response_modes_supported: z.array(z.string()),
    code_challenge_methods_supported: z.array(z.string()),
    grant_types_supported: z.array(z.string()),
    token_endpoint_auth_methods_supported: z.array(z.string()),
  })
  .meta({ id: 'OAuthServerMetadata' })

/** OpenID Connect claims of the token holder. */
export const UserInfo = z
  .strictObject({
    iss: Url,
    sub: Url,
    name: z.string(),
    preferred_username: z.string(),
    profile: Url,
    picture: Url,
  })
  .meta({ id: 'UserInfo' })

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

export const Token = z
  .strictObject({
    access_token: z.string(),
    token_type: z.string(),
    // Separated by spaces.
    scope: z.string(),
    // Unix time in seconds.
    created_at: z.int(),
    // Lower bound in seconds; absent for a token that lasts until revoked (RFC 6749, 5.1).
    expires_in: z.int().optional(),
  })
  .meta({ id: 'Token' })
export type Token = z.infer<typeof Token>

/** The documented entity `Error`, under a name that does not shadow the language's own. */
export const ErrorBody = z
  .strictObject({
    error: z.string(),
    error_description: z.string().exactOptional(),
    // Sign-up only: the errors of each field.
    details: z
      .record(
        z.string(),
        z.array(
          z.strictObject({ error: z.string().exactOptional(), description: z.string().exactOptional() }),
        ),
      )
      .exactOptional(),
  })
  .meta({ id: 'Error' })
