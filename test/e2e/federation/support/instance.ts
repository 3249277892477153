import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createTestHarness, unstable_splitSqlQuery } from 'wrangler'
import * as z from 'zod'
import { bundle, everyMigration, quiet, root } from '../../../../scripts/lib/server.mjs'
import type { Router } from './router'

/** A Fieldfare among several on this machine, with a database, objects and queues of its own. */
export interface Instance {
  readonly name: string
  readonly domain: string
  readonly origin: string
  fetch(path: string, init?: RequestInit): Promise<Response>
  /** Address on this machine, for sockets, which no `fetch` opens. */
  address(): Promise<string>
  /** Calls the setup API as an operator's command does; anything but 200 fails. */
  setup(path: string, body: object, method?: 'POST' | 'PUT'): Promise<unknown>
  /** A member with a token of all scopes. */
  member(username: string): Promise<Person>
  /** Stops the runtime and starts it again on what it had stored. */
  restart(): Promise<void>
  /** Fires the cron triggers once, or once for each minute of the last hour, in which every periodic task has its turn. */
  tick(options?: { readonly wholeHour: boolean }): Promise<void>
  /** Rows of its database. */
  query(sql: string, ...values: readonly unknown[]): Promise<readonly Record<string, unknown>[]>
  /** Number of deliveries that wait in the courier to `host`. */
  waiting(host: string): Promise<number>
  /** Lets what waits for `host` be tried now, as if the time until the next try had passed. */
  hurry(host: string): Promise<void>
  /** Log lines since the start. */
  log(): readonly string[]
  /** Lines of the log that say something went wrong. */
  complaints(): readonly string[]
  close(): Promise<void>
}

export interface Person {
  readonly instance: Instance
  readonly id: string
  readonly username: string
  /** `name@host`, as others find them. */
  readonly handle: string
  readonly uri: string
  readonly token: string
}

type Bindings = { readonly DB: D1Database; readonly COURIER: Env['COURIER'] }

const setupToken = 'a-setup-token-for-tests'

export interface InstanceOptions {
  readonly vars?: Readonly<Record<string, string>>
  /** Another entry than the project's own, as an absolute path. */
  readonly main?: string
}

