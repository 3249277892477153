import { sql } from 'drizzle-orm'
import { OAuthServerMetadata, UserInfo } from '../contract/entities/oauth'
import { constant } from '../db/query'
import { responseModes } from '../domain/sessions/authorize'
import { allScopes } from '../domain/sessions/scopes'
import { loadAccounts } from '../view/load/accounts'
import { presentAccount } from '../view/present/account'
import { anyone, type Endpoint, readEndpoint, user } from './endpoint'

/** OpenID Connect claims about the token holder. */
function userInfo(method: 'GET' | 'POST'): Endpoint {
  return readEndpoint({
    method,
    path: '/oauth/userinfo',
    summary: 'Who holds this token',
    auth: user('profile'),
    output: UserInfo,
    read: (ctx, { as }) => loadAccounts(ctx, sql`select ${as.id} as id, 1 as cursor`),
    show({ config }, { viewer, found }) {
      const account = presentAccount(config, found, viewer.id)
      return {
        iss: `${config.origin}/`,
        sub: account.uri,
        name: account.display_name === '' ? account.username : account.display_name,
        preferred_username: account.username,
        profile: account.url ?? account.uri,
        picture: account.avatar,
      }
    },
  })
}

export const oauth = [
  userInfo('GET'),
  userInfo('POST'),
  readEndpoint({
    path: '/.well-known/oauth-authorization-server',
    summary: 'What this authorization server can do (RFC 8414)',
    auth: anyone(),
    maxAgeSeconds: 3_600,
    output: OAuthServerMetadata,
    read: () => constant(null),
    show({ config: { origin, sourceUrl } }) {
      return {
        issuer: `${origin}/`,
        service_documentation: sourceUrl,
        authorization_endpoint: `${origin}/oauth/authorize`,
        token_endpoint: `${origin}/oauth/token`,
        app_registration_endpoint: `${origin}/api/v1/apps`,
        revocation_endpoint: `${origin}/oauth/revoke`,
        userinfo_endpoint: `${origin}/oauth/userinfo`,
        scopes_supported: [...allScopes],
        response_types_supported: ['code'],
        response_modes_supported: [...responseModes],
        code_challenge_methods_supported: ['S256'],
        grant_types_supported: ['authorization_code', 'client_credentials'],
        token_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post'],
      }
    },
  }),
]
