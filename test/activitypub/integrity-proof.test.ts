import { describe, expect, it } from 'vitest'
import { isProvenBy, readProof } from '../../src/activitypub/inbox/forwarded'
import { isObject, type JsonObject } from '../../src/activitypub/vocab/json'
import { wire } from '../wire/corpus'

const key = 'z6MkrJVnaZkeFzdQyMZu1cgjg7k1pZZ6pvBQ7XJPt4swbTQ2'
const otherKey = 'z6MktXLhm4GPbTSzeTK3Ezu9zSVFEnZ9ccGUqMkwxwBBYVYw'
const contexts = ['https://www.w3.org/ns/activitystreams', 'https://w3id.org/security/data-integrity/v2']

/** Signed activity of fep-8b32.feature. */
const activity: JsonObject = {
  '@context': contexts,
  id: 'https://server.example/activities/1',
  type: 'Create',
  actor: 'https://server.example/users/alice',
  object: {
    id: 'https://server.example/objects/1',
    type: 'Note',
    attributedTo: 'https://server.example/users/alice',
    content: 'Hello world',
    location: { type: 'Place', longitude: -71.184902, latitude: 25.273962 },
  },
  proof: {
    '@context': contexts,
    type: 'DataIntegrityProof',
    cryptosuite: 'eddsa-jcs-2022',
    verificationMethod: 'https://server.example/users/alice#ed25519-key',
    proofPurpose: 'assertionMethod',
    proofValue: 'z42ffGu6AUKPCFcFPiabmUvnGLPJzC7e4DGWC52NUasSSH37UMa9c58tdgVszUcZfytxa4fQ5TYHaJENCxUDe9SdL',
    created: '2023-02-24T23:36:38Z',
  },
}

/** Signed activity of an early version of fep-8b32.feature, with a proof without context. */
const early: JsonObject = {
  '@context': ['https://www.w3.org/ns/activitystreams', 'https://w3id.org/security/data-integrity/v1'],
  type: 'Create',
  actor: 'https://server.example/users/alice',
  object: { type: 'Note', content: 'Hello world' },
  proof: {
    type: 'DataIntegrityProof',
    cryptosuite: 'eddsa-jcs-2022',
    verificationMethod: 'https://server.example/users/alice#ed25519-key',
    proofPurpose: 'assertionMethod',
    proofValue: 'z3sXaxjKs4M3BRicwWA9peyNPJvJqxtGsDmpt1jjoHCjgeUf71TRFz56osPSfDErszyLp5Ks1EhYSgpDaNM977Rg2',
    created: '2023-02-24T23:36:38Z',
  },
}

/** Signed credential of vc-di-eddsa, "Representation: eddsa-jcs-2022". */
const credential: JsonObject = {
  '@context': ['https://www.w3.org/ns/credentials/v2', 'https://www.w3.org/ns/credentials/examples/v2'],
  id: 'urn:uuid:58172aac-d8ba-11ed-83dd-0b3aef56cc33',
  type: ['VerifiableCredential', 'AlumniCredential'],
  name: 'Alumni Credential',
  description: 'A minimum viable example of an Alumni Credential.',
  issuer: 'https://vc.example/issuers/5678',
  validFrom: '2023-01-01T00:00:00Z',
  credentialSubject: { id: 'did:example:abcdefgh', alumniOf: 'The School of Examples' },
  proof: {
    type: 'DataIntegrityProof',
    cryptosuite: 'eddsa-jcs-2022',
    created: '2023-02-24T23:36:38Z',
    verificationMethod: `did:key:${key}#${key}`,
    proofPurpose: 'assertionMethod',
    '@context': ['https://www.w3.org/ns/credentials/v2', 'https://www.w3.org/ns/credentials/examples/v2'],
    proofValue: 'z2HnFSSPPBzR36zdDgK8PbEHeXbR56YF24jwMpt3R1eHXQzJDMWS93FCzpvJpwTWd3GAVFuUfjoJdcnTMuVor51aX',
  },
}

const proofOf = (document: JsonObject): JsonObject => (isObject(document['proof']) ? document['proof'] : {})
const withProof = (document: JsonObject, changes: JsonObject): JsonObject => ({
  ...document,
  proof: { ...proofOf(document), ...changes },
})
const read = (document: JsonObject, at = '2023-02-24T23:40:00Z') => readProof(document, new Date(at))

async function isProven(document: JsonObject, by = key): Promise<boolean> {
  const proof = read(document)
  if (proof === null) throw new Error('unreadable')
  return isProvenBy(by, document, proof)
}

