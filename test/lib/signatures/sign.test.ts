import { describe, expect, it } from 'vitest'
import { type HttpMessage, publicUrlOf } from '../../../src/lib/signatures/message'
import { signRequest, type Unsigned } from '../../../src/lib/signatures/sign'
import {
  findSignatureProblem,
  isSignedBy,
  readSignature,
  type Signature,
} from '../../../src/lib/signatures/verify'
import { ed25519Keys, type Keys, rsaKeys } from '../../support/keys'

const now = new Date('2026-11-01T12:00:00Z')
const keyId = 'https://fieldfare.test/users/ada#main-key'
const post: Unsigned = {
  method: 'POST',
  url: 'https://peer.test/inbox',
  headers: { 'content-type': 'application/activity+json' },
  body: '{"type":"Follow"}',
}
const get: Unsigned = {
  method: 'GET',
  url: 'https://peer.test/users/bo?page=1#key',
  headers: { accept: '*/*' },
}
const schemes = ['cavage', 'rfc9421'] as const

function received(request: Unsigned): HttpMessage {
  const body = request.body === undefined ? null : new TextEncoder().encode(String(request.body))
  const url = publicUrlOf('https://peer.test', request.url)
  return { method: request.method, url, headers: new Headers(request.headers), body }
}

function claimOf(message: HttpMessage): Signature {
  const claim = readSignature(message.headers)
  if (claim.kind !== 'claimed') throw new Error(JSON.stringify(claim))
  return claim.signature
}

async function verdict(keys: Keys, message: HttpMessage, at = now) {
  const signature = claimOf(message)
  return (
    (await findSignatureProblem(signature, message, at)) ??
    (await isSignedBy(keys.publicKey, signature, message))
  )
}

const ofRsa = await rsaKeys()

describe.each(schemes)('signing by %s', (scheme) => {
  const signed = (request: Unsigned, at = now) =>
    signRequest(request, { key: { keyId, sign: ofRsa.sign }, scheme, now: at })

  it.each([post, get])('every verifier accepts a signature: $method', async (request) => {
    const message = received(await signed(request))
    expect(claimOf(message).keyId).toBe(keyId)
    expect(await verdict(ofRsa, message)).toBe(true)
  })

  it('a signature covers the exact bytes of the body [T-675]', async () => {
    const message = received(await signed(post))
    const other = { ...message, body: new TextEncoder().encode('{"type":"Block"}') }
    expect(await verdict(ofRsa, other)).toBe('The digest does not fit the body')
  })

  it('a signature cannot be replayed to another server, whatever its Host header', async () => {
    const message = received(await signed(post))
    const url = publicUrlOf('https://victim.test', 'https://peer.test/inbox')
    const headers = new Headers([...message.headers, ['host', 'peer.test']])
    expect(await verdict(ofRsa, { ...message, url, headers })).toBe(false)
  })

  it('a signature is valid for 12 hours, and an hour in the future [T-676]', async () => {
    const message = received(await signed(post))
    const later = (minutes: number) => new Date(now.getTime() + minutes * 60_000)
    expect(await verdict(ofRsa, message, later(11 * 60 + 59))).toBe(true)
    expect(await verdict(ofRsa, message, later(12 * 60 + 1))).toBe('The signature is too old')
    expect(await verdict(ofRsa, message, later(-59))).toBe(true)
    expect(await verdict(ofRsa, message, later(-61))).toBe('The signature is of the future')
  })

  it('a signature does not verify with another key', async () => {
    expect(await verdict(await rsaKeys(), received(await signed(post)))).toBe(false)
  })

  it('reads the algorithm from the key: Ed25519 under a header with RSA [T-677]', async () => {
    const ed = await ed25519Keys()
    const request = await signRequest(post, { key: { keyId, sign: ed.sign }, scheme, now })
    expect(await verdict(ed, received(request))).toBe(true)
  })

  it('accepts RSA with SHA-512 as well', async () => {
    const keys = await rsaKeys('SHA-512')
    const request = await signRequest(post, { key: { keyId, sign: keys.sign }, scheme, now })
    expect(await verdict(keys, received(request))).toBe(true)
  })

  it('requires a digest even of an empty body', async () => {
    const request = await signed({ ...post, body: '' })
    expect(await verdict(ofRsa, received(request))).toBe(true)
    const { body: _none, ...bare } = post
    const message = { ...received(await signed(bare)), body: new Uint8Array() }
    expect(await verdict(ofRsa, message)).toBe('The signature does not cover the body')
  })
})

describe('signing by draft-cavage', () => {
  const order = { key: { keyId, sign: ofRsa.sign }, scheme: 'cavage', now } as const

  it('lists what it covers, and never (created), which Pleroma read as empty [T-678]', async () => {
    const { headers } = await signRequest(post, order)
    expect(headers['signature']).toMatch(
      /^keyId="https:\/\/fieldfare\.test\/users\/ada#main-key",algorithm="rsa-sha256",headers="\(request-target\) host date digest content-type",signature="[\w+/=]+"$/,
    )
    expect(headers).toMatchObject({
      date: 'Sun, 01 Nov 2026 12:00:00 GMT',
      digest: expect.stringMatching(/^SHA-256=[\w+/]{43}=$/),
    })
    expect(headers).not.toHaveProperty('host')
  })

  it('signs the port of a host that has one [T-679]', async () => {
    const request = await signRequest({ ...get, url: 'https://peer.test:8443/a' }, order)
    const message = { ...received(request), url: 'https://peer.test:8443/a' }
    expect(await verdict(ofRsa, message)).toBe(true)
    expect(await verdict(ofRsa, { ...message, url: 'https://peer.test/a' })).toBe(false)
  })

  it('verifies with and without the query string in the target [T-680]', async () => {
    for (const withoutQuery of [true, false]) {
      const message = received(await signRequest(get, { ...order, withoutQuery }))
      expect(await verdict(ofRsa, message)).toBe(true)
      const other = { ...message, url: 'https://peer.test/users/eve?page=1' }
      expect(await verdict(ofRsa, other)).toBe(false)
    }
  })
})

describe('signing by RFC 9421', () => {
  it('covers method, address and content-digest, with its time', async () => {
    const order = { key: { keyId, sign: ofRsa.sign }, scheme: 'rfc9421', now } as const
    const { headers } = await signRequest(post, order)
    expect(headers['signature-input']).toBe(
      `sig1=("@method" "@target-uri" "content-digest");created=1793534400;keyid="${keyId}";alg="rsa-v1_5-sha256"`,
    )
    expect(headers['content-digest']).toMatch(/^sha-256=:[\w+/]{43}=:$/)
  })
})
