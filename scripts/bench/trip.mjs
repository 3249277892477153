// Entry of the measured Worker: the app, and beside it one trivial trip to the database as the floor of all that need
// one. Runs in workerd.
import app from './index.js'

// biome-ignore lint/performance/noBarrelFile: the runtime finds the classes of Durable Objects by the exports of the entry
export * from './index.js'

export default {
  ...app,
  fetch: async (request, env, lifetime) => {
    if (new URL(request.url).pathname !== '/bench/trip') return app.fetch(request, env, lifetime)
    return Response.json(await env.DB.prepare('select 1 as one').first())
  },
}
