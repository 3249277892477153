import * as z from 'zod'
import { Url } from '../scalars'

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
export type OAuthServerMetadata = z.infer<typeof OAuthServerMetadata>

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
export type UserInfo = z.infer<typeof UserInfo>
