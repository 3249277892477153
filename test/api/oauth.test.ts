import { describe, expect, it } from 'vitest'
import { allScopes } from '../../src/domain/sessions/scopes'
import { assetPath } from '../../src/lib/assets'
import { anonymous, as } from '../support/as'
import { given } from '../support/given'

describe('/oauth/userinfo', () => {
  it('returns the account of a token with profile, by GET and by POST, in one round trip [T-428]', async () => {
    const alice = await given.account({ displayName: 'Alice', scopes: 'profile' })
    const answers = [await as(alice).get('/oauth/userinfo'), await as(alice).post('/oauth/userinfo', {})]
    for (const answer of answers) {
      expect(answer).toMatchObject({
        status: 200,
        body: {
          iss: 'https://fieldfare.test/',
          sub: `https://fieldfare.test/users/${alice.username}`,
          name: 'Alice',
          preferred_username: alice.username,
          profile: `https://fieldfare.test/@${alice.username}`,
          picture: `https://fieldfare.test${assetPath('avatar.webp')}`,
        },
      })
      expect(answer.costs.trips).toBeLessThanOrEqual(1)
    }
  })

  it('/oauth/userinfo is forbidden to a token with read:accounts only [T-429]', async () => {
    const alice = await given.account({ scopes: 'read:accounts' })
    expect((await as(alice).get('/oauth/userinfo')).status).toBe(403)
  })
})

describe('/.well-known/oauth-authorization-server', () => {
  it('returns the server’s metadata, without the database [T-430]', async () => {
    const answer = await anonymous.get('/.well-known/oauth-authorization-server')
    expect(answer).toMatchObject({
      status: 200,
      body: {
        issuer: 'https://fieldfare.test/',
        authorization_endpoint: 'https://fieldfare.test/oauth/authorize',
        token_endpoint: 'https://fieldfare.test/oauth/token',
        app_registration_endpoint: 'https://fieldfare.test/api/v1/apps',
        revocation_endpoint: 'https://fieldfare.test/oauth/revoke',
        userinfo_endpoint: 'https://fieldfare.test/oauth/userinfo',
        scopes_supported: [...allScopes],
        response_types_supported: ['code'],
        response_modes_supported: ['query', 'fragment', 'form_post'],
        code_challenge_methods_supported: ['S256'],
        grant_types_supported: ['authorization_code', 'client_credentials'],
        token_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post'],
      },
    })
    expect(answer.costs.trips).toBe(0)
    expect(answer.headers.get('access-control-allow-origin')).toBe('*')
  })
})
