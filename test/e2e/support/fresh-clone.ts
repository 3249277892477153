import { type ChildProcessWithoutNullStreams, spawn, spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server as HttpServer } from 'node:http'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import type { Duplex } from 'node:stream'
import { stripVTControlCharacters } from 'node:util'
import { root, type Server } from '../../../scripts/lib/server.mjs'
import { selfSigned } from '../federation/support/certificate'
import { AccountApi } from './account-api'
import { startDeployedWorker } from './deployed-worker'
import { type Door, openDoor } from './tls-door'

/** Line that a person types once the terminal has printed `asked`. */
export interface Answer {
  readonly asked: RegExp
  readonly answer: string
}

/** Commands in the shell blocks of a document, as they stand there. */
export function shellBlocksOf(document: string): readonly string[] {
  const text = readFileSync(join(root, document), 'utf8')
  return [...text.matchAll(/^```sh\n([\s\S]*?)^```$/gm)].map(([, commands]) => commands ?? '')
}

/**
 * A desk with a terminal, a repository to clone and an empty account at Cloudflare. The commands are the real ones, but
 * for `npm ci`, which links what is installed here, and the browser, which consents to everything.
 */
export class Desk {
  readonly account = new AccountApi()
  readonly folder = mkdtempSync(join(tmpdir(), 'fieldfare-desk-'))
  readonly domain: string
  readonly #certificate
  readonly #servers: HttpServer[] = []
  readonly #sockets = new Set<Duplex>()
  #terminal: ChildProcessWithoutNullStreams | null = null
  #worker: Promise<{ readonly server: Server; readonly door: Door }> | null = null
  #environment: Readonly<Record<string, string>> = {}

  private constructor(domain: string) {
    this.domain = domain
    this.#certificate = selfSigned([domain])
  }

