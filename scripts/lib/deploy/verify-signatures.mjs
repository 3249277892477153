// Signatures of a server and its judgement of those of others, looked at from outside.
import { createHash, generateKeyPairSync, randomBytes, sign, verify as verifySignature } from 'node:crypto'
import { setup } from '../server.mjs'

const timeout = 15_000

/** Key of forgeries, which no server publishes. Made once: that takes longer than all requests of a check. */
let forger = null
function forgingKey() {
  forger ??= generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey
  return forger
}

/** Requests that the server signs as it does those to other servers, in each scheme. They are addressed to itself. */
export async function signedRequests(server) {
  const nonce = randomBytes(16).toString('hex')
  const { status, body } = await setup(server, 'POST', 'keys/sign', { nonce })
  must(status === 200, `the server cannot sign (${status}): ${body?.error ?? 'no reason given'}`)
  for (const { scheme, url, headers } of body.requests) {
    must(url === `${server.origin}/setup/keys/verify?nonce=${nonce}`, `it signed a request to ${url}`)
    must(headers.signature !== undefined, `it signed nothing (${scheme})`)
  }
  return body.requests
}

/**
 * Verifies signed requests by the key that others read, and by code of its own: after a restore, or with another
 * INSTANCE_SECRET, the stored key may not be the published one.
 */
export function proveSigning(requests, publicKeyPem) {
  for (const request of requests) {
    const { text, signature } = contentOf(request)
    must(
      verifySignature('sha256', Buffer.from(text), publicKeyPem, signature),
      `the key that others read does not fit the one that signs (${request.scheme})`,
    )
  }
}

/** Sends signed requests to the server, as they are and forged. It has to distinguish them. */
export async function proveVerifying(server, requests) {
  for (const request of requests) {
    const { scheme, headers } = request
    const proper = await send(server, request)
    must(proper.status === 200, `a signed request was refused (${scheme}, ${proper.status}): ${proper.error}`)
    const { text, signature } = contentOf(request)
    const forged = sign('sha256', Buffer.from(text), forgingKey()).toString('base64')
    const resigned = headers.signature.replace(signature.toString('base64'), forged)
    const wrong = [
      ['signed by another key', { ...request, headers: { ...headers, signature: resigned } }],
      ['with another body', { ...request, body: `${request.body} ` }],
      ['to another address', { ...request, url: `${request.url}0` }],
    ]
    for (const [name, forgery] of wrong) {
      const { status } = await send(server, forgery)
      must(status === 401, `a request ${name} was answered with ${status} (${scheme})`)
    }
  }
}

async function send({ secrets }, { url, headers, body }) {
  const response = await fetch(url, {
    method: 'POST',
    headers: { ...headers, authorization: `Bearer ${secrets.SETUP_TOKEN}` },
    body,
    signal: AbortSignal.timeout(timeout),
  })
  const text = await response.text()
  const isJson = response.headers.get('content-type')?.includes('json') === true
  return { status: response.status, error: isJson ? JSON.parse(text).error : text.slice(0, 200) }
}

/** Signed text and signature of a request: { text, signature }. */
function contentOf({ scheme, method, url, headers }) {
  return scheme === 'cavage' ? byCavage({ method, url, headers }) : byRfc9421({ method, url, headers })
}

function byCavage({ method, url, headers }) {
  const { host, pathname, search } = new URL(url)
  const values = { ...headers, '(request-target)': `${method.toLowerCase()} ${pathname}${search}`, host }
  const { headers: covered = '', signature = '' } = Object.fromEntries(
    [...headers.signature.matchAll(/(\w+)="([^"]*)"/g)].map(([, name, value]) => [name, value]),
  )
  const text = covered.split(' ').map((name) => `${name}: ${values[name]}`)
  return { text: text.join('\n'), signature: Buffer.from(signature, 'base64') }
}

function byRfc9421({ method, url, headers }) {
  const values = { ...headers, '@method': method, '@target-uri': url }
  const parameters = headers['signature-input'].replace(/^\w+=/, '')
  const covered = [.../^\(([^)]*)\)/.exec(parameters)[1].matchAll(/"([^"]+)"/g)].map(([, name]) => name)
  const lines = [...covered.map((name) => [name, values[name]]), ['@signature-params', parameters]]
  const [, signature] = /^\w+=:(.*):$/.exec(headers.signature)
  return {
    text: lines.map(([name, value]) => `"${name}": ${value}`).join('\n'),
    signature: Buffer.from(signature, 'base64'),
  }
}

/** Delivers an activity with an unverifiable signature: a server that accepts it verifies nothing. */
export async function forge(origin) {
  const actor = 'https://nobody.example/users/nobody'
  const body = JSON.stringify({
    '@context': 'https://www.w3.org/ns/activitystreams',
    id: `${actor}#check-${randomBytes(8).toString('hex')}`,
    type: 'Follow',
    actor,
    object: `${origin}/actor`,
  })
  const headers = {
    host: new URL(origin).host,
    date: new Date().toUTCString(),
    digest: `SHA-256=${createHash('sha256').update(body).digest('base64')}`,
    'content-type': 'application/activity+json',
  }
  const lines = ['(request-target): post /inbox', ...Object.entries(headers).map((one) => one.join(': '))]
  const signature = sign('sha256', Buffer.from(lines.join('\n')), forgingKey()).toString('base64')
  const covered = ['(request-target)', ...Object.keys(headers)].join(' ')
  const claim = `keyId="${actor}#main-key",algorithm="rsa-sha256",headers="${covered}",signature="${signature}"`
  const response = await fetch(`${origin}/inbox`, {
    method: 'POST',
    headers: { ...headers, signature: claim },
    body,
    signal: AbortSignal.timeout(timeout),
  })
  await response.arrayBuffer()
  // 401, or 503 while the key cannot be fetched.
  must(response.status >= 400, `an activity with a forged signature was answered with ${response.status}`)
}

function must(holds, sentence) {
  if (!holds) throw new Error(sentence)
}
