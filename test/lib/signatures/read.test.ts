import { describe, expect, it } from 'vitest'
import {
  findSignatureProblem,
  isSignedBy,
  readSignature,
  type SignatureClaim,
} from '../../../src/lib/signatures/verify'

const now = new Date('2026-11-01T12:00:00Z')
const date = now.toUTCString()
const someBytes = 'AAAA'

const read = (headers: Record<string, string>): SignatureClaim => readSignature(new Headers(headers))
const cavage = (value: string) => read({ signature: value })
const rfc = (input: string, signature = `a=:${someBytes}:`) => read({ 'signature-input': input, signature })

describe('reading a signature', () => {
  it('recognises a request without a signature', () => {
    expect(read({})).toEqual({ kind: 'unsigned' })
  })

  it('reads the key with any or no algorithm', () => {
    for (const algorithm of ['', 'algorithm="hs2019",', 'algorithm="none",', 'algorithm=hs2019,'])
      expect(
        cavage(`keyId="https://a.test/key",${algorithm}headers="date",signature="${someBytes}"`),
      ).toMatchObject({
        kind: 'claimed',
        signature: { scheme: 'cavage', keyId: 'https://a.test/key', covered: ['date'] },
      })
  })

  it('reads the first of several RFC 9421 signatures that names a key', () => {
    const inputs = 'proxy=("@method");created=1, b=("@method");created=2;keyid="https://b.test/k"'
    expect(rfc(inputs, `proxy=:${someBytes}:, b=:BBBB:`)).toMatchObject({
      signature: { scheme: 'rfc9421', keyId: 'https://b.test/k', created: 2 },
    })
  })

  it.each([
    ['a key named twice', `keyId="a",keyId="b",signature="${someBytes}"`],
    ['a key named twice in other letters', `keyId="a",keyid="b",signature="${someBytes}"`],
    ['two headers joined into one', `keyId="a",signature="${someBytes}", keyId="a",signature="${someBytes}"`],
    ['no key', `signature="${someBytes}"`],
    ['an empty key', `keyId="",signature="${someBytes}"`],
    ['no signature', 'keyId="a"'],
    ['a signature that is no base64', 'keyId="a",signature="!"'],
    ['a header covered twice', `keyId="a",headers="date date",signature="${someBytes}"`],
    ['an unreadable time', `keyId="a",created=soon,signature="${someBytes}"`],
    ['an open quotation', 'keyId="a'],
    ['something else', 'Bearer abc'],
    ['nothing', ''],
    ['a long text', 'x'.repeat(10_000)],
  ])('reading a signature refuses %s (draft-cavage)', (_what, header) => {
    expect(cavage(header).kind).toBe('malformed')
  })

  it.each([
    ['a label twice', 'a=();keyid="k", a=();keyid="k"'],
    ['a parameter twice', 'a=();keyid="k";keyid="l"'],
    ['a component twice', 'a=("@method" "@method");keyid="k"'],
    ['no key', 'a=("@method");created=1'],
    ['a key that is no text', 'a=("@method");keyid=k'],
    ['a label that is not signed', 'b=("@method");keyid="k"'],
    ['a list left open', 'a=("@method"'],
    ['an item for a list', 'a="x";keyid="k"'],
    ['a comma too many', 'a=();keyid="k",'],
    ['nothing', ''],
  ])('reading a signature refuses %s (RFC 9421)', (_what, input) => {
    expect(rfc(input).kind).toBe('malformed')
  })

  it('refuses an input without a signature, and a signature of another form', () => {
    expect(read({ 'signature-input': 'a=();keyid="k"' }).kind).toBe('malformed')
    expect(rfc('a=();keyid="k"', 'a="text"').kind).toBe('malformed')
  })
})

const url = 'https://here.test/inbox?x=1'

async function objectionTo(headers: Record<string, string>, method = 'GET') {
  const claim = read(headers)
  if (claim.kind !== 'claimed') throw new Error(claim.kind)
  const body = method === 'GET' ? null : new TextEncoder().encode('{}')
  return findSignatureProblem(claim.signature, { method, url, headers: new Headers(headers), body }, now)
}

