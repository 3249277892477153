import library from 'punycode.js'
import { expect, it } from 'vitest'
import punycode from '../../../src/lib/text/punycode'

const hosts = [
  ...[
    'example.org',
    'EXAMPLE.org',
    'mañana.example',
    'ÜBER.example',
    '鳥.例え.テスト',
    '🐦.example',
    'a。b．c｡d',
  ],
  ...[
    'xn--maana-pta.example',
    'xn--q9jyb4c',
    'xn--',
    'xn--zzzzzzzzzzzz',
    'XN--maana-pta',
    'ê@é.example',
    '',
    '.',
    'ß..',
  ],
  ...['a\x7fb', 'ｅxample', 'ı.İ'],
]

it.each(hosts)('writes the host name %j as the library does, both ways', (host) => {
  expect(outcome(() => punycode.toASCII(host))).toBe(outcome(() => library.toASCII(host)))
  expect(outcome(() => punycode.toUnicode(host))).toBe(outcome(() => library.toUnicode(host)))
})

function outcome(write: () => string): string {
  try {
    return write()
  } catch (failure) {
    return String(failure)
  }
}
