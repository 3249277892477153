import { Hono } from 'hono'
import { documentRoutes } from '../../src/activitypub/routes/documents'
import type { Verify } from '../../src/activitypub/routes/respond'
import type { AppEnv } from '../../src/ports/app-env'
import type { Overrides } from '../../src/wire'
import { context } from './test-app'

interface Remote {
  readonly id: number
  readonly uri: string
  readonly username: string
  readonly domain: string
}

/** Verification result of a request that `remote` signed. */
export function signedBy(remote: Remote, facts: { readonly suspended?: boolean } = {}): Verify {
  const { id, uri, username, domain } = remote
  const signer = {
    id,
    uri,
    username,
    domain,
    followers: null,
    limit: null,
    relay: null,
    suspended: false,
    ...facts,
  }
  return async () => ({ kind: 'signed', signer })
}

/** Asks for a document with a signature of which only the verdict matters. */
export async function askAs(verify: Verify, path: string, overrides: Overrides = {}) {
  const ctx = context(overrides)
  const app = new Hono<AppEnv>()
  app.use('*', async (c, next) => {
    c.set('ctx', ctx)
    await next()
  })
  app.route('/', documentRoutes(verify))
  const headers = { accept: 'application/activity+json', signature: 'judged elsewhere' }
  const response = await app.request(new URL(path, 'https://fieldfare.test').href, { headers })
  const body: unknown = response.headers.get('content-type')?.includes('json')
    ? await response.json()
    : await response.text()
  return { status: response.status, body, headers: response.headers }
}
