import { expect, it } from 'vitest'
import { joined } from '../../src/islands/lib/saved-replies'

it.each([
  ['', 'Thanks!', 'Thanks!'],
  ['@wren ', 'Thanks!', 'Thanks!'],
  ['Hello,\n', 'Thanks!', 'Thanks!'],
  ['Hello.', 'Thanks!', ' Thanks!'],
])('puts a space between %j and a saved reply where there is none', (before, text, expected) => {
  expect(joined(before, text)).toBe(expected)
})
