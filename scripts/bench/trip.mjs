// Entry of the measured Worker: the app, and beside it one trivial trip to the database as the floor of all that need
// one. Runs in workerd.
//
// Stands in for the flood gate's counters: the platform keeps them in the memory of the machine, the emulation writes each
// count to disk, which takes as much CPU as a trip.
import app from './index.js'

// biome-ignore lint/performance/noBarrelFile: the runtime finds the classes of Durable Objects by the exports of the entry
export * from './index.js'

const gate = { limit: async () => ({ success: true }) }
/** Environment with that gate: a single object for all requests, since the app caches by it. */
let gated

export default {
  ...app,
  fetch: async (request, env, lifetime) => {
    gated ??= { ...env, FLOOD: gate, FLOOD_NETWORK: gate }
    if (new URL(request.url).pathname !== '/bench/trip') return app.fetch(request, gated, lifetime)
    return Response.json(await env.DB.prepare('select 1 as one').first())
  },
}
