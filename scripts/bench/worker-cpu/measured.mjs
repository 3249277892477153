// A server whose Worker is profiled while it answers requests.
import { createHash } from 'node:crypto'
import { neighbourhood } from '../../../test/bench/neighbourhood.ts'
import { fill, name, openMiniflare, origin } from '../miniflare.mjs'
import { sessionCookie } from '../session-cookie.mjs'
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
    const more = {
      cookie: cookieOf(facts.session),
      ownerCookie: await signInOwner(db, facts.writers[0]),
      conversation: await writeMessages(url, facts),
    }
    return { requests: requestsOf({ ...facts, ...more }, { ...options, url }), profiler, close }
  } catch (failure) {
    await server.dispose()
    throw failure
  }
}

function cookieOf(session) {
  return `session=${sessionCookie(session)}`
}

const ownerSession = 'session-of-the-owner'

/** Makes the holder of a token owner of the server; returns the cookie of a session of that account. */
async function signInOwner(db, token) {
  const hashOf = (text) => createHash('sha256').update(text).digest('base64url')
  const holder = '(select account_id from access_tokens where token_hash = ?)'
  await db.batch([
    db.prepare(`update users set role_id = 3 where account_id = ${holder}`).bind(hashOf(`token ${token}`)),
    db
      .prepare(
        `insert into sessions (id, token_hash, account_id, created_at, last_seen_at, expires_at, authenticated_at)
         select 1, ?, ${holder}, ?, ?, ?, ?`,
      )
      .bind(
        hashOf(`session ${ownerSession}`),
        hashOf(`token ${token}`),
        Date.now(),
        Date.now(),
        Date.now() + 86_400_000,
        Date.now(),
      ),
  ])
  return cookieOf(ownerSession)
}

const messages = 20

/** Sends the reader private messages of their own, the newest with replies of both; returns the id of that conversation. */
async function writeMessages(url, { token, writers }) {
  const call = async (path, as, body) => {
    const answer = await fetch(new URL(path, url), {
      method: body === undefined ? 'GET' : 'POST',
      headers: { authorization: `Bearer ${as}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    if (!answer.ok) throw new Error(`${path}: ${answer.status}`)
    return answer.json()
  }
  const write = (as, more = {}) =>
    call('api/v1/statuses', as, {
      status: '@neighbour0 The waxwings are back in the rowan by the station',
      visibility: 'direct',
      ...more,
    })
  let last
  for (let index = 0; index < messages; index += 1) last = await write(writers[index % writers.length])
  for (let index = 0; index < messages; index += 1) {
    const as = index % 2 === 0 ? token : writers[(messages - 1) % writers.length]
    last = await write(as, { in_reply_to_id: last.id, status: `@${last.account.acct} Since six` })
  }
  const [newest] = await call('api/v1/conversations', token)
  return newest.id
}
