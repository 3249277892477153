import { describe, expect, it } from 'vitest'
import { matchTotpStep, totpCode, totpSecretText, totpUri } from '../../src/lib/totp'

/** The secret of RFC 6238, appendix B, for SHA-1. */
const secret = new TextEncoder().encode('12345678901234567890')

/** The vectors of the appendix: seconds, and the code of eight digits, whose last six are what apps show. */
const vectors = [
  [59, '94287082'],
  [1_111_111_109, '07081804'],
  [1_111_111_111, '14050471'],
  [1_234_567_890, '89005924'],
  [2_000_000_000, '69279037'],
  [20_000_000_000, '65353130'],
] as const

const at = (seconds: number) => new Date(seconds * 1000)

describe('a code of an authenticator app', () => {
  it.each(vectors)('a code at %d seconds ends as RFC 6238 says: %s', (seconds, code) => {
    const six = code.slice(2)
    expect(totpCode(secret, at(seconds))).toBe(six)
    expect(matchTotpStep(secret, six, at(seconds))).toBe(Math.floor(seconds / 30))
  })

  it('accepts a code one step early or late, as that step, and no further', () => {
    const step = 41_152_263
    const code = totpCode(secret, at(step * 30))
    expect(
      [-31, -30, 0, 29, 30, 59, 60].map((late) => matchTotpStep(secret, code, at(step * 30 + late))),
    ).toEqual([null, step, step, step, step, step, null])
  })

  it.each(['', '12345', '1234567', 'abcdef', '٠٨١٨٠٤', '287082 '])('refuses %j as a code', (code) => {
    expect(matchTotpStep(secret, code, at(59))).toBeNull()
  })

  it('creates a secret that apps read from an address', () => {
    expect(totpSecretText(secret)).toBe('GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ')
    const uri = new URL(totpUri(secret, { issuer: 'hedgerow.example', label: 'ada@hedgerow.example' }))
    expect(`${uri.protocol}//${uri.host}`).toBe('otpauth://totp')
    expect(decodeURIComponent(uri.pathname)).toBe('/hedgerow.example:ada@hedgerow.example')
    expect(Object.fromEntries(uri.searchParams)).toEqual({
      issuer: 'hedgerow.example',
      secret: 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ',
      algorithm: 'SHA1',
      digits: '6',
      period: '30',
    })
  })
})
