import { describe, expect, it } from 'vitest'
import { normalise } from '../../../src/activitypub/vocab/normalise'
import { corpus, wire } from '../../wire/corpus'

const AS = 'https://www.w3.org/ns/activitystreams#'
const note = { id: 'https://a.test/1', type: 'Note', content: 'x' }

/** A list of lists, one in another. */
function nested(depth: number): unknown {
  return JSON.parse(`${'['.repeat(depth)}"x"${']'.repeat(depth)}`)
}

describe('normalise', () => {
  it('returns documents in plain form as they are', () => {
    const names = corpus.filter(({ isHostile }) => !isHostile).map(({ name }) => name)
    const rewritten = names.filter((name) => {
      const document = wire(name)
      return normalise(document) !== document
    })
    // Two write some types with a prefix or as `@type`.
    expect(rewritten).toEqual(['friendica-2024.12-actor', 'hollo-0.7-actor'])
  })

  it.each<[string, unknown, unknown]>([
    [
      'prefixes that everybody uses',
      { '@id': 'https://a.test/1', '@type': 'as:Note', 'as:content': 'x' },
      note,
    ],
    [
      'full addresses',
      { id: 'https://a.test/1', type: [`${AS}Note`], [`${AS}content`]: 'x' },
      { ...note, type: ['Note'] },
    ],
    [
      'an expanded document',
      [{ '@id': 'https://a.test/1', '@type': [`${AS}Note`], [`${AS}content`]: [{ '@value': 'x' }] }],
      { ...note, type: ['Note'] },
    ],
    ['a graph of one', { '@context': AS, '@graph': [note] }, { '@context': AS, ...note }],
    [
      'a prefix of its own',
      { '@context': [{ q: AS }], 'q:content': 'x' },
      { '@context': [{ q: AS }], content: 'x' },
    ],
    [
      'prefixes of a context around',
      { '@context': { q: { '@id': AS } }, object: { 'q:name': 'x' } },
      { '@context': { q: { '@id': AS } }, object: { name: 'x' } },
    ],
    [
      'references',
      { [`${AS}actor`]: [{ '@id': 'https://a.test/u' }], to: [{ '@id': `${AS}Public` }, 'https://a.test/f'] },
      { actor: 'https://a.test/u', to: [`${AS}Public`, 'https://a.test/f'] },
    ],
    [
      'values with a type',
      {
        published: { '@type': 'xsd:dateTime', '@value': '2026-11-01T00:00:00Z' },
        'as:totalItems': [{ '@value': 3 }],
      },
      { published: '2026-11-01T00:00:00Z', totalItems: 3 },
    ],
    [
      'texts by language',
      {
        content: [
          { '@value': 'Hi', '@language': 'en' },
          { '@value': 'Hallo', '@language': 'de' },
        ],
      },
      { content: ['Hi', 'Hallo'], contentMap: { en: 'Hi', de: 'Hallo' } },
    ],
    [
      'lists and sets',
      { orderedItems: { '@list': ['a', { '@set': ['b'] }] }, tag: { '@set': [] } },
      { orderedItems: ['a', 'b'], tag: [] },
    ],
    ['lists in lists', { to: [['a', ['b']], 'c'] }, { to: ['a', 'b', 'c'] }],
    [
      'lists of what there is one of',
      { published: ['a', 'b'], sensitive: [true], to: ['a'] },
      { published: 'a', sensitive: true, to: ['a'] },
    ],
    [
      'the language of its context',
      { '@context': [AS, { '@language': 'de' }], object: { content: 'x' } },
      { '@context': [AS, { '@language': 'de' }], object: { content: 'x', contentMap: { de: 'x' } } },
    ],
  ])('reads %s', (_form, document, plain) => {
    expect(normalise(document)).toEqual(plain)
  })

  it.each<[string, unknown]>([
    [
      'vocabularies nobody reads',
      { 'ex:content': 'x', 'https://evil.test/#content': 'y', 'urn:x:name': 'z' },
    ],
    [
      'a usual prefix that stands for another vocabulary',
      { '@context': { as: 'https://evil.test/' }, 'as:content': 'x' },
    ],
    ['a graph of two', { '@graph': [note, note] }],
    ['two documents', [note, note]],
    ['languages nobody knows', { '@context': { '@language': 'und' }, content: 'x' }],
    ['addresses as text', { name: 'as:Note', href: `${AS}Note` }],
  ])('leaves %s unchanged', (_what, document) => {
    expect(normalise(document)).toEqual(document)
  })

  it('prefers the unprefixed name where a property occurs twice', () => {
    const twice = { 'as:content': 'a', content: 'b', [`${AS}content`]: 'c', '@id': 'd', id: 'e' }
    expect(normalise(twice)).toEqual({ content: 'b', id: 'e' })
    const own = { content: { '@value': 'Hallo', '@language': 'de' }, contentMap: { en: 'Hi' } }
    expect(normalise(own)).toEqual({ content: 'Hallo', contentMap: { en: 'Hi' } })
  })

  it('does not set the prototype of an object', () => {
    const document = normalise(
      JSON.parse('{"as:name":"x","__proto__":{"type":"Person"},"as:__proto__":{"a":1}}'),
    )
    expect(Object.getPrototypeOf(document)).toBe(Object.prototype)
    expect(document).toHaveProperty('name', 'x')
  })

  it('normalise limits depth and work', () => {
    expect(JSON.stringify(normalise({ to: nested(5_000) }))).toHaveLength(10_010 - 2 * 16)
    const wide = { 'as:items': Array.from({ length: 100_000 }, () => ({ '@id': 'x' })) }
    expect(normalise(wide)).toHaveProperty('items.length', 5_000)
    const deep = Array.from({ length: 500 }).reduce<object>(
      (inside) => ({ '@context': { q: AS }, 'q:object': inside }),
      {},
    )
    expect(JSON.stringify(normalise(deep)).match(/"object"/g)).toHaveLength(17)
    const many = Object.fromEntries(
      Array.from({ length: 300 }, (_, n) => [`as:p${n}`, Array.from({ length: 100 }, () => [{}])]),
    )
    expect(Object.keys(Object(normalise(many)))).toHaveLength(300)
  })
})
