// The Worker of a bundle in Miniflare: a process of its own, which ends with its parent. The parent sends a message
// { bundle, store, port, variables, logLevel, isProxied, hasTriggers, hasClock }, and later { variables } to replace them;
// messages back hold { runtimes }, the ids of the processes that hold the port.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { convertV4MiniflareOptions, Miniflare } from 'miniflare'
import { outliveReaders } from './closed-pipes.mjs'
import { egressName, egressWorker, moduleOf } from './front/egress-worker.mjs'
import { childrenOf } from './processes.mjs'
import { wordsOf } from './runtime-words.mjs'
import { smtpService } from './smtp.mjs'
import { sourceUrl } from './source-url.mjs'

const levels = ['debug', 'log', 'info', 'warn', 'error', 'none']
const minuteMilliseconds = 60_000
const front = fileURLToPath(new URL('front', import.meta.url))

outliveReaders()
process.once('message', serve)

async function serve(order) {
  const server = new Miniflare(optionsOf(order))
  // Disposing waits for a start that is under way, and makes that fail.
  const leave = () => server.dispose().finally(() => process.exit(0))
  for (const event of ['SIGTERM', 'SIGINT', 'SIGHUP', 'disconnect']) process.once(event, leave)
  try {
    await server.ready
  } catch (failure) {
    if (failure.code === 'ERR_DISPOSED') return
    throw failure
  }
  reportRuntimes()
  process.on('message', ({ variables }) => replaceVariables(server, { ...order, variables }))
  if (order.hasClock) setInterval(() => fireCrons(server), minuteMilliseconds)
}

/** Starts the runtime again with other variables. Miniflare holds requests back meanwhile. */
async function replaceVariables(server, order) {
  try {
    await server.setOptions(optionsOf(order))
    reportRuntimes()
  } catch (failure) {
    // The supervisor starts the server again, with the variables of then.
    console.error(`The secrets could not be taken over: ${failure.message}`)
    process.exit(1)
  }
}

function optionsOf({ bundle, store, port, variables: given, logLevel, isProxied, hasTriggers }) {
  const { SMTP_URL: mailServer, ...variables } = given
  const described = JSON.parse(readFileSync(join(bundle, 'worker.json'), 'utf8'))
  // Rate limits are emulated by files, which cost as much as a read of a cached page: without them the Worker counts in memory.
  const { cronTriggers: _crons, modulesRules: _rules, ratelimits: _limits, entry, ...worker } = described
  const least = levels.indexOf(logLevel)
  const isClosed = isProxied && !variables.FEDERATION_TEST_HOSTS
  const app = {
    ...worker,
    rootPath: bundle,
    modules: [
      moduleOf('entry.mjs', join(front, 'entry.mjs')),
      moduleOf('mail.mjs', join(front, 'mail.mjs')),
      moduleOf('requests.mjs', join(front, 'requests.mjs')),
      moduleOf('index.js', join(bundle, entry)),
    ],
    bindings: {
      ...defaultBindings(isProxied),
      ...worker.bindings,
      ...variables,
      CLIENT_ADDRESSES: hasTriggers ? 'given' : isProxied ? 'forwarded' : 'local',
    },
    ...(mailServer === undefined ? {} : { serviceBindings: { SMTP: smtpService(mailServer) } }),
    ...(isClosed ? { outboundService: egressName } : {}),
    ...(hasTriggers ? {} : { unsafeDirectSockets: [{ host: '127.0.0.1', port }] }),
  }
  return convertV4MiniflareOptions({
    host: '127.0.0.1',
    // The door of Miniflare itself leads to the bucket and other things too: it fires triggers for tests, at a port that
    // is not published where the Worker has its own port.
    port: hasTriggers ? port : 0,
    cf: false,
    logRequests: false,
    resourcePersistencePath: store,
    unsafeTriggerHandlers: hasTriggers,
    // Miniflare starts a runtime that crashed again by itself.
    unsafeHandleRuntimeRestart: () => {
      console.error('The runtime ended by itself, and was started again.')
      reportRuntimes()
    },
    handleStructuredLogs: ({ level, message }) => {
      const words = wordsOf(message)
      if (words === null || levels.indexOf(level) < least) return
      const stream = level === 'error' ? process.stderr : process.stdout
      stream.write(`${words}\n`)
    },
    workers: [app, ...(isClosed ? [egressWorker(worker)] : [])],
  })
}

/** The source of this clone, unless [vars] names another. A machine of one's own has none of the quotas of the free plan. */
function defaultBindings(isProxied) {
  const source = sourceUrl(fileURLToPath(new URL('../..', import.meta.url)))
  return { ...(source === null ? {} : { SOURCE_URL: source }), ...(isProxied ? { PLAN: 'paid' } : {}) }
}

/** Fires the cron triggers once, as Cloudflare does every minute. */
async function fireCrons(server) {
  try {
    const worker = await server.getWorker()
    await worker.scheduled({ cron: '* * * * *' })
  } catch (failure) {
    console.error(`The cron triggers could not be fired: ${failure.message}`)
  }
}

function reportRuntimes() {
  process.send?.({ runtimes: childrenOf(process.pid) })
}
