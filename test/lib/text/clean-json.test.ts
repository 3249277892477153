import { expect, it } from 'vitest'
import { cleanJson } from '../../../src/lib/json'
import { withoutControls } from '../../../src/lib/text/bytes'

const every = Array.from({ length: 0x100 }, (_, code) => String.fromCharCode(code)).join('')

it('writes JSON with the texts that the sanitiser returns, at any depth and as keys', () => {
  const value = { [`k\u0000ey`]: [`a${every}b`, { c: `\r\n\b\f` }] }
  expect(JSON.parse(cleanJson(value))).toEqual({ key: [withoutControls(`a${every}b`), { c: '\n' }] })
})

it('keeps tabs, line feeds, quotes and backslashes, also before letters that would be escapes', () => {
  const value = ['\t\n"\\', '\\b\\f\\r\\u0000', 'C:\\n\\u0001', '\ud800', '\u2028', 1, null, true]
  expect(cleanJson(value)).toBe(JSON.stringify(value))
  expect(cleanJson(['\\b\u0000', '\\\u0001u0002'])).toBe(JSON.stringify(['\\b', '\\u0002']))
})
