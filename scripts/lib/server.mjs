// Runs the real Worker locally through wrangler, with everything it keeps in one folder.
import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Problem } from './problem.mjs'

export const root = fileURLToPath(new URL('../..', import.meta.url))
const wrangler = join(root, 'node_modules/wrangler/bin/wrangler.js')

// No prompts, no telemetry, no look-ups on the network: a person offline can work.
export const quiet = {
  CI: '1',
  CLOUDFLARE_CF_FETCH_ENABLED: 'false',
  WRANGLER_HIDE_BANNER: 'true',
  WRANGLER_SEND_METRICS: 'false',
  WRANGLER_SEND_ERROR_REPORTS: 'false',
  WRANGLER_LOG_PATH: join(root, '.wrangler/logs'),
  NO_UPDATE_NOTIFIER: '1',
}

const storeOf = (folder) => join(folder, 'v3/d1')

/**
 * The secrets of an instance, made with its folder and kept there. Where data are there and the secrets are not, new
 * ones would open none of the keys and sessions that were stored under the old.
 */
export function instanceSecrets(folder) {
  const file = join(folder, 'secrets.json')
  if (existsSync(file)) return readSecrets(file)
  if (existsSync(storeOf(folder)))
    throw new Problem(`${file} is gone, and what ${folder} holds was encrypted with the secrets in it.
Put that file back, or delete the folder to begin anew.`)
  const secrets = {
    INSTANCE_SECRET: randomBytes(32).toString('base64url'),
    SETUP_TOKEN: randomBytes(32).toString('base64url'),
  }
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, `${JSON.stringify(secrets, null, 2)}\n`, { mode: 0o600 })
  return secrets
}

function readSecrets(file) {
  const broken = `${file} is not what npm start wrote: it has to hold INSTANCE_SECRET and SETUP_TOKEN as JSON.`
  try {
    const secrets = JSON.parse(readFileSync(file, 'utf8'))
    const { INSTANCE_SECRET, SETUP_TOKEN } = secrets
    if (typeof INSTANCE_SECRET === 'string' && typeof SETUP_TOKEN === 'string') return secrets
  } catch (failure) {
    if (!(failure instanceof SyntaxError)) throw failure
  }
  throw new Problem(`${broken}\nPut that file back, or delete ${dirname(file)} to begin anew.`)
}

/** Brings the embedded database of `folder` up to date. Prints wrangler's own words only when it fails. */
export async function migrate(folder) {
  // Before there is anything that could be encrypted.
  instanceSecrets(folder)
  const store = storeOf(folder)
  const where = ['DB', '--local', '--persist-to', folder]
  if (existsSync(store)) return d1(['migrations', 'apply', ...where])
  // A new one takes all at once: wrangler opens the database anew for each migration, half a second each time.
  const file = join(folder, 'migrations.sql')
  writeFileSync(file, everyMigration())
  try {
    await d1(['execute', ...where, '--file', file, '--yes'])
  } catch (failure) {
    rmSync(store, { recursive: true, force: true })
    throw failure
  } finally {
    rmSync(file)
  }
}

/** SQL of all migrations, and of the table in which wrangler records them. */
function everyMigration() {
  const names = readdirSync(join(root, 'migrations')).filter((name) => name.endsWith('.sql'))
  const texts = names.toSorted().map((name) => {
    const text = readFileSync(join(root, 'migrations', name), 'utf8')
    return `${text}\nINSERT INTO d1_migrations (name) VALUES ('${name}');`
  })
  const table = `CREATE TABLE d1_migrations (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    name TEXT UNIQUE,
    applied_at TIMESTAMP DEFAULT CURRENT_TIMESTAMP NOT NULL
  );`
  return [table, ...texts].join('\n')
}

async function d1(args) {
  const { code, output } = await run(['d1', ...args])
  if (code !== 0) throw new Problem(`The database could not be migrated:\n${output.trim()}`)
}

