// Keeps the server of an instance running: one that ends by itself, or is silent for long, is started again. What it
// says of itself is logged: a database that is full would be full after a start, too, and a server that stops there
// shows no page any more.
import { setTimeout as sleep } from 'node:timers/promises'
import { causesIn, healthReport } from './health-report.mjs'

const heartbeatMilliseconds = 2_000
const silenceMilliseconds = 30_000
const answerMilliseconds = 5_000
const windowMilliseconds = 5 * 60_000
const mostRestarts = 5

/**
 * Runs `start`, which returns a server, and runs it again whenever its server is gone. `log` takes sentences for the
 * operator, `giveUp` is called after five restarts within as many minutes. Returns { server, stop }.
 */
export async function supervise(start, { log, giveUp }) {
  let server = await start()
  let stopping = false
  let restarts = []
  const report = healthReport(log)

  async function watch() {
    while (!stopping) {
      const reason = await ending(server, { isStopping: () => stopping, report })
      if (stopping) return
      await restart(reason)
    }
  }

  async function restart(reason) {
    await server.kill()
    const since = Date.now() - windowMilliseconds
    restarts = [...restarts.filter((time) => time > since), Date.now()]
    if (restarts.length > mostRestarts) {
      stopping = true
      return giveUp(
        `The server ${reason}, for the ${restarts.length}th time in five minutes; its own words are above.`,
      )
    }
    log(`The server ${reason}. Starting it again ...`)
    await sleep((restarts.length - 1) * 1_000)
    try {
      server = await start()
      log(`The server is open again at ${server.origin}`)
    } catch (failure) {
      log(failure.message)
      if (!stopping) await restart('did not start')
    }
  }

  watch().catch((failure) => giveUp(failure.message))
  return {
    server,
    stop: () => {
      stopping = true
      return server.stop()
    },
  }
}

/** Settles with the reason when a server has ended or gives no answer for long. */
async function ending({ origin, exited }, { isStopping, report }) {
  let hasEnded = null
  const ended = exited.then((code) => (hasEnded = `stopped by itself (${code ?? 'killed'})`))
  let lastAnswerAt = Date.now()
  while (!isStopping() && hasEnded === null && Date.now() - lastAnswerAt < silenceMilliseconds) {
    await Promise.race([ended, sleep(heartbeatMilliseconds, null, { ref: false })])
    if (hasEnded !== null) break
    const causes = await askHealth(origin)
    if (causes === null) continue
    lastAnswerAt = Date.now()
    report(causes)
  }
  return hasEnded ?? `gave no answer for ${silenceMilliseconds / 1_000} seconds`
}

/** Causes that the server names; null where no response comes in time. */
async function askHealth(origin) {
  try {
    return await causesIn(
      await fetch(`${origin}/health`, { signal: AbortSignal.timeout(answerMilliseconds) }),
    )
  } catch (failure) {
    if (failure instanceof TypeError || failure.name === 'TimeoutError') return null
    throw failure
  }
}
