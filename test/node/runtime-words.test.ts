import { createServer } from 'node:net'
import { convertV4MiniflareOptions, Miniflare, type V4WorkerOptions } from 'miniflare'
import { describe, expect, it } from 'vitest'
import { egressName, egressWorker } from '../../scripts/lib/front/egress-worker.mjs'
import { wordsOf } from '../../scripts/lib/runtime-words.mjs'

const compatibilityDate = '2026-10-01'

/** A port of this machine where nobody listens. */
function closedPort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const address = server.address()
      if (address === null || typeof address === 'string') reject(new Error('no port'))
      else server.close(() => resolve(address.port))
    })
  })
}

/** Messages of the runtime while a Worker asks addresses that cannot be reached. */
async function messagesAbout(addresses: readonly string[], isClosed: boolean): Promise<readonly string[]> {
  const script = `export default {
    async fetch(request) {
      const failed = await fetch(request.headers.get('wanted')).then(() => 'reached', () => 'failed')
      console.error('The app says: ' + failed)
      return new Response(failed)
    },
  }`
  const modules = [{ type: 'ESModule' as const, path: 'a.mjs', contents: script }]
  const app: V4WorkerOptions = { name: 'app', compatibilityDate, modules }
  const workers: V4WorkerOptions[] = isClosed
    ? [{ ...app, outboundService: egressName }, egressWorker({ compatibilityDate })]
    : [app]
  const messages: string[] = []
  const runtime = new Miniflare(
    convertV4MiniflareOptions({
      workers,
      cf: false,
      handleStructuredLogs: ({ message }) => void messages.push(message),
    }),
  )
  try {
    for (const wanted of addresses)
      await (await runtime.dispatchFetch('http://app.example/', { headers: { wanted } })).text()
  } finally {
    await runtime.dispose()
  }
  return messages
}

describe('log lines of the runtime', () => {
  it.each([
    ['a Worker that reaches every address', false],
    ['a Worker that reaches public addresses alone', true],
  ])('leaves out lines about unreachable hosts, of %s', async (_name, isClosed) => {
    const addresses = [
      'https://gone.fieldfare-nowhere.com/',
      `http://127.0.0.1:${await closedPort()}/`,
      'http://[::1]:1/',
    ]
    const messages = await messagesAbout(addresses, isClosed)
    const shown = messages.flatMap((message) => wordsOf(message) ?? [])
    expect(shown.filter((words) => !words.startsWith('The app says'))).toEqual([])
    expect(shown.filter((words) => words === 'The app says: failed')).toHaveLength(addresses.length)
  })

  it('keeps lines about other failures, without addresses of machine code', () => {
    const stack =
      'stack: node_modules/workerd-linux-64/bin/workerd@26b6840 node_modules/workerd-linux-64/bin/workerd@3739630'
    expect(wordsOf(`e = kj/mutex.c++:12: failed: out of memory\n${stack}; wdErrId = abc`)).toBe(
      'The runtime reports: e = kj/mutex.c++:12: failed: out of memory',
    )
    expect(wordsOf(`e = rust/worker/ffi.rs:110: failed: failed to lookup address\n${stack}`)).toBeNull()
  })

  it('shows log lines of the app as they are', () => {
    const line = '{"level":"error","message":"A request failed","cause":"stack: at loadHome"}'
    expect(wordsOf(line)).toBe(line)
  })
})
