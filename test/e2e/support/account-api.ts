import { createHash } from 'node:crypto'
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type Server } from 'node:http'
import { DatabaseSync } from 'node:sqlite'
import * as z from 'zod'

/** Cloudflare's API as far as wrangler asks it for a deployment, over what an account holds. */

interface Call {
  readonly method: string
  readonly path: string
  readonly params: URLSearchParams
  readonly body: Buffer
  readonly headers: IncomingHttpHeaders
}

/** Result of a call, or the error that the account answers with. */
type Reply =
  | { readonly result: unknown }
  | { readonly status: number; readonly code: number; readonly error: string }

const Query = z.object({
  sql: z.string(),
  params: z.array(z.union([z.string(), z.number(), z.null()])).default([]),
})
const Named = z.object({ name: z.string() })
const NamedQueue = z.object({ queue_name: z.string() })
const notFound = (code: number, error: string): Reply => ({ status: 404, code, error })

const Uploaded = z.object({
  bindings: z.array(z.object({ type: z.string(), name: z.string(), text: z.string().optional() })),
})
const Origins = z.array(z.strictObject({ hostname: z.string() }))
const Domains = z.strictObject({
  origins: Origins,
  override_scope: z.literal(true),
  override_existing_origin: z.boolean(),
  override_existing_dns_record: z.boolean(),
})
const Import = z.object({ action: z.enum(['init', 'ingest', 'poll']) })
const Deployed = z.object({ versions: z.array(z.object({ version_id: z.string() })) })

export class AccountApi {
  readonly accountId = 'a'.repeat(32)
  /** Calls, as `METHOD path`. */
  readonly calls: string[] = []
  /** Calls that changed something but rows, as `METHOD path`. */
  readonly changes: string[] = []
  readonly buckets = new Set<string>()
  readonly queues = new Map<string, string>()
  /** Objects of all buckets by their keys. */
  readonly objects = new Map<
    string,
    { readonly bytes: Buffer; readonly type: string; readonly cacheControl: string }
  >()
  /** Databases by name. */
  readonly databases = new Map<string, { readonly uuid: string; readonly rows: DatabaseSync }>()
  /** Text of the last import of a database. */
  imported = ''
  readonly versions: string[] = []
  /** Addresses that lead to the Worker. */
  domains: readonly string[] = []
  /** Addresses that lead elsewhere: to another Worker by its name, or by a DNS record. */
  readonly otherWorkers = new Map<string, string>()
  readonly dnsRecords = new Set<string>()
  readonly secrets = new Map<string, string>()
  isSignedIn = true
  /** Whether the plan of the account has queues. */
  hasQueues = true
  /** Address of the API, once it listens. */
  address = ''
  /** Answers calls whose `METHOD path` matches with an error, as often as `times` says. */
  fault: { readonly on: RegExp; times: number; readonly code: number; readonly error: string } | null = null
  readonly unknown: string[] = []
  #server: Server | null = null

  async listen(): Promise<string> {
    const server = createServer((request, response) => {
      read(request).then((call) => {
        const reply = this.#answer(call)
        response.statusCode = 'status' in reply ? reply.status : 200
        if (call.path === '/upload') response.setHeader('etag', `"${md5(call.body)}"`)
        response.setHeader('content-type', 'application/json')
        response.end(JSON.stringify(envelope(reply)))
      })
    })
    this.#server = server
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const address = server.address()
    if (address === null || typeof address === 'string') throw new Error('The API has no port')
    this.address = `http://127.0.0.1:${address.port}/client/v4`
    return this.address
  }

  close(): void {
    this.#server?.closeAllConnections()
    this.#server?.close()
  }

