// Runs the real Worker locally through wrangler, with everything it keeps in one folder.
import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  unwatchFile,
  watchFile,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { acceptedTypes } from './command-line/problems.mjs'
import { withKeptBundle } from './kept-bundles.mjs'
import { Problem } from './problem.mjs'
import { killNow } from './processes.mjs'

export const root = fileURLToPath(new URL('../..', import.meta.url))
export const wrangler = join(root, 'node_modules/wrangler/bin/wrangler.js')

// No prompts, no telemetry, no look-ups on the network: a person offline can work. What Node compiled is kept: wrangler
// takes 1.8 CPU-seconds for a small command instead of 2.5.
export const quiet = {
  NODE_COMPILE_CACHE: join(root, '.wrangler/compiled'),
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
 * ones would open none of the keys and sessions that were stored under the old: they are made with `mayReplace` only.
 */
export function instanceSecrets(folder, { mayReplace = false } = {}) {
  const file = join(folder, 'secrets.json')
  if (existsSync(file)) return readSecrets(file)
  if (existsSync(storeOf(folder)) && !mayReplace) throw new Problem(lossOf(file, folder))
  const secrets = {
    INSTANCE_SECRET: randomBytes(32).toString('base64url'),
    SETUP_TOKEN: randomBytes(32).toString('base64url'),
  }
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, `${JSON.stringify(secrets, null, 2)}\n`, { mode: 0o600 })
  return secrets
}

