// A server whose Worker is profiled while it answers requests.
import { createHmac } from 'node:crypto'
import { neighbourhood } from '../../../test/bench/neighbourhood.ts'
import { fill, name, openMiniflare, origin, secret } from '../miniflare.mjs'
import { openProfiler } from './profiler.mjs'
import { requestsOf } from './requests.mjs'

/** Quiet after which late work is taken for done. */
const restMilliseconds = 150

export function rest() {
  return new Promise((resolve) => setTimeout(resolve, restMilliseconds))
}

/** Serves a bundle with the data of a small instance. `requests` are sent to it and may be profiled. */
export async function openMeasured(bundle, options = {}) {
  const { server, url, db } = await openMiniflare(bundle, undefined, {
    hasObjectsApart: true,
    inspectorPort: 0,
  })
  try {
    const facts = await neighbourhood(origin, new Date())
    await fill(db, facts.inserts)
    const profiler = await openProfiler(server, name)
    const close = async () => {
      profiler.close()
      await server.dispose()
    }
    const cookie = `session=${facts.session}.${signatureOf(facts.session)}`
    return { requests: requestsOf({ ...facts, cookie }, { ...options, url }), profiler, close }
  } catch (failure) {
    await server.dispose()
    throw failure
  }
}

/** Signature of the cookie of a session, as src/lib/secrets makes it. */
function signatureOf(session) {
  return createHmac('sha256', `session cookie\n${secret}`).update(session).digest('base64url')
}