  #answer(call: Call): Reply {
    const name = `${call.method} ${call.path}`
    this.calls.push(name)
    if (!this.isSignedIn) return { status: 403, code: 9109, error: 'Invalid access token' }
    // As accounts of before February 2026 on the free plan.
    if (!this.hasQueues && call.path.includes('/queues'))
      return { status: 403, code: 100129, error: 'Queues are unavailable on the free plan.' }
    const { fault } = this
    if (fault !== null && fault.times > 0 && fault.on.test(name)) {
      fault.times -= 1
      return { status: 403, code: fault.code, error: fault.error }
    }
    if (call.method !== 'GET' && !call.path.endsWith('/query')) this.changes.push(name)
    for (const [method, pattern, reply] of this.#routes()) {
      const found = pattern.exec(call.path)
      if (method === call.method && found !== null) return reply(call, decodeURIComponent(found[1] ?? ''))
    }
    this.unknown.push(name)
    return notFound(7003, `No route for ${name}`)
  }

  #routes(): readonly (readonly [string, RegExp, (call: Call, name: string) => Reply])[] {
    return [
      ['GET', /^\/user$/, () => ({ result: { id: 'user', email: 'operator@example.org' } })],
      ['GET', /^\/user\/tokens\/verify$/, () => ({ result: { id: 'token', status: 'active' } })],
      ['GET', /^\/accounts$/, () => ({ result: [this.#account()] })],
      // Figures of usage, which wrangler shows where there are any.
      ['POST', /^\/graphql$/, () => ({ result: null })],
      ['GET', /^\/memberships$/, () => ({ result: [{ id: 'membership', account: this.#account() }] })],
      [
        'GET',
        /\/d1\/database$/,
        () => ({ result: [...this.databases].map(([name, { uuid }]) => ({ name, uuid })) }),
      ],
      ['POST', /\/d1\/database$/, (call) => this.#addDatabase(parse(Named, call).name)],
      ['GET', /\/d1\/database\/([^/]+)$/, (_call, uuid) => this.#database(uuid)],
      ['POST', /\/d1\/database\/([^/]+)\/query$/, (call, uuid) => this.#query(call, uuid)],
      ['POST', /\/d1\/database\/([^/]+)\/import$/, (call, uuid) => this.#import(call, uuid)],
      ['PUT', /^\/upload$/, ({ body }) => this.#keepUpload(body)],
      ['PUT', /\/r2\/buckets\/[^/]+\/objects\/(.+)$/, (call, key) => this.#putObject(call, key)],
      ['GET', /\/time_travel\/bookmark$/, () => ({ result: { bookmark: `mark-${this.versions.length}` } })],
      ['POST', /\/time_travel\/restore$/, (call) => ({ result: { bookmark: call.params.get('bookmark') } })],
      ['GET', /\/r2\/buckets\/([^/]+)$/, (_call, name) => this.#bucket(name)],
      ['POST', /\/r2\/buckets$/, (call) => this.#addBucket(parse(Named, call).name)],
      ['GET', /\/queues$/, (call) => ({ result: this.#queuesNamed(call.params.get('name')) })],
      ['GET', /\/workers\/services\/([^/]+)$/, () => this.#service()],
      [
        'GET',
        /\/workers\/scripts\/[^/]+\/secrets$/,
        () => ({ result: [...this.secrets.keys()].map((name) => ({ name, type: 'secret_text' })) }),
      ],
      ['DELETE', /\/workers\/scripts\/[^/]+\/secrets\/([^/]+)$/, (_call, name) => this.#forget(name)],
      [
        'GET',
        /\/workers\/scripts\/[^/]+\/deployments$/,
        () => ({ result: { deployments: this.#deployments() } }),
      ],
      ['POST', /\/workers\/scripts\/[^/]+\/deployments$/, (call) => this.#activate(call)],
      [
        'GET',
        /\/workers\/workers\/[^/]+$/,
        () => ({
          result: {
            id: 'worker',
            name: 'worker',
            tags: [],
            subdomain: { enabled: false, previews_enabled: false },
          },
        }),
      ],
      [
        'GET',
        /\/workers\/scripts\/[^/]+\/versions\/([^/]+)$/,
        (_call, id) => ({ result: this.#version(id) }),
      ],
      ['GET', /\/workers\/scripts\/[^/]+\/settings$/, () => ({ result: { bindings: [] } })],
      ['GET', /\/queues\/[^/]+\/consumers$/, () => ({ result: [] })],
      ['POST', /\/queues\/[^/]+\/consumers$/, () => ({ result: {} })],
      ['PUT', /\/queues\/[^/]+\/consumers\/[^/]+$/, () => ({ result: {} })],
      ['POST', /\/assets-upload-session$/, () => ({ result: { jwt: 'assets', buckets: [] } })],
      ['GET', /\/accounts\/[^/]+\/workers\/subdomain$/, () => ({ result: { subdomain: 'birds' } })],
      ['PUT', /\/schedules$/, () => ({ result: { schedules: [] } })],
      [
        'POST',
        /\/workers\/scripts\/[^/]+\/subdomain$/,
        () => ({ result: { enabled: false, previews_enabled: false } }),
      ],
      [
        'GET',
        /\/workers\/scripts\/[^/]+\/subdomain$/,
        () => ({ result: { enabled: false, previews_enabled: false } }),
      ],
      ['POST', /\/domains\/changeset$/, (call) => this.#changeset(call)],
      [
        'GET',
        /\/workers\/domains\/records\/([^/]+)$/,
        (_call, hostname) => ({
          result: { id: hostname, hostname, service: this.otherWorkers.get(hostname) },
        }),
      ],
      ['PUT', /\/domains\/records$/, (call) => this.#route(call)],
      ['PUT', /\/workers\/scripts\/([^/]+)$/, (call) => this.#upload(call)],
      ['POST', /\/workers\/scripts\/[^/]+\/versions$/, (call) => this.#upload(call)],
      ['POST', /\/queues$/, (call) => this.#addQueue(parse(NamedQueue, call).queue_name)],
    ]
  }

  #account() {
    return { id: this.accountId, name: 'Operator' }
  }

  #addDatabase(name: string): Reply {
    const uuid = `00000000-0000-4000-8000-${String(this.databases.size + 1).padStart(12, '0')}`
    this.databases.set(name, { uuid, rows: new DatabaseSync(':memory:') })
    return { result: { name, uuid } }
  }

  #database(uuid: string): Reply {
    const found = [...this.databases].find(([, one]) => one.uuid === uuid)
    return found === undefined
      ? notFound(7404, 'The database was not found')
      : { result: { name: found[0], uuid, version: 'production' } }
  }

  #query(call: Call, uuid: string): Reply {
    const { sql, params } = parse(Query, call)
    const database = [...this.databases.values()].find((one) => one.uuid === uuid)
    if (database === undefined) return notFound(7404, 'The database was not found')
    try {
      if (params.length === 0 && !/^\s*(select|pragma)/i.test(sql)) {
        database.rows.exec(sql)
        return { result: [{ results: [], success: true, meta: {} }] }
      }
      return { result: [{ results: database.rows.prepare(sql).all(...params), success: true, meta: {} }] }
    } catch (failure) {
      return { status: 400, code: 7500, error: failure instanceof Error ? failure.message : String(failure) }
    }
  }

  /** A file of statements: announced, uploaded, and run whole or not at all. */
  #import(call: Call, uuid: string): Reply {
    const { action } = parse(Import, call)
    if (action === 'init')
      return {
        result: { success: true, filename: 'import.sql', upload_url: `${this.address}/upload` },
      }
    const { rows } = [...this.databases.values()].find((one) => one.uuid === uuid) ?? {}
    try {
      rows?.exec('begin')
      rows?.exec(this.imported)
      rows?.exec('commit')
    } catch (failure) {
      rows?.exec('rollback')
      const reason = failure instanceof Error ? failure.message : String(failure)
      return { result: { success: true, type: 'import', status: 'error', messages: [], errors: [reason] } }
    }
    const meta = { duration: 1, rows_read: 1, rows_written: 1, size_after: 1 }
    const result = { num_queries: 1, final_bookmark: 'mark', meta }
    return { result: { success: true, type: 'import', status: 'complete', messages: [], result } }
  }

  #keepUpload(body: Buffer): Reply {
    this.imported = body.toString()
    return { result: null }
  }

  #putObject({ body, headers }: Call, key: string): Reply {
    const { 'content-type': type = '', 'cache-control': cacheControl = '' } = headers
    this.objects.set(key, { bytes: body, type, cacheControl })
    return { result: {} }
  }

  #bucket(name: string): Reply {
    return this.buckets.has(name)
      ? { result: { name } }
      : notFound(10006, 'The specified bucket does not exist.')
  }

  #addBucket(name: string): Reply {
    this.buckets.add(name)
    return { result: { name } }
  }

  /** Newest first, as the API lists them. */
  #deployments() {
    const all = this.versions.map((version_id, index) => ({
      id: `deployment-${index}`,
      source: 'wrangler',
      strategy: 'percentage',
      author_email: 'operator@example.org',
      created_on: new Date(Date.UTC(2026, 0, 1, index)).toISOString(),
      annotations: {},
      versions: [{ version_id, percentage: 100 }],
    }))
    return all.toReversed()
  }

  #version(id: string) {
    const metadata = {
      author_email: 'operator@example.org',
      created_on: new Date(0).toISOString(),
      source: 'wrangler',
    }
    return {
      id,
      number: 1,
      metadata,
      annotations: {},
      resources: { bindings: [], script: { etag: id, handlers: [] } },
    }
  }

  #activate(call: Call): Reply {
    for (const { version_id } of parse(Deployed, call).versions) this.versions.push(version_id)
    return { result: { id: 'deployment' } }
  }

  /** Changes that a Worker's addresses would make; the account knows no Worker before its first upload. */
  #changeset(call: Call): Reply {
    if (this.versions.length === 0) return notFound(10007, 'This Worker does not exist on your account.')
    const hosts = parse(Origins, call).map(({ hostname }) => hostname)
    const domain = (hostname: string) => ({ id: hostname, hostname, zone_name: 'example.org' })
    const isReplaced = call.params.get('replace_state') === 'true'
    return {
      result: {
        added: hosts.filter((host) => !this.domains.includes(host)).map(domain),
        updated: hosts
          .filter((host) => this.otherWorkers.has(host))
          .map((host) => ({ ...domain(host), modified: true })),
        conflicting: hosts.filter((host) => this.dnsRecords.has(host)).map(domain),
        removed: this.domains.filter((host) => isReplaced && !hosts.includes(host)).map(domain),
      },
    }
  }

  /** Leads addresses to the Worker, away from others only where the call says so. */
  #route(call: Call): Reply {
    const { origins, ...overrides } = parse(Domains, call)
    const hosts = origins.map(({ hostname }) => hostname)
    const [taken] = hosts.filter((host) => this.otherWorkers.has(host))
    if (taken !== undefined && !overrides.override_existing_origin)
      return {
        status: 409,
        code: 100_116,
        error: `Hostname '${taken}' already in use by other custom domain.`,
      }
    const [recorded] = hosts.filter((host) => this.dnsRecords.has(host))
    if (recorded !== undefined && !overrides.override_existing_dns_record)
      return {
        status: 409,
        code: 100_117,
        error: `Hostname '${recorded}' already has externally managed DNS records (A, CNAME, etc).`,
      }
    for (const host of hosts) {
      this.otherWorkers.delete(host)
      this.dnsRecords.delete(host)
    }
    this.domains = hosts
    return { result: {} }
  }

  #service(): Reply {
    if (this.versions.length === 0) return notFound(10090, 'This service does not exist')
    return {
      result: {
        default_environment: {
          environment: 'production',
          script: { tag: 'tag', last_deployed_from: 'wrangler' },
        },
      },
    }
  }

  #upload({ body }: Call): Reply {
    const metadata = /name="metadata"\r\n\r\n(.+?)\r\n--/s.exec(body.toString('latin1'))?.[1] ?? '{}'
    for (const { type, name, text } of Uploaded.parse(JSON.parse(metadata)).bindings)
      if (type === 'secret_text') this.secrets.set(name, text ?? '')
    this.versions.push(`version-${this.versions.length + 1}`)
    return {
      result: {
        id: this.versions.at(-1),
        deployment_id: this.versions.at(-1),
        startup_time_ms: 5,
        entry_point: 'index.js',
        tag: 'tag',
      },
    }
  }

  #forget(secret: string): Reply {
    return this.secrets.delete(secret) ? { result: null } : notFound(10056, 'The secret was not found')
  }

  #queuesNamed(name: string | null) {
    return [...this.queues]
      .filter(([queue]) => name === null || queue === name)
      .map(([queue_name, queue_id]) => ({ queue_id, queue_name, producers: [], consumers: [], settings: {} }))
  }

  #addQueue(name: string): Reply {
    this.queues.set(name, `queue-${this.queues.size}`)
    return { result: { queue_id: this.queues.get(name), queue_name: name } }
  }
}

const md5 = (bytes: Buffer) => createHash('md5').update(bytes).digest('hex')

function envelope(reply: Reply) {
  if ('status' in reply)
    return {
      success: false,
      errors: [{ code: reply.code, message: reply.error }],
      messages: [],
      result: null,
    }
  const count = Array.isArray(reply.result) ? reply.result.length : 1
  const page = { page: 1, per_page: 100, count, total_count: count, total_pages: 1 }
  return { success: true, errors: [], messages: [], result: reply.result, result_info: page }
}

function parse<T>(schema: z.ZodType<T>, { body }: Call): T {
  return schema.parse(JSON.parse(body.toString()))
}

async function read(request: IncomingMessage): Promise<Call> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(Buffer.from(chunk))
  const { pathname, searchParams } = new URL(request.url ?? '/', 'http://api.test')
  return {
    method: request.method ?? 'GET',
    path: pathname.replace('/client/v4', ''),
    params: searchParams,
    body: Buffer.concat(chunks),
    headers: request.headers,
  }
}
