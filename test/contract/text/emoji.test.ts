import { expect, it } from 'vitest'
import { readUnicodeEmoji } from '../../../src/contract/text/emoji'

it.each([
  ['🎉', '🎉'],
  ['❤️', '❤️'],
  ['❤', '❤️'],
  ['👩🏽‍🚀', '👩🏽‍🚀'],
  ['🏴󠁧󠁢󠁳󠁣󠁴󠁿', '🏴󠁧󠁢󠁳󠁣󠁴󠁿'],
  ['1️⃣', '1️⃣'],
])('reads %s as one emoji in its full form', (text, emoji) => {
  expect(readUnicodeEmoji(text)).toBe(emoji)
})

it.each(['', 'a', '1', '#', ':wren:', '🎉🎉', '🎉a', ' 🎉', '\u200d', '🏻a', '🇦', '🎉'.repeat(10_000)])(
  'does not read %j as emoji',
  (text) => {
    expect(readUnicodeEmoji(text)).toBeNull()
  },
)
