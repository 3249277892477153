import { expect, it } from 'vitest'
import type { HttpMessage } from '../../../src/lib/signatures/message'
import { signRequest } from '../../../src/lib/signatures/sign'
import { findSignatureProblem, isSignedBy, readSignature } from '../../../src/lib/signatures/verify'
import { rsaKeys } from '../../support/keys'

/** Random numbers in the same sequence in every run. */
function random(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

const now = new Date('2026-11-01T12:00:00Z')
const inserted = [
  '"',
  ',',
  ';',
  '=',
  '(',
  ')',
  ':',
  '\\',
  ' ',
  '\t',
  '?1',
  'keyId="x"',
  '"date"',
  '@query',
  '%',
  'é',
  '*',
  '-9',
]

/** Cuts, doubles, swaps or inserts something at a place of the text. */
function mutated(text: string, roll: (below: number) => number): string {
  const at = roll(text.length + 1)
  const end = Math.min(text.length, at + 1 + roll(12))
  const piece = text.slice(at, end)
  const insert = inserted[roll(inserted.length)] ?? ''
  const choices = [text.slice(0, at) + text.slice(end), text.slice(0, end) + piece + text.slice(end)]
  return (
    [...choices, text.slice(0, at) + insert + text.slice(at), text.slice(0, at) + insert + text.slice(end)][
      roll(4)
    ] ?? text
  )
}

const keys = await rsaKeys()
const key = { keyId: 'https://peer.test/users/ada#main-key', sign: keys.sign }
const post = {
  method: 'POST' as const,
  url: 'https://here.test/inbox?x=1',
  headers: { 'content-type': 'application/activity+json' },
  body: '{"type":"Follow"}',
}

/** Parsed signature, for comparing headers that differ in form only. */
function meaningOf(headers: Headers): string {
  const claim = readSignature(headers)
  return JSON.stringify(claim, (_name, value: unknown) => (value instanceof Map ? [...value] : value))
}

it.each(['cavage', 'rfc9421'] as const)(
  'survives 3,000 changed headers and accepts none (%s)',
  async (scheme) => {
    const roll = random(20_261_101)
    const signed = await signRequest(post, { key, scheme, now })
    const genuine = meaningOf(new Headers(signed.headers))
    const names = [
      'signature',
      'signature-input',
      'digest',
      'content-digest',
      ...(scheme === 'cavage' ? ['date'] : []),
    ].filter((name) => name in signed.headers)
    const body = new TextEncoder().encode(post.body)
    const believed: string[] = []
    for (let round = 0; round < 3_000; round += 1) {
      const name = names[roll(names.length)] ?? 'signature'
      const original = new Headers(signed.headers).get(name) ?? ''
      const text = mutated(original, roll).replaceAll(/[^\x20-\x7e\t]/g, '')
      const headers = new Headers({ ...signed.headers, [name]: text })
      const claim = readSignature(headers)
      const isSame =
        headers.get(name) === original || (name.startsWith('signature') && meaningOf(headers) === genuine)
      if (claim.kind !== 'claimed' || isSame) continue
      // Under another id another key would have been looked up.
      if (claim.signature.keyId !== key.keyId) continue
      const message: HttpMessage = { method: post.method, url: post.url, headers, body }
      if ((await findSignatureProblem(claim.signature, message, now)) !== null) continue
      if (await isSignedBy(keys.publicKey, claim.signature, message)) believed.push(`${name}: ${text}`)
    }
    expect(believed).toEqual([])
  },
)
