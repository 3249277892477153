// `npm start`: a usable instance on this machine. `npm start -- --demo` fills it with a small community.
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { outliveReaders } from './lib/closed-pipes.mjs'
import { refusalIn } from './lib/command-line/problems.mjs'
import { nameUnknown } from './lib/known-variables.mjs'
import { fail, Problem } from './lib/problem.mjs'
import { clearRunning, findRunning, noteRunning } from './lib/running.mjs'
import { bundle, instanceSecrets, migrate, root, setup, startServer } from './lib/server.mjs'
import { supervise } from './lib/supervise.mjs'
import { readVariables, withoutUnsentMail } from './lib/variables.mjs'

const usage = `npm start -- [--port 8787] [--demo] [--owner NAME] [--folder FOLDER] [--origin ADDRESS] [--new-secrets]
               [--prepare]

  --port    where the server listens on this machine
  --origin  address that others know, such as https://social.example.org, where a proxy that ends TLS leads it to the
            port (docs/operate/move-off.md). It stays for ever, and is remembered
  --demo    fills the server with a small community
  --owner   the name of the owner's account, which the first start makes (owner)
  --folder  where everything is kept (.wrangler/instance)
  --new-secrets
            goes on with new secrets where secrets.json is lost: accounts get new keys, sessions end
  --prepare installs and builds what the next start needs, and starts nothing: before an upgrade is restarted`

/** Room on the disk without which a start is pointless. */
const neededBytes = 1_048_576
const usualFolder = join(root, '.wrangler/instance')

outliveReaders()
const values = readOptions()
const { folder } = values
if (values.help) {
  console.log(usage)
  process.exit(0)
}
/** Words that commands on this instance need besides. */
const folderWords = folder === usualFolder ? '' : ` --folder ${folder}`
let running = null
const isReplaced = values['new-secrets'] && !existsSync(join(folder, 'secrets.json'))
let stopping = false

try {
  await (values.prepare ? prepare() : start())
} catch (failure) {
  stopping = true
  await running?.stop()
  clearRunning(folder)
  fail(failure)
}

/** Builds the bundle, which the next start copies. The folder of the instance stays as it is: a server may run on it. */
async function prepare() {
  const trial = mkdtempSync(join(tmpdir(), 'fieldfare-prepare-'))
  try {
    await bundle(trial)
  } finally {
    rmSync(trial, { recursive: true, force: true, maxRetries: 5 })
  }
  console.log('What the next start needs is installed and built.')
}

async function start() {
  const port = readPort(values.port)
  const { ORIGIN: address = null, ...variables } = readVariables(folder, values.origin)
  nameUnknown(variables, { file: join(folder, 'variables.json'), others: ['SMTP_URL'], log: console.log })
  await refuseSecond()
  refuseUnfinished()
  await needFree(port)
  needRoom()
  console.log('Starting Fieldfare ...')
  const [bundled] = await Promise.all([
    bundle(folder),
    migrate(folder, { mayReplaceSecrets: values['new-secrets'] }),
  ])
  const order = {
    folder,
    port,
    bundled,
    address,
    variables: withoutUnsentMail(variables, instanceSecrets(folder), console.log),
    logLevel: 'error',
    hasClock: true,
    followsSecrets: true,
  }
  running = await supervise(() => startServer(order), { log: console.error, giveUp })
  const { server } = running
  noteRunning(folder, server.origin)
  watchEnd()
  if (isReplaced) await renewKeys(server)
  await introduceOwner(server)
  if (values.demo) {
    const { fillDemo } = await import('./demo.mjs')
    await fillDemo(server, { folder })
  }
  console.log(`\n  Fieldfare is open at ${server.origin}${address === null ? '' : `, for ${address}`}`)
  console.log('  Sign in there with a browser, or add the address to a Mastodon app. Ctrl-C stops it.\n')
}

function readOptions() {
  try {
    const { values: read } = parseArgs({
      options: {
        demo: { type: 'boolean', default: false },
        port: { type: 'string', default: process.env.PORT ?? '8787' },
        owner: { type: 'string', default: 'owner' },
        folder: { type: 'string', default: usualFolder },
        origin: { type: 'string' },
        'new-secrets': { type: 'boolean', default: false },
        prepare: { type: 'boolean', default: false },
        help: { type: 'boolean', default: false },
      },
    })
    return read
  } catch (failure) {
    return fail(new Problem(`${failure.message}\n\n${usage}`))
  }
}

