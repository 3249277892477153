// Entry of the measured Worker: the app, and beside it what cannot be cheaper. `/bench/trip` is one trivial trip to the
// database, the floor of all that need one. `/bench/statements/PATH` sends the statements of a GET of PATH without the app,
// and returns their raw rows: the floor of that path with this database. Runs in workerd.
//
// Stands in for the flood gate's counters: the platform keeps them in the memory of the machine, the emulation writes each
// count to disk, which takes as much CPU as a trip.
import app from './index.js'

// biome-ignore lint/performance/noBarrelFile: the runtime finds the classes of Durable Objects by the exports of the entry
export * from './index.js'

const gate = { limit: async () => ({ success: true }) }
/** Environment with that gate: a single object for all requests, since the app caches by it. */
let gated

const statementsPrefix = '/bench/statements'
/** Batches that the app sent, by path, as texts and values. */
const batches = new Map()

export default {
  ...app,
  fetch: async (request, env, lifetime) => {
    gated ??= { ...env, FLOOD: gate, FLOOD_NETWORK: gate }
    const url = new URL(request.url)
    if (url.pathname === '/bench/trip') return Response.json(await env.DB.prepare('select 1 as one').first())
    if (!url.pathname.startsWith(statementsPrefix)) return app.fetch(request, gated, lifetime)
    const batch = batches.get(request.url) ?? (await recordBatch(request, lifetime))
    batches.set(request.url, batch)
    return Response.json(
      await env.DB.batch(batch.map(({ text, values }) => env.DB.prepare(text).bind(...values))),
    )
  },
}

/** Lets the app answer the request once, and notes the batch that it sends first. */
async function recordBatch(request, lifetime) {
  const sent = []
  const statements = new WeakMap()
  const noted = (statement, text, values = []) => {
    const bound = new Proxy(statement, {
      get(target, key) {
        if (key === 'bind') return (...given) => noted(target.bind(...given), text, given)
        const member = Reflect.get(target, key)
        return typeof member === 'function' ? member.bind(target) : member
      },
    })
    statements.set(bound, { inner: statement, text, values })
    return bound
  }
  const db = new Proxy(gated.DB, {
    get(target, key) {
      if (key === 'prepare') return (text) => noted(target.prepare(text), text)
      if (key === 'batch')
        return (all) => {
          sent.push(all.map((one) => statements.get(one)))
          return target.batch(all.map((one) => statements.get(one).inner))
        }
      return Reflect.get(target, key)
    },
  })
  const url = request.url.replace(statementsPrefix, '')
  const response = await app.fetch(new Request(url, request), { ...gated, DB: db }, lifetime)
  await response.arrayBuffer()
  const batch = sent.find((one) => one.some(({ text }) => /\bstatuses\b/.test(text)))
  if (batch === undefined) throw new Error(`${url} sends no batch`)
  return batch
}