describe('the proof of a document', () => {
  it.each([
    ['the test vector of FEP-8b32', activity],
    ['its early form without a context in the proof', early],
  ])('verifies the proof: %s', async (_, document) => {
    expect(await isProven(document)).toBe(true)
    expect(await isProven(document, otherKey)).toBe(false)
  })

  it('verifies the proof of the vc-di-eddsa test vector', async () => {
    // The vector names its key by a DID, and keys of actors have web addresses.
    const proof = read(withProof(credential, { verificationMethod: 'https://vc.example/issuers/5678#key' }))
    expect(read(credential)).toBeNull()
    const { proofValue: _, ...options } = proofOf(credential)
    expect(proof).not.toBeNull()
    if (proof === null) return
    expect(await isProvenBy(key, credential, { ...proof, options })).toBe(true)
    expect(await isProvenBy(key, { ...credential, name: 'Other' }, { ...proof, options })).toBe(false)
  })

  it('verifies a proof that Fedify made', async () => {
    const document = wire('fedify-2.3-create-proof')
    if (!isObject(document)) throw new Error('no object')
    const proof = read(document, '2026-11-01T12:00:00Z')
    expect(proof?.keyId).toBe('https://hollo.test/@mika#multikey')
    if (proof === null) return
    expect(await isProvenBy(otherKey, document, proof)).toBe(true)
    expect(await isProvenBy(otherKey, { ...document, to: 'https://hollo.test/@mika' }, proof)).toBe(false)
  })

  it('the proof covers every property but Linked Data signatures, which are added later', async () => {
    expect(await isProven({ ...activity, signature: { type: 'RsaSignature2017' } })).toBe(true)
    for (const changes of [
      { extra: null },
      { type: 'Update' },
      { id: 'https://server.example/activities/2' },
      { proofs: [] },
      { object: { ...proofOf({ proof: activity['object'] }), content: 'Hello world ' } },
      // Precomposed and decomposed letters are different texts.
      { object: { ...proofOf({ proof: activity['object'] }), content: 'Hello w\u00f6rld' } },
    ])
      expect(await isProven({ ...activity, ...changes }), JSON.stringify(changes)).toBe(false)
  })

  it('the proof covers its own options', async () => {
    for (const changes of [
      { created: '2023-02-24T23:36:39Z' },
      { expires: '3000-01-01T00:00:00Z' },
      { verificationMethod: 'https://server.example/users/alice#other-key' },
      { nonce: 'x' },
      { '@context': contexts.slice(0, 1) },
    ])
      expect(await isProven(withProof(activity, changes)), JSON.stringify(changes)).toBe(false)
  })

  it('allows contexts added after its own, and no replacement of them', async () => {
    expect(await isProven({ ...activity, '@context': [...contexts, { extra: 'https://x.test/' }] })).toBe(
      true,
    )
    for (const given of [contexts.toReversed(), contexts.slice(0, 1), contexts[0], [], undefined, null, {}])
      expect(await isProven({ ...activity, '@context': given }), String(given)).toBe(false)
  })

  it('verifies the document as parsed: the last of duplicate keys', async () => {
    const text = JSON.stringify(activity)
    const twice = (first: string, last: string) =>
      JSON.parse(text.replace('"type":"Create"', `"type":"${first}","type":"${last}"`))
    expect(await isProven(twice('Delete', 'Create'))).toBe(true)
    expect(await isProven(twice('Create', 'Delete'))).toBe(false)
  })

  it('refuses keys of other types', async () => {
    for (const text of ['', 'z', 'zzzz', `${key}1`, key.slice(0, -1), 'uBwE', 'PEM', `u${key}`])
      expect(await isProven(activity, text), text).toBe(false)
  })

  it('refuses documents beyond the limits', async () => {
    const content = 'x'.repeat(66_000)
    const nested = JSON.parse(`${'['.repeat(5_000)}${']'.repeat(5_000)}`)
    for (const changes of [{ content }, { nested }, { lone: '\ud800' }, { far: Number.POSITIVE_INFINITY }])
      expect(await isProven({ ...activity, ...changes })).toBe(false)
  })

  it.each<[string, JsonObject]>([
    ['a set', { ...activity, proof: [proofOf(activity)] }],
    ['a set of none', { ...activity, proof: [] }],
    ['a text', { ...activity, proof: 'https://server.example/proofs/1' }],
    ['none', { ...activity, proof: null }],
    ['of another type', withProof(activity, { type: 'Ed25519Signature2020' })],
    ['of several types', withProof(activity, { type: ['DataIntegrityProof'] })],
    ['of another cryptosuite', withProof(activity, { cryptosuite: 'eddsa-rdfc-2022' })],
    ['of the former name of the cryptosuite', withProof(activity, { cryptosuite: 'jcs-eddsa-2022' })],
    ['for another purpose', withProof(activity, { proofPurpose: 'authentication' })],
    ['for purposes', withProof(activity, { proofPurpose: ['assertionMethod'] })],
    ['by no key', withProof(activity, { verificationMethod: undefined })],
    ['by an inlined key', withProof(activity, { verificationMethod: { id: 'https://server.example/#k' } })],
    ['by a DID', withProof(activity, { verificationMethod: `did:key:${key}` })],
    ['without a value', withProof(activity, { proofValue: undefined })],
    ['in base64', withProof(activity, { proofValue: `u${'A'.repeat(86)}` })],
    ['in no base', withProof(activity, { proofValue: 'A'.repeat(88) })],
    ['with letters that are none of its base', withProof(activity, { proofValue: 'z0OIl' })],
    ['with a value of any length', withProof(activity, { proofValue: `z${'2'.repeat(100_000)}` })],
    ['without a date', withProof(activity, { created: undefined })],
    ['with a date of words', withProof(activity, { created: 'yesterday' })],
    ['with a date of seconds', withProof(activity, { created: 1_677_281_798 })],
    ['older than twelve hours', withProof(activity, { created: '2023-02-24T11:39:00Z' })],
    ['more than an hour ahead', withProof(activity, { created: '2023-02-25T00:41:00Z' })],
    ['that expired', withProof(activity, { expires: '2023-02-24T23:39:59Z' })],
    ['that expires at no date', withProof(activity, { expires: 'never' })],
    ['that expires at null', withProof(activity, { expires: null })],
  ])('does not read a proof where it is %s', (_, document) => {
    expect(read(document)).toBeNull()
  })

  it('refuses a signature of another length', async () => {
    for (const proofValue of ['z', 'z2', `z${'1'.repeat(63)}`, `z${'1'.repeat(64)}`, `z${'1'.repeat(65)}`])
      expect(await isProven(withProof(activity, { proofValue })), proofValue).toBe(false)
  })
})
