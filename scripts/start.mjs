// `npm start`: a usable instance on this machine. `npm start -- --demo` fills it with a small community.
import { createServer } from 'node:net'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { fail, Problem } from './lib/problem.mjs'
import { findRunning, forgetRunning, noteRunning } from './lib/running.mjs'
import { migrate, root, setup, startServer, tick } from './lib/server.mjs'

const usage = `npm start -- [--port 8787] [--demo] [--owner NAME] [--folder FOLDER]

  --port    where the server listens on this machine
  --demo    fills the server with a small community
  --owner   the name of the owner's account, which the first start makes (owner)
  --folder  where everything is kept (.wrangler/instance)`

const values = readOptions()
const { folder } = values
let server = null
let clock = null
let stopping = false

try {
  await start()
} catch (failure) {
  stopping = true
  clearInterval(clock)
  await server?.stop()
  forgetRunning(folder)
  fail(failure)
}

async function start() {
  const port = readPort(values.port)
  await refuseSecond()
  await needFree(port)
  console.log('Starting Fieldfare ...')
  await migrate(folder)
  server = await startServer({ folder, port, logLevel: 'error' })
  noteRunning(folder, server.origin)
  watchEnd()
  clock = setInterval(fireCrons, 60_000)
  await introduceOwner()
  if (values.demo) {
    const { fillDemo } = await import('./demo.mjs')
    await fillDemo(server)
  }
  console.log(`\n  Fieldfare is open at ${server.origin}`)
  console.log('  Sign in there with a browser, or add the address to a Mastodon app. Ctrl-C stops it.\n')
}

function readOptions() {
  try {
    const { values: read } = parseArgs({
      options: {
        demo: { type: 'boolean', default: false },
        port: { type: 'string', default: process.env.PORT ?? '8787' },
        owner: { type: 'string', default: 'owner' },
        folder: { type: 'string', default: join(root, '.wrangler/instance') },
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
  const answers = await fetch(`${running.origin}/health`).then(
    ({ ok }) => ok,
    () => false,
  )
  // The number of a process that is gone may belong to another by now.
  if (answers)
    throw new Problem(`This instance is running already, at ${running.origin} (process ${running.pid}).`)
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

function watchEnd() {
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, stop)
  // Killing npm kills the shell between, which forwards no signal: then this process gets another parent.
  const parent = process.ppid
  if (process.env.npm_lifecycle_event !== undefined)
    setInterval(() => {
      if (process.ppid !== parent && !stopping) stop()
    }, 500).unref()
  server.exited.then((code) => {
    if (stopping) return
    forgetRunning(folder)
    console.error(`\nThe server stopped by itself (${code ?? 'killed'}); its own words are above.`)
    process.exit(code || 1)
  })
}

async function stop() {
  // A stop asked for twice must not wait for the first.
  if (stopping) process.exit(1)
  stopping = true
  clearInterval(clock)
  await server.stop()
  forgetRunning(folder)
  process.exit(0)
}

/** wrangler does not fire crons by itself. */
function fireCrons() {
  tick(server.origin).catch((failure) =>
    console.error(`The cron triggers could not be fired: ${failure.message}`),
  )
}

async function introduceOwner() {
  const { status, body } = await setup(server, 'POST', 'owner', { username: values.owner })
  if (status === 409) return
  if (status !== 200)
    throw new Problem(
      `This instance has no owner, and the account ${values.owner} could not be made: ${body?.error ?? status}.
Choose another name: npm start -- --owner NAME`,
    )
  console.log('\n  Your owner account (shown this once):')
  console.log(`    name      ${body.username}`)
  console.log(`    password  ${body.password}`)
}