const covering = (names: string, more = '') => ({
  date,
  signature: `keyId="k",headers="${names}",${more}signature="${someBytes}"`,
})
const listing = (names: string, parameters = `;created=${now.getTime() / 1000}`) => ({
  date,
  'signature-input': `a=(${names})${parameters};keyid="k"`,
  signature: `a=:${someBytes}:`,
})
const emptyDigest = 'SHA-256=RBNvo1WzZ4oRRq0W9+hknpT7T8If536DEMBg9hyq/4o='

describe('headers a signature must cover', () => {
  it.each([
    ['(request-target) host date', null],
    ['(Request-Target) Host Date accept', null],
    ['host date', 'The signature does not cover the target'],
    ['(request-target) date', 'The signature does not cover the host'],
    ['(request-target) host', 'The signature covers no time'],
  ])('requires by draft-cavage over %s', async (names, expected) => {
    expect(await objectionTo(covering(names))).toBe(expected)
  })

  it.each([
    ['"@method" "@target-uri"', null],
    ['"@method" "@authority" "@request-target"', null],
    ['"@method" "@authority" "@path" "@query"', null],
    ['"@method" "host" "@path" "@query"', null],
    ['"@target-uri"', 'The signature does not cover the method'],
    ['"@method" "@authority" "@path"', 'The signature does not cover the target'],
    ['"@method" "@path" "@query"', 'The signature does not cover the host'],
  ])('requires by RFC 9421 over %s', async (names, expected) => {
    expect(await objectionTo(listing(names))).toBe(expected)
  })

  it('requires a time, either the date or the moment of signing', async () => {
    expect(await objectionTo(listing('"@method" "@target-uri"', ''))).toBe('The signature covers no time')
    expect(await objectionTo(listing('"@method" "@target-uri" "date"', ''))).toBeNull()
    const created = `created=${now.getTime() / 1000},`
    expect(await objectionTo(covering('(request-target) host (created)', created))).toBeNull()
    expect(await objectionTo(covering('(request-target) host (created)', 'created=1,'))).toBe(
      'The signature is too old',
    )
  })

  it('requires a valid date, given once', async () => {
    const twice = { ...covering('(request-target) host date'), date: `${date}, ${date}` }
    expect(await objectionTo(twice)).toBe('The date is missing or unreadable')
    const { date: _none, ...without } = covering('(request-target) host date')
    expect(await objectionTo(without)).toBe('The date is missing or unreadable')
  })

  it('requires the body, by every known digest', async () => {
    const names = '(request-target) host date digest'
    const objectionFor = (digest: string) => objectionTo({ ...covering(names), digest }, 'POST')
    expect(await objectionTo(covering('(request-target) host date'), 'POST')).toBe(
      'The signature does not cover the body',
    )
    expect(await objectionFor(emptyDigest)).toBeNull()
    expect(await objectionFor(emptyDigest.replace('SHA', 'sha'))).toBeNull()
    expect(await objectionFor(`unixsum=30637,${emptyDigest}`)).toBeNull()
    for (const digest of [
      '',
      'md5=AAAA',
      'SHA-256=AAAA',
      `${emptyDigest},${emptyDigest}`,
      'SHA-256',
      `${emptyDigest},SHA-512=AAAA`,
    ])
      expect(await objectionFor(digest)).toBe('The digest does not fit the body')
  })

  it('refuses an expired signature', async () => {
    const ending = (seconds: number) =>
      objectionTo(covering('(request-target) host date', `expires=${now.getTime() / 1000 + seconds},`))
    expect(await ending(60)).toBeNull()
    expect(await ending(-7_200)).toBe('The signature has expired')
  })

  it('refuses missing headers, and unknown parameters', async () => {
    for (const names of [
      '"@method" "@target-uri" "x-none"',
      '"@method" "@target-uri" "date";bs',
      '"@method" "@target-uri" "@status"',
    ]) {
      const headers = listing(names)
      const claim = read(headers)
      if (claim.kind !== 'claimed') throw new Error(names)
      const message = { method: 'GET', url, headers: new Headers(headers), body: null }
      expect(await isSignedBy('no key at all', claim.signature, message)).toBe(false)
    }
  })
})
