// Looks at a server from outside, as clients and other servers do.
import { createPublicKey, randomBytes } from 'node:crypto'
import { setup } from '../server.mjs'
import { forge, proveSigning, proveVerifying, signedRequests } from './verify-signatures.mjs'

const activityJson = { accept: 'application/activity+json' }

/** Prints the results of checks. Returns whether all is well. */
export function report(results, log) {
  for (const { name, problem } of results)
    log(`  ${problem === null ? 'ok    ' : 'FAILED'}  ${name}${problem === null ? '' : `: ${problem}`}`)
  return results.every(({ problem }) => problem === null)
}

/** The results of all checks: { name, problem }, `problem` null where all is well. */
export async function verify({ origin, owner, secrets }) {
  const host = new URL(origin).host
  const person = { document: null }
  const signed = { requests: [] }
  const checks = [
    ['health', () => checkHealth(origin)],
    [
      'NodeInfo',
      async () => {
        const { links } = await json(`${origin}/.well-known/nodeinfo`)
        const { software } = await json(links.at(-1).href)
        must(software.name === 'fieldfare', `another software answers: ${software.name}`)
      },
    ],
    [
      `WebFinger of ${owner}@${host}`,
      async () => {
        const resource = encodeURIComponent(`acct:${owner}@${host}`)
        const { links } = await json(`${origin}/.well-known/webfinger?resource=${resource}`)
        const self = links.find(({ rel }) => rel === 'self')
        must(self !== undefined, 'it leads to no actor')
        person.document = self.href
      },
    ],
    [
      'actor and its key',
      async () => {
        must(person.document !== null, 'WebFinger leads to none')
        // With AUTHORIZED_FETCH, a request without signature is refused; the actor of the server stays open.
        const address = [person.document, `${origin}/actor`]
        const actor = await json(address[0], activityJson).catch(() => json(address[1], activityJson))
        must(actor.id.startsWith(`${origin}/`), `its id is ${actor.id}`)
        createPublicKey(actor.publicKey.publicKeyPem)
      },
    ],
    ['an activity without proof is refused', () => forge(origin)],
    ...(secrets === null
      ? []
      : [
          [
            'requests are signed by the published key',
            async () => {
              signed.requests = await signedRequests({ origin, secrets })
              const { publicKey } = await json(`${origin}/actor`, activityJson)
              proveSigning(signed.requests, publicKey.publicKeyPem)
            },
          ],
          [
            'signed requests are verified, and forged ones refused',
            async () => {
              must(signed.requests.length > 0, 'it signed none')
              await proveVerifying({ origin, secrets }, signed.requests)
            },
          ],
          ['media, stored and served', () => roundTrip({ origin, secrets })],
        ]),
  ]
  const results = []
  for (const [name, run] of checks) results.push({ name, problem: await problemOf(run) })
  return results
}

/** Smallest picture: one transparent pixel. */
const pixel =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

/** Adds a custom emoji, reads its picture, and removes it. */
async function roundTrip(server) {
  const shortcode = `check_${randomBytes(4).toString('hex')}`
  const emojis = '/api/fieldfare/v1/admin/custom_emojis'
  const image = `data:image/png;base64,${pixel}`
  const added = await setup(server, 'POST', emojis, { shortcode, image })
  must(added.status === 200, `storing a picture was refused (${added.status}): ${added.body?.error}`)
  try {
    const listed = await json(`${server.origin}/api/v1/custom_emojis`)
    const emoji = listed.find((one) => one.shortcode === shortcode)
    must(emoji !== undefined, 'the stored picture is not listed')
    const response = await fetch(emoji.url)
    await response.arrayBuffer()
    must(response.ok, `the stored picture is not served (${response.status})`)
  } finally {
    await setup(server, 'DELETE', `${emojis}/${added.body.id}`)
  }
}

/** The cron of a server that stood still runs within the next minute: its age says nothing yet. */
async function checkHealth(origin) {
  const address = `${origin}/health`
  const response = await fetch(address, { signal: AbortSignal.timeout(15_000) })
  const body = await response.text()
  if (response.ok) return
  const isJson = response.headers.get('content-type')?.includes('json') === true
  const { causes = [], error } = isJson ? JSON.parse(body) : {}
  const others = causes.filter((cause) => cause !== 'cron')
  if (causes.length > 0 && others.length === 0) return
  must(false, `${response.status} ${error ?? (others.join(', ') || body.slice(0, 200))}`)
}

async function problemOf(run) {
  try {
    await run()
    return null
  } catch (failure) {
    return failure.cause?.message ?? failure.message
  }
}

async function text(address, headers = {}) {
  const response = await fetch(address, { headers, signal: AbortSignal.timeout(15_000) })
  const body = await response.text()
  must(response.ok, `${response.status} ${body.slice(0, 200)}`)
  return body
}

async function json(address, headers) {
  return JSON.parse(await text(address, headers))
}

function must(holds, sentence) {
  if (!holds) throw new Error(sentence)
}
