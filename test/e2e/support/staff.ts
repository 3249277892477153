import { giveRole } from './administer'
import { mastoAnonymous, mastoOAuth } from './masto'
import { ownServer } from './operator'
import { authorize, authorizeUrl, signUp } from './sign-in'
import { Visitor } from './visitor'

const redirectUri = 'https://desk.example/callback'
const scopes = 'read write follow push admin:read admin:write'

export interface Staff {
  readonly username: string
  readonly token: string
}

/** A member with this role, signed in by an app for moderators: as one signs up, gets the role and consents. */
export async function newStaff(role: 'owner' | 'admin' | 'moderator'): Promise<Staff> {
  const visitor = new Visitor()
  const member = await signUp(visitor)
  await giveRole(ownServer(), member.username, role)
  const { clientId, clientSecret } = await mastoAnonymous().v1.apps.create({
    clientName: 'Desk',
    redirectUris: redirectUri,
    scopes,
  })
  if (typeof clientId !== 'string' || typeof clientSecret !== 'string')
    throw new Error('The application was registered without keys')
  const asked = authorizeUrl({
    response_type: 'code',
    client_id: clientId,
    redirect_uri: redirectUri,
    scope: scopes,
  })
  const page = await authorize(visitor, member, asked)
  const code = page.url.searchParams.get('code')
  if (code === null) throw new Error(`No code, but ${page.url.href}: ${page.text}`)
  const token = await mastoOAuth().token.create({
    grantType: 'authorization_code',
    clientId,
    clientSecret,
    redirectUri,
    code,
  })
  return { username: member.username, token: token.accessToken }
}
