import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { unstable_readConfig } from 'wrangler'
import * as z from 'zod'
import type { Result, Wrangler } from '../../../scripts/lib/deploy/wrangler.mjs'

/**
 * The commands of wrangler that a deployment runs, in this process: the same calls to the account, and output that says the
 * same as far as a deployment reads it. test/e2e/raw/wrangler-stand-in.test.ts and
 * deploy-documents.test.ts compare both.
 */
export function wranglerStandIn(api: string): Wrangler {
  return async (folder, args) => {
    const { values, positionals } = parseArgs({ args: [...args], options, allowPositionals: true })
    const [words, command] =
      commands.find(([pattern]) => pattern.every((word, index) => word === positionals[index])) ?? []
    if (words === undefined || command === undefined)
      throw new Error(`No stand-in for wrangler ${args.join(' ')}`)
    const run = new Run(api, folder, values)
    try {
      await command(run, positionals.slice(words.length))
      return run.result(0)
    } catch (failure) {
      if (!(failure instanceof Refusal)) throw failure
      return run.result(1, failure.message)
    }
  }
}

const [flag, text] = [{ type: 'boolean' } as const, { type: 'string' } as const]
const options = {
  json: flag,
  remote: flag,
  yes: flag,
  force: flag,
  minify: flag,
  'update-config': text,
  config: text,
  command: text,
  file: text,
  filename: text,
  'content-type': text,
  'cache-control': text,
  name: text,
  'secrets-file': text,
  'message-retention-period-secs': text,
  bookmark: text,
  message: text,
}

/** A failure that the command prints. */
class Refusal extends Error {}

const Envelope = z.object({
  success: z.boolean(),
  errors: z.array(z.object({ code: z.number(), message: z.string() })),
  result: z.unknown(),
})
const Database = z.object({ name: z.string(), uuid: z.string() })
const Queue = z.object({ queue_id: z.string(), queue_name: z.string() })
const Deployments = z.object({
  deployments: z.array(z.looseObject({ versions: z.array(z.object({ version_id: z.string() })) })),
})
const Bookmark = z.object({ bookmark: z.string() })
const Imported = z.object({ status: z.string().optional(), errors: z.array(z.string()).default([]) })
const Upload = z.object({ filename: z.string(), upload_url: z.string() })
const Migrated = z.array(z.object({ results: z.array(z.object({ name: z.string() })) }))
const Objects = z.array(z.object({ key: z.string(), file: z.string() }))

const Configuration = z.object({
  name: z.string(),
  main: z.string(),
  account_id: z.string(),
  vars: z.record(z.string(), z.string()),
  d1_databases: z.array(z.object({ database_id: z.string().optional() })),
  r2_buckets: z.array(z.object({ bucket_name: z.string() })),
  queues: z.object({ consumers: z.array(z.object({ queue: z.string() })).default([]) }),
  routes: z.array(z.object({ pattern: z.string(), custom_domain: z.literal(true) })).default([]),
  triggers: z.object({ crons: z.array(z.string()) }),
})

interface Sent {
  readonly query?: Readonly<Record<string, string>>
  readonly body?: BodyInit
  readonly headers?: Readonly<Record<string, string>>
}

/** Run of the command. */
class Run {
  readonly #api: string
  readonly folder: string
  readonly values: Readonly<Record<string, string | boolean | undefined>>
  readonly #printed: string[] = []

  constructor(api: string, folder: string, values: Readonly<Record<string, string | boolean | undefined>>) {
    this.#api = api
    this.folder = folder
    this.values = values
  }

  print(line: string): void {
    this.#printed.push(`${line}\n`)
  }

  printJson(value: unknown): void {
    this.print(JSON.stringify(value, null, 2))
  }

  result(code: number, error?: string): Result {
    const stdout = this.#printed.join('')
    return { code, stdout, output: error === undefined ? stdout : `${stdout}\n✘ [ERROR] ${error}\n` }
  }

  /** The configuration of the deployment. */
  get config(): z.infer<typeof Configuration> {
    const read = unstable_readConfig({ config: join(this.folder, String(this.values['config'])) })
    return Configuration.parse(read)
  }

  get account(): string {
    return `/accounts/${this.config.account_id}`
  }

  get database(): string {
    return `${this.account}/d1/database/${this.config.d1_databases[0]?.database_id}`
  }

  get script(): string {
    return `${this.account}/workers/scripts/${this.config.name}`
  }

  value(name: string): string {
    return String(this.values[name])
  }

