// Durable Objects without Fieldfare: the same sockets in the same runtime.
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { convertV4MiniflareOptions, Miniflare } from 'miniflare'
import { unstable_getMiniflareWorkerOptions } from 'wrangler'
import { root } from '../../lib/server.mjs'
import { descendantsCalled } from '../federation/on-cpu.mjs'
import { arrivals } from './crowd.mjs'

/** Durable Objects that accept sockets and answer them. */
export async function openBareObjects() {
  const { workerOptions } = unstable_getMiniflareWorkerOptions(join(root, 'wrangler.full.toml'))
  const { compatibilityDate, compatibilityFlags } = workerOptions
  const file = new URL('bare-object.mjs', import.meta.url)
  const others = descendantsCalled('workerd')
  const server = new Miniflare(
    convertV4MiniflareOptions({
      name: 'bare',
      compatibilityDate,
      compatibilityFlags,
      cf: false,
      port: 0,
      inspectorPort: 0,
      modules: [{ type: 'ESModule', path: 'index.js', contents: await readFile(file, 'utf8') }],
      durableObjects: { BARE: { className: 'Bare', useSQLite: true } },
    }),
  )
  const url = await server.ready
  const touch = async () => (await fetch(url)).text()
  return { server, url, touch, pids: descendantsCalled('workerd').filter((pid) => !others.includes(pid)) }
}

/** Sends each object a word, which it sends back. Returns milliseconds until the last came back. */
export async function exchange(crowd, word) {
  const began = performance.now()
  for (const { ws } of crowd) ws.send(word)
  const times = await arrivals(crowd, `delete ${word}`)
  if (times.length < crowd.length) throw new Error(`Of ${crowd.length} bare sockets ${times.length} answered`)
  return Math.max(...times) - began
}
