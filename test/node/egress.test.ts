import { createServer, type Server } from 'node:http'
import { convertV4MiniflareOptions, Miniflare, type V4WorkerOptions } from 'miniflare'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { egressName, egressWorker } from '../../scripts/lib/front/egress-worker.mjs'

const compatibilityDate = '2026-10-01'

let server: Server
let port = 0
beforeAll(async () => {
  server = createServer((_request, response) => response.end('private'))
  await new Promise<void>((resolve) => server.listen(0, resolve))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  port = address.port
})
afterAll(() => void server.close())

/** Texts a Worker gets from hosts, through the way out or without it. */
async function reached(hosts: readonly string[], isClosed: boolean): Promise<readonly string[]> {
  const script = `export default {
    fetch: (request) => fetch(request.headers.get('wanted')).catch(() => new Response('refused')),
  }`
  const modules = [{ type: 'ESModule' as const, path: 'a.mjs', contents: script }]
  const app: V4WorkerOptions = { name: 'app', compatibilityDate, modules }
  const workers: V4WorkerOptions[] = isClosed
    ? [{ ...app, outboundService: egressName }, egressWorker({ compatibilityDate })]
    : [app]
  const runtime = new Miniflare(convertV4MiniflareOptions({ workers, cf: false }))
  try {
    const found = []
    for (const host of hosts) {
      const wanted = `http://${host}:${port}/`
      found.push(await (await runtime.dispatchFetch('http://app.example/', { headers: { wanted } })).text())
    }
    return found
  } finally {
    await runtime.dispose()
  }
}

it('connects a server on a local machine to public addresses only, whatever a name resolves to', async () => {
  const hosts = ['127.0.0.1', 'localhost']
  expect(await reached(hosts, false)).toEqual(['private', 'private'])
  expect(await reached(hosts, true)).toEqual(['refused', 'refused'])
})
