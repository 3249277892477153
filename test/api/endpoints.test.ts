import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { endpoints } from '../../src/api'
import type { AuthKind } from '../../src/api/endpoint'
import documented from '../data/routes.json'
import { checkEach } from '../support/check-each'
import { given } from '../support/given'
import { storedList } from '../support/given-list'
import { fetchApp } from '../support/test-app'

const origin = 'https://fieldfare.test'

/** The endpoint list against the documented routes: same paths, same callers, same scopes. */

const Route = z.object({
  method: z.string(),
  path: z.string(),
  auth: z.enum(['none', 'optional', 'app', 'user']),
  scope: z.string().nullable(),
  scope_alternatives: z.array(z.string()).optional(),
  alt_methods: z.array(z.string()).optional(),
  deprecated: z.boolean().optional(),
  returns: z.string().nullish(),
})
const routes = z.array(Route).parse(documented)

/** Routes of ours that the documentation lacks, as other software has them. */
const extensions = [
  // Glitch: emoji reactions.
  'POST /api/v1/statuses/:id/react/:name',
  'POST /api/v1/statuses/:id/unreact/:name',
  // Pleroma: the same.
  'PUT /api/v1/pleroma/statuses/:id/reactions/:emoji',
  'DELETE /api/v1/pleroma/statuses/:id/reactions/:emoji',
  'GET /api/v1/pleroma/statuses/:id/reactions',
]

/** Names of path parameters are ours to choose. */
const shape = (method: string, path: string) => `${method} ${path.replaceAll(/:\w+/g, ':')}`

const known = new Map(
  routes.flatMap((route) =>
    [route.method, ...(route.alt_methods ?? [])].map((method) => [shape(method, route.path), route] as const),
  ),
)

const callers: Readonly<Record<z.infer<typeof Route>['auth'], readonly AuthKind[]>> = {
  none: ['anyone'],
  optional: ['anyone'],
  app: ['app', 'token'],
  user: ['user', 'staff'],
}

/** Documented routes that other edges than the API serve. */
const otherEdges = /^\/(oauth|\.well-known|nodeinfo|health)/
const streams = /^\/api\/v1\/streaming/
/** Documented routes that are not JSON. */
const otherParts = /^\/api\/v\d\/streaming/

describe('the documented routes', () => {
  const served = new Set(endpoints.map(({ method, path }) => shape(method, path)))
  const everyMethod = routes
    .filter(({ path }) => !otherParts.test(path))
    .flatMap(({ method, alt_methods, path }) =>
      [method, ...(alt_methods ?? [])].map((one) => ({ method: one, path })),
    )

  const name = ({ method, path }: (typeof everyMethod)[number]) => `${method} ${path}`

  it('every documented route is in the list of endpoints, or answered elsewhere', async () => {
    await checkEach(everyMethod, { name }, async ({ method, path }) => {
      if (otherEdges.test(path) && !served.has(shape(method, path))) {
        const { response } = await fetchApp(new Request(`${origin}${path}`, { method }))
        expect([404, 405, 500]).not.toContain(response.status)
      } else expect(served.has(shape(method, path)), 'is an endpoint').toBe(true)
    })
  })
})

describe('the documented streams', () => {
  const ask = async (path: string, token: string | null) => {
    const headers = { Upgrade: 'websocket', ...(token === null ? {} : { Authorization: `Bearer ${token}` }) }
    const { response } = await fetchApp(new Request(`${origin}${path}`, { headers }))
    response.webSocket?.accept()
    response.webSocket?.close()
    await response.body?.cancel()
    return response.status
  }

  for (const { path, auth, scope, returns } of routes.filter((route) => streams.test(route.path)))
    it(`include ${path}, for ${auth === 'none' ? 'anybody' : `tokens with ${scope}`}`, async () => {
      if (auth === 'none') return expect(await ask(path, null)).toBe(200)
      const alice = await given.account({ scopes: scope ?? '' })
      const stranger = await given.account({ scopes: 'write push read:accounts' })
      const named = `${path}?tag=birds&list=${await storedList({ of: alice })}`
      expect(await ask(named, null)).toBe(401)
      expect(await ask(named, stranger.token)).toBe(401)
      expect(await ask(named, alice.token)).toBe(returns === 'websocket' ? 101 : 200)
    })
})

describe('the endpoint list', () => {
  it('declares each method and path once', () => {
    const shapes = endpoints.map(({ method, path }) => shape(method, path))
    expect(shapes.filter((one, index) => shapes.indexOf(one) !== index)).toEqual([])
  })

  it('the endpoint list has PUT and PATCH for every update, like Rails', () => {
    const all = new Set(endpoints.map(({ method, path }) => shape(method, path)))
    const alone = endpoints
      .filter(({ method }) => method === 'PUT' || method === 'PATCH')
      .filter(({ method, path }) => !all.has(shape(method === 'PUT' ? 'PATCH' : 'PUT', path)))
      .map(({ method, path }) => `${method} ${path}`)
    expect(alone.sort()).toEqual([
      // A route of its own in Mastodon, of one method.
      'PATCH /api/v1/accounts/update_credentials',
      // Puts a whole list in place of another: part of it would be no list.
      'PUT /api/fieldfare/v1/admin/rules',
      'PUT /api/v1/pleroma/statuses/:id/reactions/:emoji',
    ])
  })

  it('the endpoint list has every extension', () => {
    const all = endpoints.map(({ method, path }) => `${method} ${path}`)
    expect(extensions.filter((extension) => !all.includes(extension))).toEqual([])
  })

  const isExtension = ({ method, path }: (typeof endpoints)[number]) =>
    path.startsWith('/api/fieldfare/') || extensions.includes(`${method} ${path}`)
  it('the endpoint list has every other endpoint as documented', async () => {
    const documentedOnes = endpoints.filter((one) => !isExtension(one))
    const name = ({ method, path }: (typeof endpoints)[number]) => `${method} ${path}`
    await checkEach(documentedOnes, { name }, (endpoint) => {
      const route = known.get(shape(endpoint.method, endpoint.path))
      expect(route, 'not a documented route').toBeDefined()
      if (route === undefined) return
      expect(callers[route.auth]).toContain(endpoint.auth.kind)
      expect([route.scope, ...(route.scope_alternatives ?? [])]).toContain(endpoint.auth.scope)
      expect(endpoint.deprecatedSince !== undefined).toBe(route.deprecated === true)
    })
  })
})
