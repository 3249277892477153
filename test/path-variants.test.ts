import { beforeAll, describe, expect, it } from 'vitest'
import { buildApp } from '../src/app'
import { checkEach } from './support/check-each'
import { fediverse } from './support/fediverse'
import { given, type TestAccount } from './support/given'
import { context, fetchApp } from './support/test-app'

const origin = 'https://fieldfare.test'

async function answerTo(path: string, init: RequestInit = {}) {
  const { response } = await fetchApp(new Request(origin + path, { redirect: 'manual', ...init }))
  response.webSocket?.accept()
  const type = response.headers.get('content-type')
  // A redirect to the sign-in page carries the path as it was asked for.
  const location = response.headers.get('location')?.replace(/%2F$/, '')
  return { status: response.status, type, location, text: steady(await response.text()) }
}

/** Without what differs from one answer to the next. */
const steady = (text: string) =>
  text
    .replaceAll(/name="csrf_token" value="[^"]*"/g, '')
    // The way to the sign-in page on pages of failures, too.
    .replaceAll(/(return_to=[^"]*)%2F"/g, '$1"')
    .replaceAll(/(data-options="[^"]*challenge&quot;:&quot;)[^"&]*/g, '$1')

describe('a slash at the end of a path', () => {
  const samples: Readonly<Record<string, string>> = { handle: '@nobody', id: '1', key: 'a/b.png' }
  const paths = buildApp(() => context())
    .routes.filter(({ method, path }) => (method === 'GET' || method === 'ALL') && !path.includes('*'))
    .map(({ path }) => path.replaceAll(/:(\w+)(\{[^}]*\})?/g, (_, parameter) => samples[parameter] ?? 'none'))

  it('a trailing slash changes no response', async () => {
    await checkEach([...new Set(paths)], { name: (path) => path }, async (path) => {
      expect(await answerTo(`${path}/`)).toEqual(await answerTo(path))
    })
  })
})

describe('existing paths', () => {
  let alice: TestAccount
  let status: string
  beforeAll(async () => {
    alice = await given.account()
    status = (await given.status({ by: alice })).id
  })
  const fill = (path: string) => path.replaceAll('NAME', alice.username).replaceAll('ID', String(status))
  const asDocument = { headers: { accept: 'application/activity+json' } }

  it.each(['/@NAME', '/@NAME/ID', '/users/NAME', '/users/NAME/statuses/ID', '/about', '/auth/sign_in'])(
    'serves the page at %s/',
    async (path) => {
      const bare = await answerTo(fill(path))
      expect([200, 301]).toContain(bare.status)
      expect(await answerTo(`${fill(path)}/`)).toEqual(bare)
    },
  )

  const documents = [
    ...['', '/outbox', '/followers', '/following', '/collections/featured', '/collections/tags'].map(
      (path) => `/users/NAME${path}`,
    ),
    ...['', '/activity', '/replies', '/likes', '/shares'].map((path) => `/users/NAME/statuses/ID${path}`),
    '/@NAME',
    '/@NAME/ID',
    '/actor',
    '/actor/outbox',
  ]
  const otherDocuments = [
    '/.well-known/nodeinfo',
    '/nodeinfo/2.0',
    '/nodeinfo/2.1',
    '/.well-known/host-meta.json',
    '/api/openapi.json',
  ]
  it.each([...documents, ...otherDocuments])('serves the document at %s/', async (path) => {
    const bare = await answerTo(fill(path), asDocument)
    expect([bare.status, bare.type]).toEqual([200, expect.stringContaining('json')])
    expect(await answerTo(`${fill(path)}/`, asDocument)).toEqual(bare)
  })

  it.each(documents)('serves the document at %s.json, whatever else a request accepts', async (path) => {
    const bare = await answerTo(fill(path), asDocument)
    expect(await answerTo(`${fill(path)}.json`, { headers: { accept: 'text/html' } })).toEqual(bare)
  })

  it('finds the account by WebFinger in each spelling', async () => {
    const query = `?resource=acct:${alice.username}@fieldfare.test`
    const bare = await answerTo(`/.well-known/webfinger${query}`)
    expect(bare.status).toBe(200)
    for (const end of ['/', '.json'])
      expect(await answerTo(`/.well-known/webfinger${end}${query}`)).toEqual(bare)
  })

  it('answers 404 in JSON where a missing path is requested as JSON', async () => {
    expect(await answerTo('/@nobody_here.json')).toMatchObject({
      status: 404,
      text: JSON.stringify({ error: 'Record not found' }),
    })
  })
})

describe('a request to a path with a slash', () => {
  it.each(['/oauth/token', '/oauth/revoke', '/auth/sign_in', '/setup/owner'])(
    'a request to %s with a slash is served',
    async (path) => {
      const init = {
        method: 'POST',
        headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
        body: 'a=b',
      }
      const bare = await answerTo(path, init)
      expect(bare.status).not.toBe(404)
      expect(await answerTo(`${path}/`, init)).toEqual(bare)
    },
  )

  it('verifies a signed request with the slash in its path', async () => {
    const [alice, peer] = [await given.account(), await given.peer()]
    const follow = peer.follow(fediverse.local(alice))
    for (const to of ['/inbox/', `/users/${alice.username}/inbox/`])
      expect([to, (await peer.send(follow, { to })).status]).toEqual([to, 202])
    expect((await peer.send(follow, { to: '/inbox/', pathSigned: '/inbox' })).status).toBe(401)
  })
})
