import { describe, expect, it } from 'vitest'
import { alternateOf, isActivityType, isPageType } from '../../src/activitypub/fetch'
import { readSynchronization } from '../../src/activitypub/followers-sync'
import { parseHandle } from '../../src/contract/handle'
import { parseLine } from '../../src/contract/text/parse'
import { parseStatusQuery } from '../../src/domain/search/parse'
import { isReservedName } from '../../src/domain/users/check-sign-up'
import { nest } from '../../src/lib/params'
import { parseAccept, parseRange } from '../../src/lib/request-headers'
import { parsePublicKey } from '../../src/lib/signatures/keys'
import { parseDictionary } from '../../src/lib/signatures/structured'
import { parseCavage } from '../../src/lib/signatures/verify'
import { given } from '../support/given'
import { pathOf, uploaded } from '../support/given-media'
import { fetchApp } from '../support/test-app'

/**
 * Texts of strangers at which a careless pattern tries every end for every beginning, while the server does nothing
 * else. Each text is so long that this takes minutes, beyond the limit of a test; reading it once takes milliseconds.
 */

const length = 800_000
const many = (text: string) => text.repeat(length / text.length)

describe('a reader of hostile text reads it once:', () => {
  const readers: readonly [name: string, read: (text: string) => unknown, texts: readonly string[]][] = [
    [
      'Range',
      (text) => parseRange(text, 1_000),
      [`bytes=${many(' ')}x`, `bytes=-${many('\t')}x`, `bytes=1${many(' ')}x`, `bytes=${many('1')}`],
    ],
    ['Accept', parseAccept, [many(','), many(';q='), `a;q${many(' ')}x`, many('a/b;')]],
    [
      'Signature',
      parseCavage,
      [`keyId${many(' ')}x`, `keyId="${many('\\"')}`, many('a="",'), `keyId="a"${many(' ')}x`, many('"')],
    ],
    ['Signature-Input', parseDictionary, [many('a=('), many('a;'), `a=("${many('\\"')}`, `a=${many(' ')}x`]],
    [
      'Collection-Synchronization',
      readSynchronization,
      [many('a'), many('a="'), `a${many(' ')}x`, many('a=')],
    ],
    [
      'Content-Type',
      (text) => [isActivityType(text), isPageType(text)],
      [`${many(' ')}x`, `text/html${many(' ')}x`, `application/ld+json; profile${many(' ')}x`],
    ],
    [
      'a page that links its document',
      (text) => alternateOf(text, 'https://remote.test/'),
      [
        many('<'),
        many('<!--'),
        many('<link rel="alternate" '),
        `<link rel="${many(' ')}`,
        many('</a<'),
        many('<a ='),
      ],
    ],
    [
      'a handle',
      (text) => parseHandle(text, ['a.test']),
      [many('a.'), `${many('a-')}!`, many('@'), many('_')],
    ],
    [
      'a public key',
      parsePublicKey,
      [many('-----A'), many('-----'), `z${many('1')}`, `z${many('A')}`, many(' ')],
    ],
    ['a search', parseStatusQuery, [many('"'), many('a:'), many('-'), many('"a" '), many('a')]],
    [
      'names of parameters',
      (text) => nest([[text, 'x']]),
      [many('['), many('a['), `a${many('[')}`, `a[${many(']')}`, `a[b]${many(' ')}`],
    ],
    ['a name at sign-up', isReservedName, [`${many('_')}x`, `x${many('_')}`, `x${many('_')}x`]],
    ['a field of a profile', parseLine, [`a${many(' ')}b`, `a${many('\n')}b`, `a${many(' \n')}b`]],
  ]

  it.each(readers)('a reader of hostile text reads it once: %s [T-016]', (_name, read, texts) => {
    for (const text of texts) read(text)
  })
})

describe('a request for a part of a file, with hostile text', () => {
  it('answers a hostile range request with the whole file', async () => {
    const { url } = await uploaded(await given.account(), 'sound.wav')
    const headers = { range: `bytes=-${many('\t')}x` }
    const { response } = await fetchApp(new Request(`https://fieldfare.test${pathOf(url)}`, { headers }))
    expect(response.status).toBe(200)
  })
})
