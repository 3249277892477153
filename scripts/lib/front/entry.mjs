// Entry of the Worker on its own server: the app behind `asOnPlatform`. Runs in workerd.
import app from './index.js'
import { withMail } from './mail.mjs'
import { asOnPlatform, unnamed } from './requests.mjs'

// biome-ignore lint/performance/noBarrelFile: the runtime finds the classes of Durable Objects by the exports of the entry
export * from './index.js'

export default {
  ...app,
  fetch: (request, env, lifetime) => {
    const given = asOnPlatform(request, { origin: env.ORIGIN, addresses: env.CLIENT_ADDRESSES })
    if (given !== null) return app.fetch(given, withMail(env), lifetime)
    return Response.json({ error: unnamed }, { status: 503, headers: { 'Cache-Control': 'no-store' } })
  },
  queue: (batch, env, lifetime) => app.queue(batch, withMail(env), lifetime),
  scheduled: (tick, env, lifetime) => app.scheduled(tick, withMail(env), lifetime),
}
