import { describe, expect, it } from 'vitest'
import type { HttpMessage } from '../../../src/lib/signatures/message'
import {
  findSignatureProblem,
  isSignedBy,
  readSignature,
  type Signature,
} from '../../../src/lib/signatures/verify'
import cavage from '../../data/signatures/cavage.json'
import fedify from '../../data/signatures/fedify-2.3.8.json'
import rfc9421 from '../../data/signatures/rfc9421.json'

interface Vector {
  readonly name: string
  readonly publicKey: string
  readonly method: string
  readonly url: string
  readonly headers: Readonly<Record<string, string | undefined>>
  readonly body: string | null
  /** Reason for refusing a genuine signature as too weak. */
  readonly refused: string | null
}

interface Published {
  readonly source: string
  readonly signedAt: string
  readonly vectors: readonly Vector[]
}

const published: readonly Published[] = [cavage, rfc9421, fedify]

function messageOf({ method, url, headers, body }: Vector): HttpMessage {
  const given = Object.entries(headers).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, value]],
  )
  const bytes = body === null ? null : new TextEncoder().encode(body)
  return { method, url, headers: new Headers(given), body: bytes }
}

function claimOf(message: HttpMessage): Signature {
  const claim = readSignature(message.headers)
  if (claim.kind !== 'claimed') throw new Error(`Not read: ${JSON.stringify(claim)}`)
  return claim.signature
}

for (const { source, signedAt, vectors } of published)
  describe(`published signatures: ${source}`, () => {
    const now = new Date(signedAt)
    it.each(vectors)('verifies $name', async (vector) => {
      const message = messageOf(vector)
      expect(await isSignedBy(vector.publicKey, claimOf(message), message)).toBe(true)
    })

    it.each(vectors)('checks the coverage of $name', async (vector) => {
      const message = messageOf(vector)
      expect(await findSignatureProblem(claimOf(message), message, now)).toBe(vector.refused)
    })

    it.each(vectors.filter(({ refused }) => refused === null))(
      'does not verify $name for anything else',
      async (vector) => {
        const message = messageOf(vector)
        const signature = claimOf(message)
        const changed: readonly HttpMessage[] = [
          { ...message, method: message.method === 'GET' ? 'HEAD' : 'PUT' },
          { ...message, url: message.url.replace('https://', 'https://x') },
          { ...message, url: message.url.replace(/(test|com)\/\w+/, '$1/elsewhere') },
        ]
        for (const other of changed) expect(await isSignedBy(vector.publicKey, signature, other)).toBe(false)
      },
    )
  })
