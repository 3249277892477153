import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { deploy } from '../../../scripts/lib/deploy/deploy.mjs'
import { rollBack } from '../../../scripts/lib/deploy/roll-back.mjs'
import { secretsWithToken } from '../../../scripts/lib/deploy/secrets.mjs'
import { verify } from '../../../scripts/lib/deploy/verify.mjs'
import { root, type Server } from '../../../scripts/lib/server.mjs'
import { AccountApi } from './account-api'
import { startDeployedWorker } from './deployed-worker'

interface Outcome {
  /** Lines that the command printed. */
  readonly text: string
  /** Message of its failure; null where it succeeded. */
  readonly failure: string | null
}

let made = 0

/** A fresh clone and an empty account, to which the real wrangler deploys. */
export class Deployment {
  readonly clone: string
  domain: string
  readonly account = new AccountApi()
  #folder: string
  #api = ''
  #server: Promise<Server> | null = null
  /** Proxy between the network and the Worker; `send` is the way through. */
  between: (request: Request, send: (request: Request) => Promise<Response>) => Promise<Response> = (
    request,
    send,
  ) => send(request)

  private constructor() {
    made += 1
    this.domain = `social${made}.example.org`
    this.#folder = mkdtempSync(join(tmpdir(), 'fieldfare-deploy-'))
    this.clone = join(this.#folder, 'clone')
    mkdirSync(this.clone)
    for (const name of ['wrangler.toml', 'package.json', 'tsconfig.json', 'migrations'])
      cpSync(join(root, name), join(this.clone, name), { recursive: true })
    for (const name of ['src', 'public', 'node_modules'])
      symlinkSync(join(root, name), join(this.clone, name))
  }

  static async open(): Promise<Deployment> {
    const deployment = new Deployment()
    deployment.#api = await deployment.account.listen()
    return deployment
  }

  async close(): Promise<void> {
    this.account.close()
    await (await this.#server)?.stop()
    rmSync(this.#folder, { recursive: true, force: true, maxRetries: 5 })
  }

  /** Another empty account and a fresh clone for the same address. */
  static async openFor(domain: string): Promise<Deployment> {
    const deployment = await Deployment.open()
    deployment.domain = domain
    return deployment
  }

  get answers() {
    return { domain: this.domain, owner: 'alice', email: 'alice@example.org', plan: 'paid' }
  }

  deploy(options: object = {}): Promise<Outcome> {
    return this.#run((order) => deploy({ ...order, options, pause: async () => undefined }))
  }

  /** Looks at the deployed server from outside; names of the checks that failed, and why. */
  async problems(): Promise<Readonly<Record<string, string>>> {
    const found: Record<string, string> = {}
    const order = { origin: `https://${this.domain}`, owner: 'alice', secrets: secretsWithToken(this.clone) }
    await this.#run(async () => {
      for (const { name, problem } of await verify(order)) if (problem !== null) found[name] = problem
    })
    return found
  }

  rollBack(options: object): Promise<Outcome> {
    return this.#run((order) => rollBack({ ...order, options }))
  }

  /** Calls since the `count` first that changed the account. */
  changesSince(count: number): readonly string[] {
    const prefix = `/accounts/${this.account.accountId}`
    return this.account.changes.slice(count).map((change) => change.replace(prefix, ''))
  }

  /** Rows of the deployed database. */
  query(sql: string): readonly object[] {
    const [database] = this.account.databases.values()
    if (database === undefined) throw new Error('The account has no database')
    return database.rows.prepare(sql).all()
  }

  async #run(
    perform: (order: {
      readonly folder: string
      readonly log: (line: string) => void
      readonly question: null
    }) => Promise<void>,
  ): Promise<Outcome> {
    const lines: string[] = []
    const environment = {
      CLOUDFLARE_API_BASE_URL: this.#api,
      CLOUDFLARE_API_TOKEN: 'a token of the operator',
    }
    const realFetch = globalThis.fetch
    Object.assign(process.env, environment)
    globalThis.fetch = (input, init) => this.#reach(realFetch, new Request(input, init))
    try {
      await perform({ folder: this.clone, log: (line) => void lines.push(line), question: null })
      return { text: lines.join('\n'), failure: null }
    } catch (failure) {
      return { text: lines.join('\n'), failure: failure instanceof Error ? failure.message : String(failure) }
    } finally {
      globalThis.fetch = realFetch
      for (const name of Object.keys(environment)) Reflect.deleteProperty(process.env, name)
    }
  }

  /** Requests to the domain reach the Worker, which runs here with the secrets that were uploaded. */
  async #reach(realFetch: typeof fetch, request: Request): Promise<Response> {
    const { host } = new URL(request.url)
    if (host !== this.domain) return realFetch(request)
    if (!this.account.domains.includes(host))
      throw new TypeError('fetch failed', { cause: new Error(`getaddrinfo ENOTFOUND ${host}`) })
    this.#server ??= startDeployedWorker(this.#folder, this)
    const { origin } = await this.#server
    return this.between(request, async (passed) => {
      const { pathname, search } = new URL(passed.url)
      const { method, headers } = passed
      const body = method === 'GET' ? null : await passed.text()
      return realFetch(origin + pathname + search, { method, headers, body })
    })
  }
}
