import { describe, expect, it } from 'vitest'
import {
  answerJson,
  creationOptions,
  isPasskey,
  requestOptions,
  toBytes,
  toText,
} from '../../src/islands/lib/passkey'

const bytes = (...values: readonly number[]) => Uint8Array.from(values).buffer

it('bytes are base64url without padding, both ways', () => {
  expect(toText(bytes(251, 255, 254))).toBe('-__-')
  expect(toText(bytes(1))).toBe('AQ')
  expect([...toBytes('-__-')]).toEqual([251, 255, 254])
  expect([...toBytes('AQ')]).toEqual([1])
})

it('options of the server become those of browsers, and keep the rest', () => {
  const descriptor = { id: 'AQ', type: 'public-key', transports: ['usb'] } as const
  const request = requestOptions({ challenge: 'AQ', allowCredentials: [descriptor] })
  expect([...request.challenge]).toEqual([1])
  expect(request.allowCredentials).toEqual([{ ...descriptor, id: toBytes('AQ') }])
  expect(requestOptions({ challenge: 'AQ' })).toEqual({ challenge: toBytes('AQ') })
  const creation = creationOptions({
    challenge: 'AQ',
    rp: { name: 'Fieldfare' },
    pubKeyCredParams: [{ alg: -7, type: 'public-key' }],
    user: { id: 'Ag', name: 'alice', displayName: 'Alice' },
    excludeCredentials: [descriptor],
  })
  expect([...creation.user.id]).toEqual([2])
  expect(creation.rp).toEqual({ name: 'Fieldfare' })
  expect(creation.excludeCredentials).toHaveLength(1)
})

describe('the answer of a browser', () => {
  const answer = (response: object) => ({ id: 'AQ', rawId: bytes(1), type: 'public-key', response })

  it('the answer for a new passkey contains its transports and attestation', () => {
    const response = {
      clientDataJSON: bytes(1),
      attestationObject: bytes(2),
      authenticatorData: bytes(3),
      getTransports: () => ['internal'],
    }
    expect(answerJson(answer(response))).toEqual({
      id: 'AQ',
      rawId: 'AQ',
      type: 'public-key',
      clientExtensionResults: {},
      response: { clientDataJSON: 'AQ', attestationObject: 'Ag', transports: ['internal'] },
    })
  })

  it('the answer for a used passkey contains its signature, and no user if the device names none', () => {
    const response = {
      clientDataJSON: bytes(1),
      authenticatorData: bytes(3),
      signature: bytes(4),
      userHandle: null,
    }
    expect(answerJson(answer(response)).response).toEqual({
      clientDataJSON: 'AQ',
      authenticatorData: 'Aw',
      signature: 'BA',
    })
  })

  it('other credentials are not passkeys', () => {
    expect(isPasskey(answer({}))).toBe(true)
    expect(isPasskey(null)).toBe(false)
    expect(isPasskey({ id: 'x', type: 'password' })).toBe(false)
  })
})
