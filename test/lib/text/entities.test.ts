import * as library from 'entities/decode'
import { expect, it } from 'vitest'
import { decodeHTMLStrict, EntityDecoder } from '../../../src/lib/text/entities'
import { ENTITY_NAMES } from '../../../src/lib/text/entity-names'

const modes = [library.DecodingMode.Legacy, library.DecodingMode.Strict, library.DecodingMode.Attribute]
const words = ENTITY_NAMES.split(/[\s,]/).filter((word) => /^[a-z]/i.test(word))
const names = words.map((word) => word.replace('~', ''))

interface Decoder {
  startEntity(mode: library.DecodingMode): void
  write(input: string, offset: number): number
  end(): number
}

/** All that a decoder says of what follows an ampersand. */
function sayings(pieces: readonly string[], open: (say: (...said: number[]) => void) => Decoder): number[][] {
  const said: number[][] = []
  const decoder = open((...numbers) => said.push(numbers))
  for (const mode of modes) {
    decoder.startEntity(mode)
    const isRead = pieces.some((piece) => {
      const length = decoder.write(`&${piece}`, 1)
      said.push([length])
      return length >= 0
    })
    if (!isRead) said.push([decoder.end()])
  }
  return said
}

function ours(pieces: readonly string[]): number[][] {
  return sayings(pieces, (say) => new EntityDecoder(null, say))
}

function theirs(pieces: readonly string[]): number[][] {
  return sayings(pieces, (say) => new library.EntityDecoder(library.htmlDecodeTree, say))
}

it('knows the names of the standard', () => {
  expect(new Set(names).size).toBe(2125)
  expect(words.filter((word) => word.endsWith('~'))).toHaveLength(106)
})

it('reads every name as the library does, whatever follows', () => {
  const differing = names.flatMap((name) =>
    ['', ';', ' ', '=', 'x;', '1', '#', 'é']
      .map((rest) => name + rest)
      .filter((text) => JSON.stringify(ours([text])) !== JSON.stringify(theirs([text]))),
  )
  expect(differing).toEqual([])
})

it('reads the beginnings of names as the library does, in one piece and in several', () => {
  const differing = names.flatMap((name) =>
    [...name].flatMap((_, cut) =>
      [
        [`${name.slice(0, cut)};`],
        [`${name.slice(0, cut)}=`],
        [name.slice(0, cut), `${name.slice(cut)};`],
        [name.slice(0, cut + 1), 'p'],
      ].filter((pieces) => JSON.stringify(ours(pieces)) !== JSON.stringify(theirs(pieces))),
    ),
  )
  expect(differing).toEqual([])
})

it.each([
  ...[
    '#',
    '#;',
    '#x',
    '#x;',
    '#xg;',
    '#38',
    '#38;',
    '#038x',
    '#x26;',
    '#X2fg',
    '#x2F;',
    '#1a;',
    '##1;',
    'A#1;',
  ],
  ...['#0;', '#55295;', '#55296;', '#57343;', '#57344;', '#1114111;', '#1114112;', `#${'9'.repeat(400)};`],
])('reads the number %s as the library does, in one piece and in several', (text) => {
  expect(ours([text])).toEqual(theirs([text]))
  expect(ours([...text])).toEqual(theirs([...text]))
})

it('takes the numbers of control characters for what the library does', () => {
  const numbers = Array.from({ length: 0x200 }, (_, number) => `#${number};`)
  expect(numbers.map((text) => ours([text]))).toEqual(numbers.map((text) => theirs([text])))
})

it('decodes a text that ends its entities with semicolons as the library does', () => {
  const bits = ['', '&', ';', '&#', '&#x', ' ', '_', 'a1', '&#128;', '&#x1F426;', '&#0;', 'é;']
  const texts = names.flatMap((name, index) =>
    bits.map((bit) => `${bit}&${name}${bits[index % bits.length]};&${name};${bit}`),
  )
  expect(texts.map(decodeHTMLStrict)).toEqual(texts.map(library.decodeHTMLStrict))
})