  /** `address` is what the documents call the address of the repository. */
  static async open(domain: string, address: string): Promise<Desk> {
    const desk = new Desk(domain)
    desk.#writeCommands()
    publish(desk.#upstream)
    const certificate = join(desk.folder, 'certificate.pem')
    writeFileSync(certificate, desk.#certificate.cert)
    const signIn = await desk.#listen(consent())
    const proxy = await desk.#listen(desk.#network())
    desk.#environment = {
      PATH: [join(desk.folder, 'bin'), pathOfCommands()].join(delimiter),
      HOME: desk.folder,
      TERM: 'dumb',
      LANG: 'C.UTF-8',
      GIT_CONFIG_COUNT: '1',
      GIT_CONFIG_KEY_0: `url.${desk.#upstream}.insteadOf`,
      GIT_CONFIG_VALUE_0: address,
      HTTPS_PROXY: proxy,
      NO_PROXY: '127.0.0.1,localhost',
      NODE_USE_ENV_PROXY: '1',
      NODE_EXTRA_CA_CERTS: certificate,
      CLOUDFLARE_API_BASE_URL: await desk.account.listen(),
      WRANGLER_AUTH_URL: `${signIn}/auth`,
      WRANGLER_TOKEN_URL: `${signIn}/token`,
      WRANGLER_SEND_METRICS: 'false',
    }
    return desk
  }

  async close(): Promise<void> {
    this.#terminal?.kill('SIGKILL')
    for (const socket of this.#sockets) socket.destroy()
    for (const server of this.#servers) server.closeAllConnections()
    for (const server of this.#servers) server.close()
    this.account.close()
    const worker = await this.#worker
    worker?.door.close()
    await worker?.server.stop()
    rmSync(this.folder, { recursive: true, force: true, maxRetries: 5 })
  }

  /**
   * Types `blocks` into a terminal, one after the other, which ends with the first command that fails, and the answers
   * where they are asked for. Returns what the terminal showed, with "end of block" after each block that succeeded.
   */
  type(
    blocks: readonly string[],
    { from = '.', answers = [] }: { readonly from?: string; readonly answers?: readonly Answer[] },
  ): Promise<{ readonly text: string }> {
    const file = join(this.folder, 'blocks.sh')
    const lines = blocks.flatMap((block) => [block, `echo "end of block"`])
    writeFileSync(file, ['set -euo pipefail', `cd ${join(this.folder, from)}`, ...lines].join('\n'))
    const variables = Object.entries(this.#environment).map(([name, value]) => `${name}=${value}`)
    const terminal = ['script', '-qefc', `bash ${file}`, '/dev/null']
    const child = spawn('env', ['-i', ...variables, ...terminal], { cwd: this.folder })
    this.#terminal = child
    const waiting = [...answers]
    let [text, read] = ['', 0]
    const show = (chunk: Buffer) => {
      text += stripVTControlCharacters(chunk.toString())
      const [next] = waiting
      const found = next === undefined ? null : next.asked.exec(text.slice(read))
      if (next === undefined || found === null) return
      read += found.index + found[0].length
      waiting.shift()
      child.stdin.write(`${next.answer}\r`)
    }
    child.stdout.on('data', show)
    child.stderr.on('data', show)
    return new Promise((resolve, reject) => {
      child.on('error', reject)
      child.on('close', () => resolve({ text: text.replaceAll('\r', '') }))
    })
  }

  /** Commits a file to the repository that was cloned. */
  commit(name: string, text: string): void {
    const author = join(this.folder, 'author')
    git(['clone', '--quiet', this.#upstream, author])
    writeFileSync(join(author, name), text)
    git(['-C', author, 'add', name])
    git(['-C', author, ...identity, 'commit', '--quiet', '--message', `Add ${name}`])
    git(['-C', author, 'push', '--quiet'])
  }

  /** Files of the clone that are not as they were committed, as git lists them. */
  changedFiles(): string {
    const clone = join(this.folder, 'fieldfare')
    return spawnSync('git', ['-C', clone, 'status', '--porcelain'], { encoding: 'utf8' }).stdout
  }

  /** The Worker to which the domain leads. */
  async worker(): Promise<Server> {
    this.#worker ??= this.#start()
    return (await this.#worker).server
  }

  get #upstream(): string {
    return join(this.folder, 'upstream.git')
  }

  #writeCommands(): void {
    const bin = join(this.folder, 'bin')
    mkdirSync(bin)
    const npm = spawnSync('which', ['npm'], { encoding: 'utf8' }).stdout.trim()
    const commands = {
      npm: `if [ "$1" = ci ]; then ln -sfn ${join(root, 'node_modules')} node_modules; else exec ${npm} "$@"; fi`,
      'xdg-open': `exec ${process.execPath} ${join(bin, 'browser.mjs')} "$@"`,
    }
    for (const [name, text] of Object.entries(commands)) {
      writeFileSync(join(bin, name), `#!/bin/sh\n${text}\n`)
      chmodSync(join(bin, name), 0o755)
    }
    const browser = `const { headers } = await fetch(process.argv[2], { redirect: 'manual' })
await fetch(headers.get('location'), { redirect: 'manual' })
`
    writeFileSync(join(bin, 'browser.mjs'), browser)
  }

  /** A proxy as the only way to the network, on which the domain leads to the Worker once the account says so. */
  #network(): HttpServer {
    const server = createServer((_request, response) => response.writeHead(502).end())
    server.on('connect', (request, socket: Duplex): void => {
      this.#sockets.add(socket)
      socket.on('error', () => socket.destroy())
      const refuse = () => socket.end('HTTP/1.1 502 Bad Gateway\r\n\r\n')
      if (request.url !== `${this.domain}:443` || !this.account.domains.includes(this.domain)) {
        refuse()
        return
      }
      this.#worker ??= this.#start()
      this.#worker.then(({ door }) => {
        const inner = connect(door.port, '127.0.0.1', () => {
          socket.write('HTTP/1.1 200 Connection Established\r\n\r\n')
          inner.pipe(socket).pipe(inner)
        })
        inner.on('error', () => socket.destroy())
      }, refuse)
    })
    return server
  }

  async #start() {
    const server = await startDeployedWorker(this.folder, this)
    const door = await openDoor(this.domain, Number(new URL(server.origin).port), this.#certificate)
    return { server, door }
  }

  async #listen(server: HttpServer): Promise<string> {
    this.#servers.push(server)
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const address = server.address()
    if (address === null || typeof address === 'string') throw new Error('The server has no port')
    return `http://127.0.0.1:${address.port}`
  }
}

/** Pages of Cloudflare on which a person lets wrangler in. */
function consent(): HttpServer {
  return createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://sign-in.test')
    if (pathname === '/auth') {
      const back = new URL(searchParams.get('redirect_uri') ?? '')
      back.search = new URLSearchParams({ code: 'code', state: searchParams.get('state') ?? '' }).toString()
      response.writeHead(302, { location: back.href }).end()
      return
    }
    const token = {
      access_token: 'access',
      refresh_token: 'refresh',
      expires_in: 86_400,
      scope: 'account:read',
    }
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(token))
  })
}

function pathOfCommands(): string {
  return spawnSync('printenv', ['PATH'], { encoding: 'utf8' }).stdout.trim()
}

const identity = ['-c', 'user.name=Tests', '-c', 'user.email=tests@example.org']

/** A repository with the files as they are in the working tree, committed or not. */
function publish(repository: string): void {
  git(['init', '--quiet', '--bare', '--initial-branch=main', repository])
  const here = [`--git-dir=${repository}`, `--work-tree=${root}`, '-c', 'core.compression=0']
  git([...here, 'add', '--all'])
  git([...here, ...identity, 'commit', '--quiet', '--message', 'Release'])
}

function git(args: readonly string[]): void {
  const { status, stderr } = spawnSync('git', args, { encoding: 'utf8' })
  if (status !== 0) throw new Error(`git ${args.join(' ')}: ${stderr}`)
}