function lossOf(file, folder) {
  return `${file} is gone, and what ${folder} holds was encrypted and signed with the secrets in it.
Put that file back: it is in your copies. Nothing was changed.

Without it, npm start -- --new-secrets goes on with new ones:
  lost    private keys of accounts, which get new ones; push subscriptions; authenticator apps, whose owners sign in
          with a recovery code; secrets of webhooks; sessions in browsers; links in mails sent so far
  kept    accounts, posts, follows, media, passwords, recovery codes, passkeys, tokens of apps
Or delete the folder to begin anew.`
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
export async function migrate(folder, { mayReplaceSecrets = false } = {}) {
  // Before there is anything that could be encrypted.
  instanceSecrets(folder, { mayReplace: mayReplaceSecrets })
  const store = storeOf(folder)
  const where = ['DB', '--local', '--persist-to', folder, '--config', join(root, 'wrangler.full.toml')]
  if (existsSync(store)) return d1(['migrations', 'apply', ...where])
  // A new one takes all at once: wrangler opens the database again for each migration, half a second each time.
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
export function everyMigration() {
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
  const { code, output } = await run([wrangler, 'd1', ...args])
  if (code !== 0) throw new Problem(`The database could not be migrated:\n${output.trim()}`)
}

function run(args) {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, args, {
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

/** Bundles the Worker of a configuration file into `folder`. Returns the folder of the bundle. */
export async function bundle(folder, config = join(root, 'wrangler.full.toml')) {
  const into = join(folder, 'bundle')
  await withKeptBundle({ root, config, into }, async () => {
    const { code, output } = await run([join(root, 'scripts/lib/bundle.mjs'), config, into])
    if (code !== 0) throw new Problem(`The Worker could not be bundled:\n${output.trim()}`)
  })
  return into
}

/**
 * Starts the Worker of `folder` on `port` and waits until it answers. `config` is another file than wrangler.full.toml,
 * `bundled` a bundle made before, `address` what others know the server by where a proxy is in front of it, `hasTriggers` whether /cdn-cgi/local fires cron triggers over HTTP, `hasClock` whether
 * they fire every minute, `followsSecrets` whether the server takes over secrets that are replaced while it runs.
 *
 * Returns { origin, secrets, child, exited, kill, stop }; `exited` settles when the process ends by itself.
 */
export async function startServer({
  folder,
  port,
  variables = {},
  logLevel = 'warn',
  inherit = true,
  hasTriggers = false,
  hasClock = false,
  followsSecrets = false,
  config,
  bundled,
  address = null,
}) {
  const secrets = instanceSecrets(folder)
  const origin = `http://localhost:${port}`
  const stdio = ['ignore', inherit ? 'inherit' : 'pipe', inherit ? 'inherit' : 'pipe', 'ipc']
  const path = bundled ?? (await bundle(folder, config))
  const child = spawn(process.execPath, [join(root, 'scripts/lib/runtime.mjs')], {
    cwd: root,
    env: { ...process.env, ...quiet },
    stdio,
  })
  let ended = false
  const exited = new Promise((resolve) => {
    child.once('exit', (code) => {
      ended = true
      resolve(code)
    })
  })
  let runtimes = []
  let isListening = false
  child.on('message', (message) => {
    runtimes = message.runtimes
    isListening = true
  })
  const stop = async () => {
    if (ended) return
    child.kill('SIGTERM')
    await exited
  }
  // The runtime itself outlives the process that started it, and holds the port.
  const kill = async () => {
    // Ids of processes that ended belong to others by and by: none is killed twice.
    for (const pid of ended ? runtimes : [child.pid, ...runtimes]) killNow(pid)
    runtimes = []
    await exited
  }
  // Secrets travel between the two processes alone, never on a command line or through a file.
  const textsWith = (current) => {
    const all = { ORIGIN: address ?? origin, ...current, ...variables }
    return Object.fromEntries(Object.entries(all).map(([name, value]) => [name, String(value)]))
  }
  const store = join(folder, 'v3')
  const isProxied = address !== null
  const order = { bundle: path, store, port, logLevel, isProxied, hasTriggers, hasClock }
  child.send({ ...order, variables: textsWith(secrets) })
  if (followsSecrets) {
    const replace = () => takeOver(folder, (current) => child.send({ variables: textsWith(current) }))
    const file = join(folder, 'secrets.json')
    watchFile(file, { persistent: false, interval: 500 }, replace)
    exited.then(() => unwatchFile(file, replace))
  }
  try {
    // An answer from before the runtime listens is that of another server.
    await answering(`${origin}/health`, { isListening: () => isListening, hasEnded: () => ended })
  } catch (failure) {
    await stop()
    throw failure
  }
  return { origin, secrets, child, exited, kill, stop }
}

/** Secrets that cannot be read are not taken over: the server continues with those it has. */
function takeOver(folder, use) {
  try {
    use(instanceSecrets(folder))
  } catch (failure) {
    if (!(failure instanceof Problem)) throw failure
    console.error(`${failure.message}\nThe server goes on with the secrets it has.`)
  }
}

async function answering(url, { isListening, hasEnded }) {
  const deadline = Date.now() + 60_000
  let refusal = 'not yet'
  while (Date.now() < deadline) {
    if (hasEnded()) throw new Problem('The server stopped while starting; its own words are above.')
    refusal = isListening() ? await knock(url) : 'not yet'
    if (refusal === null) return
    if (refusal !== 'not yet' && refusal !== 'database') throw new Problem(refusal)
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  throw new Problem(
    refusal === 'database'
      ? 'The database of the server refuses writes or does not answer. Is there room on the disk, and may this user write there?'
      : `${url} did not answer within a minute.`,
  )
}

/**
 * Null when the server and its database answer, its own sentence when it says that it is not set up, else `not yet`, or
 * `database` where that is what it waits for.
 */
async function knock(url) {
  try {
    const response = await fetch(url)
    const text = await response.text()
    if (response.ok) return null
    const isJson = response.headers.get('content-type')?.includes('json') === true
    if (response.status !== 503 || !isJson) return 'not yet'
    // A server that stood still for long is open before its first cron.
    const { error, causes = ['database'] } = JSON.parse(text)
    return error ?? (causes.includes('database') ? 'database' : null)
  } catch (failure) {
    // Refused, or cut off while wrangler starts.
    if (failure instanceof TypeError) return 'not yet'
    throw failure
  }
}

/**
 * Calls the administration API, or the route below /setup that `path` names without a slash at its beginning, by the
 * set-up token; answers { status, body }.
 */
export async function setup({ origin, secrets }, method, path, body = {}) {
  const response = await fetch(path.startsWith('/') ? `${origin}${path}` : `${origin}/setup/${path}`, {
    method,
    headers: {
      Authorization: `Bearer ${secrets.SETUP_TOKEN}`,
      Accept: acceptedTypes,
      'Content-Type': 'application/json',
    },
    ...(method === 'GET' ? {} : { body: JSON.stringify(body) }),
  })
  const text = await response.text()
  return { status: response.status, body: text === '' ? null : JSON.parse(text) }
}
