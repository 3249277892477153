import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { emojiLines, foundEmojis, inserted } from '../../src/islands/lib/emojis'

const linesOf = (language: string) =>
  emojiLines(JSON.parse(readFileSync(`public/emojis/${language}.json`, 'utf8')))

describe('the search of emojis', () => {
  it.each([
    ['en', 'bird', '🐦'],
    ['de', 'vogel', '🐦'],
    ['fr', 'oiseau', '🐦'],
    ['es', 'pájaro', '🐦'],
    ['ja', '鳥', '🐦'],
    ['ar', 'طائر', '🐦'],
    ['en', 'sweden', '🇸🇪'],
    ['de', 'schweden', '🇸🇪'],
  ])('finds emojis by the words of %s: %s', (language, query, emoji) => {
    expect(foundEmojis(linesOf(language), query, 48).map((one) => one.emoji)).toContain(emoji)
  })

  it('lists words that begin with what is typed before words that contain it, and a bounded number', () => {
    const lines = emojiLines(['a scowl|mood', 'b owl|bird', 'c bowl'])
    expect(foundEmojis(lines, 'owl', 2).map(({ emoji }) => emoji)).toEqual(['b', 'a'])
    expect(foundEmojis(lines, '', 2)).toEqual([])
  })

  it('each language has the same emojis, every one with a name', () => {
    const english = linesOf('en')
    expect(english.length).toBeGreaterThan(1_800)
    for (const language of ['de', 'fr', 'es', 'ja', 'ar']) {
      const lines = linesOf(language)
      expect(lines.map(({ emoji }) => emoji)).toEqual(english.map(({ emoji }) => emoji))
      expect(lines.filter(({ name }) => name === '')).toEqual([])
    }
  })

  it('a file that is none has no emojis', () => {
    expect(emojiLines({ error: 'gone' })).toEqual([])
    expect(emojiLines(['', 'x', 7, null])).toEqual([])
  })
})

describe('an inserted emoji', () => {
  it('emojis of the server stand between spaces, others where they are put', () => {
    expect(inserted('Hello', '🐦')).toBe('🐦')
    expect(inserted('Hello', ':wren:')).toBe(' :wren: ')
    expect(inserted('Hello ', ':wren:')).toBe(':wren: ')
    expect(inserted('', ':wren:')).toBe(':wren: ')
  })
})
