import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { convertV4MiniflareOptions, Miniflare } from 'miniflare'
import { afterAll, beforeAll, expect, it } from 'vitest'
import * as z from 'zod'
import { bundle } from '../../../scripts/lib/server.mjs'
import { cachedSeconds } from '../../../src/ports/app-env'
import { fillInstanceFolder, newInstanceFolder } from '../support/instance-folder'

const origin = 'http://localhost:8787'
const setupToken = 'a token to set the server up'
const names = ['here', 'elsewhere'] as const

/** Options of the Worker beside its bundle. */
const Described = z.looseObject({ entry: z.string() })

let folder = ''
let server: Miniflare

/** Entry of a Worker whose clock stands still at the milliseconds that the last request to /clock named. */
const entry = `import worker from './index.js'
export * from './index.js'
let now = 0
globalThis.Date = new Proxy(Date, {
  construct: (target, given) => Reflect.construct(target, given.length === 0 ? [now] : given),
  get: (target, name) => (name === 'now' ? () => now : Reflect.get(target, name)),
})
export default {
  ...worker,
  fetch(request, env, lifetime) {
    const { pathname, searchParams } = new URL(request.url)
    if (pathname !== '/clock') return worker.fetch(request, env, lifetime)
    now = Number(searchParams.get('now'))
    return Response.json({})
  },
}`

/** Two Workers of the built bundle, each with an isolate and a clock of its own, over one database. */
beforeAll(async () => {
  folder = newInstanceFolder('fieldfare-isolates-')
  const [path] = await Promise.all([bundle(folder), fillInstanceFolder(folder)])
  const described = Described.parse(JSON.parse(readFileSync(join(path, 'worker.json'), 'utf8')))
  const {
    entry: index,
    assets: _assets,
    cronTriggers: _crons,
    queueConsumers: _queues,
    modulesRules: _rules,
    ...options
  } = described
  const contents = readFileSync(join(path, index), 'utf8')
  server = new Miniflare(
    convertV4MiniflareOptions({
      cf: false,
      port: 0,
      resourcePersistencePath: join(folder, 'v3'),
      workers: names.map((name) => ({
        ...options,
        name,
        modules: [
          { type: 'ESModule', path: 'entry.mjs', contents: entry },
          { type: 'ESModule', path: 'index.js', contents },
        ],
        bindings: {
          ORIGIN: origin,
          INSTANCE_SECRET: 'a secret of enough characters for a test',
          SETUP_TOKEN: setupToken,
        },
      })),
    }),
  )
})

afterAll(async () => {
  await server?.dispose()
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
})

async function call(
  name: (typeof names)[number],
  method: string,
  path: string,
  token?: string,
  body?: unknown,
) {
  const worker = await server.getWorker(name)
  const answer = await worker.fetch(origin + path, {
    method,
    headers: {
      accept: 'application/activity+json',
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  return { status: answer.status, body: await answer.json() }
}

const nameOf = async (worker: (typeof names)[number]) =>
  z.object({ name: z.string() }).parse((await call(worker, 'GET', '/users/ada')).body).name

const setClocks = (now: number) => Promise.all(names.map((name) => call(name, 'GET', `/clock?now=${now}`)))

it('serves a change at once from the isolate that made it, and within seconds from others', async () => {
  const start = Date.now()
  await setClocks(start)
  const made = await call('here', 'POST', '/setup/account', setupToken, { username: 'ada' })
  const { token } = z.object({ token: z.string() }).parse(made.body)
  const rename = (name: string) =>
    call('here', 'PATCH', '/api/v1/accounts/update_credentials', token, { display_name: name })
  await rename('Before')
  expect([await nameOf('here'), await nameOf('elsewhere')]).toEqual(['Before', 'Before'])

  await setClocks(start + 1_000)
  expect((await rename('After')).status).toBe(200)
  expect(await nameOf('here')).toBe('After')
  // Two isolates they are: the other one has the old name for some time, and never again after it had the new one.
  expect(await nameOf('elsewhere')).toBe('Before')
  await setClocks(start + cachedSeconds.people * 1_000 - 1)
  expect(await nameOf('elsewhere')).toBe('Before')
  for (const later of [0, 1, cachedSeconds.people * 1_000, 60_000]) {
    await setClocks(start + cachedSeconds.people * 1_000 + later)
    expect(await nameOf('elsewhere'), `${later} ms later`).toBe('After')
  }
})