  async call(method: string, path: string, { query = {}, body, headers = {} }: Sent = {}): Promise<unknown> {
    const address = new URL(this.#api + path)
    for (const [name, value] of Object.entries(query)) address.searchParams.set(name, value)
    const answer = await fetch(address, { method, headers, ...(body === undefined ? {} : { body }) })
    const { success, errors, result } = Envelope.parse(await answer.json())
    if (success) return result
    const reasons = errors.map(({ code, message }) => `  ${message} [code: ${code}]`)
    throw new Refusal(`A request to the Cloudflare API (${path}) failed.\n\n${reasons.join('\n')}`)
  }

  send(method: string, path: string, body: object, query: Sent['query'] = {}): Promise<unknown> {
    const headers = { 'content-type': 'application/json' }
    return this.call(method, path, { body: JSON.stringify(body), headers, query })
  }

  async queue(name: string): Promise<z.infer<typeof Queue>> {
    const query = { page: '1', name }
    const [found] = z.array(Queue).parse(await this.call('GET', `${this.account}/queues`, { query }))
    if (found !== undefined) return found
    throw new Refusal(`Queue "${name}" does not exist. To create it, run: wrangler queues create ${name}`)
  }

  query(sql: string): Promise<unknown> {
    return this.send('POST', `${this.database}/query`, { sql, params: [] })
  }

  /** Names of the migrations of the folder that the database has not. */
  async pendingMigrations(): Promise<readonly string[]> {
    await this.query(
      'CREATE TABLE IF NOT EXISTS "d1_migrations"(id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT UNIQUE, applied_at TIMESTAMP DEFAULT CURRENT_TIMESTAMP NOT NULL);',
    )
    const [found] = Migrated.parse(await this.query('SELECT * FROM "d1_migrations" ORDER BY id'))
    const applied = new Set(found?.results.map(({ name }) => name))
    const all = readdirSync(join(this.folder, 'migrations')).filter((name) => name.endsWith('.sql'))
    return all.toSorted().filter((name) => !applied.has(name))
  }
}

type Command = (run: Run, words: readonly string[]) => Promise<void>

/** Commands by their words. */
const commands: readonly (readonly [words: readonly string[], command: Command])[] = [
  [['whoami'], whoAmI],
  [['auth', 'token'], showToken],
  [['d1', 'list'], listDatabases],
  [['d1', 'create'], createDatabase],
  [['d1', 'migrations', 'list'], listMigrations],
  [['d1', 'migrations', 'apply'], applyMigrations],
  [['d1', 'time-travel', 'info'], showBookmark],
  [['d1', 'time-travel', 'restore'], restoreBookmark],
  [['d1', 'execute'], execute],
  [['r2', 'bucket', 'info'], showBucket],
  [['r2', 'bucket', 'create'], createBucket],
  [['r2', 'bulk', 'put'], putObjects],
  [['queues', 'info'], showQueue],
  [['queues', 'create'], createQueue],
  [['secret', 'list'], listSecrets],
  [['deployments', 'list'], listDeployments],
  [['deploy'], deploy],
  [['rollback'], rollBack],
]

async function whoAmI(run: Run): Promise<void> {
  await run.call('GET', '/user/tokens/verify')
  const { email } = z.object({ email: z.string() }).parse(await run.call('GET', '/user'))
  const accounts = await run.call('GET', '/accounts', { query: { page: '1' } })
  run.printJson({ loggedIn: true, authType: 'User API Token', email, accounts })
}

async function showToken(run: Run): Promise<void> {
  run.printJson({ type: 'api_token', token: 'a token of the operator' })
}

async function listDatabases(run: Run): Promise<void> {
  run.printJson(z.array(Database).parse(await run.call('GET', `${run.account}/d1/database`)))
}

async function createDatabase(run: Run, [name]: readonly string[]): Promise<void> {
  await run.send('POST', `${run.account}/d1/database`, { name })
}

async function listMigrations(run: Run): Promise<void> {
  const names = await run.pendingMigrations()
  run.print(names.length === 0 ? '✅ No migrations to apply!' : 'Migrations to be applied:')
  for (const name of names) run.print(`│ ${name} │`)
}

async function applyMigrations(run: Run): Promise<void> {
  for (const name of await run.pendingMigrations()) {
    const sql = readFileSync(join(run.folder, 'migrations', name), 'utf8')
    await run.query(`${sql}\nINSERT INTO "d1_migrations" (name)\nvalues ('${name}');`)
    run.print(`│ ${name} │ ✅ │`)
  }
}

async function showBookmark(run: Run): Promise<void> {
  await run.call('GET', run.database)
  run.printJson(Bookmark.parse(await run.call('GET', `${run.database}/time_travel/bookmark`)))
}

async function restoreBookmark(run: Run): Promise<void> {
  await run.call('GET', run.database)
  const query = { bookmark: run.value('bookmark') }
  await run.call('POST', `${run.database}/time_travel/restore`, { query })
}

async function execute(run: Run): Promise<void> {
  const { file, command } = run.values
  if (file !== undefined) return importFile(run, String(file))
  run.printJson(await run.query(String(command)))
}

async function importFile(run: Run, file: string): Promise<void> {
  const bytes = readFileSync(file)
  const etag = createHash('md5').update(bytes).digest('hex')
  const path = `${run.database}/import`
  const { filename, upload_url } = Upload.parse(await run.send('POST', path, { action: 'init', etag }))
  await fetch(upload_url, { method: 'PUT', body: new Uint8Array(bytes) })
  const { status, errors } = Imported.parse(
    await run.send('POST', path, { action: 'ingest', filename, etag }),
  )
  if (status !== 'complete') throw new Refusal(errors.join('\n'))
}

async function showBucket(run: Run, [name]: readonly string[]): Promise<void> {
  await run.call('GET', `${run.account}/r2/buckets/${name}`)
  await run.send('POST', '/graphql', {})
}

async function createBucket(run: Run, [name]: readonly string[]): Promise<void> {
  await run.send('POST', `${run.account}/r2/buckets`, { name })
}

async function putObjects(run: Run, [bucket]: readonly string[]): Promise<void> {
  const headers = {
    'content-type': run.value('content-type'),
    'cache-control': run.value('cache-control'),
  }
  for (const { key, file } of Objects.parse(JSON.parse(readFileSync(run.value('filename'), 'utf8')))) {
    const body = new Uint8Array(readFileSync(file))
    const path = `${run.account}/r2/buckets/${bucket}/objects/${key}`
    await run.call('PUT', path, { body, headers }).catch(() => {
      throw new Refusal(`Error uploading "${file}"\n\n  APIError: Failed to fetch ${path} - 403: Forbidden;`)
    })
  }
}

async function showQueue(run: Run, [name = '']: readonly string[]): Promise<void> {
  run.print(`Queue ID: ${(await run.queue(name)).queue_id}`)
}

async function createQueue(run: Run, [queue_name]: readonly string[]): Promise<void> {
  await run.send('POST', `${run.account}/queues`, { queue_name })
}

async function listSecrets(run: Run): Promise<void> {
  run.printJson(await run.call('GET', `${run.account}/workers/scripts/${run.value('name')}/secrets`))
}

async function listDeployments(run: Run): Promise<void> {
  const found = Deployments.parse(await run.call('GET', `${run.script}/deployments`))
  run.printJson(found.deployments.toReversed())
}

async function rollBack(run: Run, [version_id]: readonly string[]): Promise<void> {
  await run.call('GET', `${run.script}/versions/${version_id}`)
  await run.send('POST', `${run.script}/deployments`, {
    strategy: 'percentage',
    versions: [{ version_id, percentage: 100 }],
    annotations: { 'workers/message': run.value('message') },
  })
}

async function deploy(run: Run): Promise<void> {
  const { config, script, account } = run
  await run.send('POST', `${script}/assets-upload-session`, { manifest: {} })
  const { consumers } = config.queues
  for (const { queue } of consumers) await run.queue(queue)
  for (const { bucket_name } of config.r2_buckets)
    await run.call('GET', `${account}/r2/buckets/${bucket_name}`)
  await uploadScript(run)
  await run.send('POST', `${script}/subdomain`, { enabled: false, previews_enabled: false })
  const origins = config.routes.map(({ pattern }) => ({ hostname: pattern }))
  if (origins.length > 0)
    await run.send('POST', `${script}/domains/changeset`, origins, { replace_state: 'true' })
  const outcomes = await Promise.allSettled([
    takeDomains(run, origins),
    run.send(
      'PUT',
      `${script}/schedules`,
      config.triggers.crons.map((cron) => ({ cron })),
    ),
    ...consumers.map(async ({ queue }) => {
      const { queue_id } = await run.queue(queue)
      await run.send('POST', `${account}/queues/${queue_id}/consumers`, { script_name: config.name })
    }),
  ])
  const failed = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason] : []))
  for (const reason of failed) if (!(reason instanceof Refusal)) throw reason
  const [refused] = outcomes
  const title = refused.status === 'rejected' ? '    Custom domains:\n' : ''
  if (failed.length > 0)
    throw new Refusal(
      `Trigger configuration for "${config.name}" was only partially updated:\n\n${title}${failed.map(({ message }) => message).join('\n')}`,
    )
}

/** Takes the addresses over from whatever has them, as wrangler does without a terminal. */
async function takeDomains(run: Run, origins: readonly object[]): Promise<void> {
  if (origins.length === 0) return
  await run.send('PUT', `${run.script}/domains/records`, {
    override_scope: true,
    override_existing_origin: true,
    override_existing_dns_record: true,
    origins,
  })
}

/** The code stays where it is: what the account keeps of an upload are its secrets. */
async function uploadScript(run: Run): Promise<void> {
  const { config, values, folder } = run
  if (!existsSync(config.main)) throw new Refusal(`The entry-point file at "${config.main}" was not found.`)
  const file = values['secrets-file']
  const secrets = file === undefined ? {} : JSON.parse(readFileSync(join(folder, String(file)), 'utf8'))
  const bindings = Object.entries({ ...config.vars, ...secrets }).map(([name, value]) => ({
    name,
    type: Object.hasOwn(secrets, name) ? 'secret_text' : 'plain_text',
    text: String(value),
  }))
  const form = new FormData()
  form.set('metadata', JSON.stringify({ main_module: 'index.js', bindings }))
  await run.call('PUT', run.script, { body: form })
}