function readPort(text) {
  const number = /^\d{1,5}$/.test(text) ? Number(text) : 0
  if (number < 1 || number > 65_535) throw new Problem(`${text} is no port.\n\n${usage}`)
  return number
}

/** Two processes on the same data would each believe to be alone. */
async function refuseSecond() {
  const running = findRunning(folder)
  if (running === null) return
  const answers = await fetch(`${running.origin}/health/live`).then(
    ({ ok }) => ok,
    () => false,
  )
  // The number of a process that is gone may belong to another by now.
  if (answers)
    throw new Problem(`This instance is running already, at ${running.origin} (process ${running.pid}).`)
}

/** A part of a backup is no instance: it would answer other servers that accounts are gone. */
function refuseUnfinished() {
  if (existsSync(join(folder, 'restoring.json')))
    throw new Problem(
      `A backup is being restored into ${folder}, or was until it was interrupted. Run npx fieldfare restore again first.`,
    )
}

function needFree(port) {
  return new Promise((resolve, reject) => {
    const probe = createServer()
    probe.once('error', ({ code, message }) => {
      const reasons = { EADDRINUSE: `Port ${port} is taken`, EACCES: `You may not listen on port ${port}` }
      const reason = reasons[code] ?? `Port ${port} cannot be used (${message})`
      reject(new Problem(`${reason}. Choose another: npm start -- --port ${port === 8788 ? 8789 : 8788}`))
    })
    probe.listen(port, '127.0.0.1', () => probe.close(resolve))
  })
}

/** Fails where nothing can be written, before processes fail with unclear messages. */
function needRoom() {
  mkdirSync(folder, { recursive: true })
  const trial = join(folder, `trial-${process.pid}`)
  try {
    writeFileSync(trial, Buffer.alloc(neededBytes))
  } catch (failure) {
    // A full disk is reported without the file.
    throw Object.assign(failure, { path: folder })
  } finally {
    rmSync(trial, { force: true })
  }
}

function watchEnd() {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, stop)
  // Killing npm kills the shell between, which forwards no signal: then this process gets another parent.
  const parent = process.ppid
  if (process.env.npm_lifecycle_event !== undefined)
    setInterval(() => {
      if (process.ppid !== parent && !stopping) stop()
    }, 500).unref()
}

/** Ends where the server does not stay up. */
function giveUp(sentence) {
  clearRunning(folder)
  console.error(sentence)
  process.exit(1)
}

async function stop() {
  // A stop asked for twice must not wait for the first.
  if (stopping) process.exit(1)
  stopping = true
  await running.stop()
  clearRunning(folder)
  process.exit(0)
}

/** New keys for those that no secret opens any more. */
async function renewKeys(server) {
  console.log('Making new keys for the accounts ...')
  let after = null
  do {
    const { status, body } = await setup(server, 'POST', 'secrets/renew-lost', { after })
    if (status !== 200)
      throw new Problem(`The keys could not be renewed: ${body?.error ?? status}.
Once the server runs: npx fieldfare secrets renew-lost${folderWords}`)
    after = body.after
  } while (after !== null)
}

/** Makes the account of the owner where there is none. A server with members continues without. */
async function introduceOwner(server) {
  const { status, body } = await setup(server, 'POST', 'owner', { username: values.owner })
  if (status === 409) return
  if (status !== 200) {
    const { reason } = refusalIn(server.origin, status, body).naming(() => '--owner')
    const why = `This instance has no owner, and the account ${values.owner} could not be made: ${reason}`
    const listed = await setup(server, 'GET', '/api/v2/admin/accounts?origin=local&limit=1')
    if (listed.status !== 200 || listed.body.length === 0)
      throw new Problem(`${why}\nChoose another name: npm start -- --owner NAME`)
    console.log(
      `\n  ${why}\n  Give the role to a member: npx fieldfare accounts role NAME owner${folderWords}`,
    )
    return
  }
  console.log('\n  Your owner account (shown this once):')
  console.log(`    name      ${body.username}`)
  console.log(`    password  ${body.password}`)
}
