import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { deploy } from '../../../scripts/lib/deploy/deploy.mjs'
import { rollBack } from '../../../scripts/lib/deploy/roll-back.mjs'
import { secretsWithToken } from '../../../scripts/lib/deploy/secrets.mjs'
import { verify } from '../../../scripts/lib/deploy/verify.mjs'
import type { Wrangler } from '../../../scripts/lib/deploy/wrangler.mjs'
import { root } from '../../../scripts/lib/server.mjs'
import { AccountApi } from './account-api'
import { wranglerStandIn } from './wrangler-stand-in'

interface Outcome {
  /** Lines that the command printed. */
  readonly text: string
  /** Message of its failure; null where it succeeded. */
  readonly failure: string | null
}

/** A Worker that runs on this machine, with the token that it was given. */
export interface RunningWorker {
  readonly origin: string
  readonly secrets: { readonly SETUP_TOKEN?: string }
}

interface Order {
  readonly folder: string
  readonly log: (line: string) => void
  readonly question: ((question: string) => Promise<string>) | null
  readonly runWrangler: Wrangler
}

/** Makes `folder` a clone, as far as `npm run deploy` reads one. */
export function makeClone(folder: string): void {
  mkdirSync(folder)
  for (const name of ['wrangler.full.toml', 'package.json', 'tsconfig.json', 'migrations'])
    cpSync(join(root, name), join(folder, name), { recursive: true })
  for (const name of ['src', 'public', 'node_modules']) symlinkSync(join(root, name), join(folder, name))
}

/** A fresh clone and an empty account, to which the stand-in for wrangler deploys. */
export class Deployment {
  readonly clone: string
  readonly domain: string
  readonly account = new AccountApi()
  readonly #folder = mkdtempSync(join(tmpdir(), 'fieldfare-deploy-'))
  readonly #worker: (account: AccountApi) => Promise<RunningWorker>
  #runWrangler: Wrangler = wranglerStandIn('')
  /** Proxy between the network and the Worker; `send` is the way through. */
  between: (request: Request, send: (request: Request) => Promise<Response>) => Promise<Response> = (
    request,
    send,
  ) => send(request)

  private constructor(domain: string, worker: (account: AccountApi) => Promise<RunningWorker>) {
    this.domain = domain
    this.#worker = worker
    this.clone = join(this.#folder, 'clone')
    makeClone(this.clone)
  }

  /** `worker` is the Worker to which the domain leads once it was deployed; without one, no server answers. */
  static async open(
    domain: string,
    worker: (account: AccountApi) => Promise<RunningWorker> = unreachable,
  ): Promise<Deployment> {
    const deployment = new Deployment(domain, worker)
    deployment.#runWrangler = wranglerStandIn(await deployment.account.listen())
    return deployment
  }

  close(): void {
    this.account.close()
    rmSync(this.#folder, { recursive: true, force: true, maxRetries: 5 })
  }

  get answers() {
    return { domain: this.domain, owner: 'alice', email: 'alice@example.org', plan: 'paid' }
  }

  /** `question` answers what the terminal asks; without it nobody can answer. */
  deploy(options: object = {}, question: Order['question'] = null): Promise<Outcome> {
    return this.#run((order) => deploy({ ...order, options, question, pause: async () => undefined }))
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

  /** Makes the database one of a server with a member. */
  addMember(): void {
    const [database] = this.account.databases.values()
    database?.rows.exec(
      'pragma foreign_keys = off; drop table users; create table users (account_id integer)',
    )
    database?.rows.exec('insert into users values (1)')
  }

  /** Rows of the deployed database. */
  query(sql: string): readonly object[] {
    const [database] = this.account.databases.values()
    if (database === undefined) throw new Error('The account has no database')
    return database.rows.prepare(sql).all()
  }

  async #run(perform: (order: Order) => Promise<void>): Promise<Outcome> {
    const lines: string[] = []
    const realFetch = globalThis.fetch
    globalThis.fetch = (input, init) => this.#reach(realFetch, new Request(input, init))
    try {
      await perform({
        folder: this.clone,
        log: (line) => void lines.push(line),
        question: null,
        runWrangler: this.#runWrangler,
      })
      return { text: lines.join('\n'), failure: null }
    } catch (failure) {
      return { text: lines.join('\n'), failure: failure instanceof Error ? failure.message : String(failure) }
    } finally {
      globalThis.fetch = realFetch
    }
  }

  /** Requests to the domain reach the Worker. */
  async #reach(realFetch: typeof fetch, request: Request): Promise<Response> {
    const { host, pathname, search } = new URL(request.url)
    if (host === 'api.cloudflare.com')
      return realFetch(
        new Request(this.account.address + pathname.replace('/client/v4', '') + search, request),
      )
    if (host !== this.domain) return realFetch(request)
    if (!this.account.domains.includes(host))
      throw new TypeError('fetch failed', { cause: new Error(`getaddrinfo ENOTFOUND ${host}`) })
    const worker = await this.#worker(this.account)
    return this.between(request, async (passed) => {
      const { pathname, search } = new URL(passed.url)
      const { method, headers } = passed
      const body = method === 'GET' ? null : await passed.text()
      this.#exchangeToken(headers, worker)
      return realFetch(worker.origin + pathname + search, { method, headers, body })
    })
  }

  /** The token that was uploaded is that of the Worker, which may run for several deployments; no other token is. */
  #exchangeToken(headers: Headers, { secrets }: RunningWorker): void {
    const uploaded = this.account.secrets.get('SETUP_TOKEN')
    if (uploaded !== undefined && headers.get('authorization') === `Bearer ${uploaded}`)
      headers.set('authorization', `Bearer ${secrets.SETUP_TOKEN}`)
  }
}

async function unreachable(): Promise<never> {
  throw new TypeError('fetch failed', { cause: new Error('connect ECONNREFUSED') })
}