function run(args) {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [wrangler, ...args], {
      cwd: root,
      env: { ...process.env, ...quiet },
    })
    let output = ''
    child.stdout.on('data', (chunk) => (output += chunk))
    child.stderr.on('data', (chunk) => (output += chunk))
    child.on('error', reject)
    child.on('close', (code) => resolve({ code, output }))
  })
}

/**
 * Starts the Worker of `folder` on `port` and waits until it answers. `config` is another file than wrangler.toml.
 *
 * Answers { origin, secrets, child, stop }; `exited` settles when the process ends by itself.
 */
export async function startServer({
  folder,
  port,
  variables = {},
  logLevel = 'warn',
  inherit = true,
  config = join(root, 'wrangler.toml'),
}) {
  const secrets = instanceSecrets(folder)
  const origin = `http://localhost:${port}`
  // Secrets travel in a file that only this user reads, never on a command line.
  const varsFile = join(folder, 'dev.vars')
  const all = { ORIGIN: origin, ...secrets, ...variables }
  const lines = Object.entries(all).map(([name, value]) => `${name}=${JSON.stringify(String(value))}`)
  writeFileSync(varsFile, `${lines.join('\n')}\n`, { mode: 0o600 })
  const args = [
    'dev',
    '--config',
    config,
    '--port',
    String(port),
    '--ip',
    '127.0.0.1',
    '--inspector-port',
    '0',
    '--persist-to',
    folder,
    '--env-file',
    varsFile,
    // Routes in wrangler.toml would make every request one to that domain.
    '--local-upstream',
    `localhost:${port}`,
    '--upstream-protocol',
    'http',
    '--show-interactive-dev-session=false',
    '--log-level',
    logLevel,
  ]
  const child = spawn(process.execPath, [wrangler, ...args], {
    cwd: root,
    env: { ...process.env, ...quiet },
    stdio: ['ignore', inherit ? 'inherit' : 'pipe', inherit ? 'inherit' : 'pipe'],
  })
  let ended = false
  const exited = new Promise((resolve) => {
    child.once('exit', (code) => {
      ended = true
      resolve(code)
    })
  })
  const stop = async () => {
    if (ended) return
    child.kill('SIGTERM')
    await exited
  }
  try {
    await answering(`${origin}/health`, () => ended)
  } catch (failure) {
    await stop()
    throw failure
  }
  return { origin, secrets, child, exited, stop }
}

async function answering(url, hasEnded) {
  const deadline = Date.now() + 60_000
  while (Date.now() < deadline) {
    if (hasEnded()) throw new Problem('The server stopped while starting; its own words are above.')
    const refusal = await knock(url)
    if (refusal === null) return
    if (refusal !== 'not yet') throw new Problem(refusal)
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  throw new Problem(`${url} did not answer within a minute.`)
}

/** Null when the server is well, its own sentence when it says that it is not set up, else `not yet`. */
async function knock(url) {
  try {
    const response = await fetch(url)
    const text = await response.text()
    if (response.ok) return null
    const isJson = response.headers.get('content-type')?.includes('json') === true
    return (response.status === 503 && isJson && JSON.parse(text).error) || 'not yet'
  } catch (failure) {
    // Refused, or cut off while wrangler starts.
    if (failure instanceof TypeError) return 'not yet'
    throw failure
  }
}

/** Fires the cron triggers once, as Cloudflare would every minute. */
export async function tick(origin) {
  const response = await fetch(`${origin}/cdn-cgi/local/scheduled?cron=${encodeURIComponent('* * * * *')}`)
  await response.arrayBuffer()
}

/** Calls a set-up route; answers { status, body }. */
export async function setup({ origin, secrets }, method, path, body = {}) {
  const response = await fetch(`${origin}/setup/${path}`, {
    method,
    headers: { Authorization: `Bearer ${secrets.SETUP_TOKEN}`, 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  })
  const text = await response.text()
  return { status: response.status, body: text === '' ? null : JSON.parse(text) }
}
