// `npm start`: a usable instance on this machine. `npm start -- --demo` fills it with a small community.
import { createServer } from 'node:net'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { migrate, root, setup, startServer, tick } from './lib/server.mjs'

const { values } = parseArgs({
  options: {
    demo: { type: 'boolean', default: false },
    port: { type: 'string', default: process.env.PORT ?? '8787' },
    folder: { type: 'string', default: join(root, '.wrangler/instance') },
  },
})

const port = Number(values.port)
if (!(await isFree(port))) {
  console.error(`Port ${port} is taken. Choose another: npm start -- --port 8788`)
  process.exit(1)
}

console.log('Starting Fieldfare ...')
await migrate(values.folder)
const server = await startServer({ folder: values.folder, port, logLevel: 'error' })

// A stop asked for twice must not wait for the first.
let stopping = false
async function stop() {
  if (stopping) process.exit(1)
  stopping = true
  clearInterval(clock)
  await server.stop()
  process.exit(0)
}
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, stop)

// Who kills npm kills the shell between, which tells nobody: then this process gets another parent.
const parent = process.ppid
if (process.env.npm_lifecycle_event !== undefined)
  setInterval(() => {
    if (process.ppid !== parent && !stopping) stop()
  }, 500).unref()
server.exited.then((code) => process.exit(stopping ? 0 : (code ?? 1)))

// wrangler does not fire crons by itself.
const clock = setInterval(() => {
  tick(server.origin).catch((failure) =>
    console.error(`The cron triggers could not be fired: ${failure.message}`),
  )
}, 60_000)

try {
  await introduceOwner()
  if (values.demo) {
    const { fillDemo } = await import('./demo.mjs')
    await fillDemo(server)
  }
  console.log(`\n  Fieldfare is open at ${server.origin}`)
  console.log('  Sign in there with a browser, or add the address to a Mastodon app. Ctrl-C stops it.\n')
} catch (failure) {
  console.error(failure)
  stopping = true
  clearInterval(clock)
  await server.stop()
  process.exitCode = 1
}

async function introduceOwner() {
  const { status, body } = await setup(server, 'POST', 'owner', { username: 'owner' })
  if (status === 409) return
  if (status !== 200) throw new Error(`The owner account could not be made: ${JSON.stringify(body)}`)
  console.log('\n  Your owner account (shown this once):')
  console.log(`    name      ${body.username}`)
  console.log(`    password  ${body.password}`)
}

function isFree(number) {
  return new Promise((resolve) => {
    const probe = createServer()
    probe.once('error', () => resolve(false))
    probe.listen(number, '127.0.0.1', () => probe.close(() => resolve(true)))
  })
}