/** Opens an instance at `https://<name>.test` that meets others through `router`. */
export async function openInstance(name: string, router: Router, options: InstanceOptions = {}) {
  Object.assign(process.env, quiet)
  const domain = `${name}.test`
  const origin = `https://${domain}`
  const folder = await mkdtemp(join(tmpdir(), `fieldfare-${name}-`))
  const configPath = join(folder, 'wrangler.toml')
  await writeFile(configPath, await configOf(name, options.main))
  const secrets = {
    INSTANCE_SECRET: `the secret of ${name} has at least 32 letters`,
    SETUP_TOKEN: setupToken,
  }
  const prebuilt = options.main === undefined ? { prebuiltWorkerDir: await bundleInto(folder) } : {}
  const worker = { configPath, vars: { ORIGIN: origin, ...options.vars }, secrets, ...prebuilt }
  const harness = createTestHarness({ root, workers: [worker] })
  await harness.listen()
  const handle = () => harness.getWorker<Bindings>(name)
  const { DB } = await handle().getEnv()
  // In one call: wrangler makes two for each migration.
  await DB.batch(unstable_splitSqlQuery(everyMigration()).map((sql) => DB.prepare(sql)))
  router.add(domain, (request) => dispatch(request))

  /** The Worker sees the address others know, whatever port it listens on. */
  async function dispatch(request: Request): Promise<Response> {
    const { method, headers } = request
    const body = request.body === null ? null : await request.arrayBuffer()
    const answer = await handle().fetch(request.url, {
      method,
      headers: [...headers],
      redirect: 'manual',
      ...(body === null ? {} : { body }),
    })
    const { status } = answer
    const bare = status === 204 || status === 304
    return new Response(bare ? null : await answer.arrayBuffer(), { status, headers: [...answer.headers] })
  }

  const instance: Instance = {
    name,
    domain,
    origin,
    fetch: (path, init) => dispatch(new Request(new URL(path, origin), init)),
    address: async () => (await harness.listen()).url.href,
    setup: (path, body, method = 'POST') => order(instance, { path, body, method }),
    member: (username) => makeMember(instance, username),
    restart: () => harness.update((current) => ({ ...current })),
    tick: async ({ wholeHour } = { wholeHour: false }) => {
      const minutes = wholeHour ? 60 : 1
      const now = Date.now()
      for (let ago = minutes - 1; ago >= 0; ago -= 1)
        await handle().scheduled({ cron: '* * * * *', scheduledTime: new Date(now - ago * 60_000) })
    },
    query: async (sql, ...values) => {
      const { DB } = await handle().getEnv()
      const found = await DB.prepare(sql)
        .bind(...values)
        .all()
      return found.results
    },
    waiting: async (host) => {
      const storage = await handle().getDurableObjectStorage('COURIER', { name: host })
      // A courier that was never used has no tables.
      if ((await storage.exec("select name from sqlite_master where name = 'parcels'")).length === 0) return 0
      const [found] = await storage.exec('select count(*) as count from parcels where done_at is null')
      return Number(found?.['count'])
    },
    hurry: async (host) => {
      const storage = await handle().getDurableObjectStorage('COURIER', { name: host })
      await storage.exec('update parcels set next_at = 0 where done_at is null')
      await storage.exec('update heads set next_at = 0')
      const { COURIER } = await handle().getEnv()
      // An empty hand-over makes a courier look at its alarm times.
      await COURIER.get(COURIER.idFromName(host)).hand(host, [])
    },
    log: () => harness.getLogs().map(({ message }) => message),
    complaints: () =>
      harness
        .getLogs()
        .map(({ message }) => message)
        .filter((line) => line.includes('"level":"error"') || /uncaught/i.test(line)),
    close: async () => {
      await harness.close()
      await rm(folder, { recursive: true, force: true })
    },
  }
  return instance
}

let bundling: Promise<unknown> = Promise.resolve()

/** Puts the project's bundle into `folder`. One after the other: the first makes it, the others find it kept. */
function bundleInto(folder: string): Promise<string> {
  const made = bundling.then(() => bundle(folder))
  bundling = made.catch(() => undefined)
  return made
}

async function order(
  instance: Instance,
  { path, body, method }: { readonly path: string; readonly body: object; readonly method: 'POST' | 'PUT' },
): Promise<unknown> {
  const answer = await instance.fetch(path.startsWith('/') ? path : `/setup/${path}`, {
    method,
    headers: { authorization: `Bearer ${setupToken}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  if (answer.status !== 200) throw new Error(`/setup/${path}: ${answer.status} ${await answer.text()}`)
  return answer.json()
}

const Made = z.object({ id: z.string(), token: z.string() })

async function makeMember(instance: Instance, username: string): Promise<Person> {
  const made = await instance.setup('account', { username, display_name: username })
  const { id, token } = Made.parse(made)
  const handle = `${username}@${instance.domain}`
  return { instance, id, username, handle, uri: `${instance.origin}/users/${username}`, token }
}

/** The project's own configuration under other names: what two instances share would be shared by both. */
async function configOf(name: string, main?: string): Promise<string> {
  const text = await readFile(join(root, 'wrangler.full.toml'), 'utf8')
  return text
    .replaceAll('"fieldfare', `"${name}`)
    .replace(/main = "(.*)"/, (_line, usual) => `main = "${main ?? `${root}${usual}`}"`)
    .replaceAll('"./src/', `"${root}src/`)
    .replace('migrations_dir = "', `migrations_dir = "${root}`)
    .replace('directory = "', `directory = "${root}`)
}
