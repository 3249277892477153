import { execFile } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { convertV4MiniflareOptions, Miniflare } from 'miniflare'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { unstable_getMiniflareWorkerOptions, unstable_splitSqlQuery } from 'wrangler'
import * as z from 'zod'
import { quiet, root } from '../../../scripts/lib/server.mjs'
import { cachedSeconds } from '../../../src/platform/app-env'

const origin = 'http://localhost:8787'
const setupToken = 'a token to set the server up'
const names = ['here', 'elsewhere'] as const

let folder = ''
let server: Miniflare

/** Two Workers of the built bundle, each with an isolate of its own, over one database. */
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'fieldfare-isolates-'))
  await promisify(execFile)('npx', ['wrangler', 'deploy', '--dry-run', '--outdir', folder], {
    cwd: root,
    env: { ...process.env, ...quiet },
  })
  const { workerOptions } = unstable_getMiniflareWorkerOptions(join(root, 'wrangler.toml'))
  const { assets: _assets, cronTriggers: _crons, queueConsumers: _queues, ...options } = workerOptions
  const contents = await readFile(join(folder, 'index.js'), 'utf8')
  server = new Miniflare(
    convertV4MiniflareOptions({
      cf: false,
      port: 0,
      workers: names.map((name) => ({
        ...options,
        name,
        modules: [{ type: 'ESModule', path: 'index.js', contents }],
        bindings: {
          ORIGIN: origin,
          INSTANCE_SECRET: 'a secret of enough characters for a test',
          SETUP_TOKEN: setupToken,
        },
      })),
    }),
  )
  const db = await server.getD1Database('DB', 'here')
  for (const file of (await readdir(join(root, 'migrations'))).toSorted()) {
    const text = await readFile(join(root, 'migrations', file), 'utf8')
    await db.batch(unstable_splitSqlQuery(text).map((statement) => db.prepare(statement)))
  }
})

afterAll(async () => {
  await server.dispose()
  await rm(folder, { recursive: true, force: true })
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

it('serves a change at once where it was made, and within seconds from other isolates', async () => {
  const made = await call('here', 'POST', '/setup/account', setupToken, { username: 'ada' })
  const { token } = z.object({ token: z.string() }).parse(made.body)
  const rename = (name: string) =>
    call('here', 'PATCH', '/api/v1/accounts/update_credentials', token, { display_name: name })
  await rename('Before')
  expect([await nameOf('here'), await nameOf('elsewhere')]).toEqual(['Before', 'Before'])

  expect((await rename('After')).status).toBe(200)
  const changedAt = Date.now()
  expect(await nameOf('here')).toBe('After')
  const seen: string[] = []
  do {
    seen.push(await nameOf('elsewhere'))
    await new Promise((resolve) => setTimeout(resolve, 50))
  } while (Date.now() < changedAt + cachedSeconds.people * 1000)
  expect(await nameOf('elsewhere')).toBe('After')
  // Two isolates they are: the other one had the old name for some time, and never again after it had the new one.
  expect(seen[0]).toBe('Before')
  const first = seen.indexOf('After')
  expect(first === -1 || seen.slice(first).every((name) => name === 'After')).toBe(true)
})
