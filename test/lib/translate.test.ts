import { describe, expect, it } from 'vitest'
import { createTranslate } from '../../src/lib/translate'

describe('names of people, posts and servers in a text', () => {
  const texts = {
    'Posts by {handle}': 'منشورات {handle}',
    '<b>{handle}</b> of {count}': '<b>{handle}</b> {count}',
  }

  it('keep their order in a text from right to left', () => {
    const t = createTranslate<string>('ar', texts)
    expect(t('Posts by {handle}', { handle: '@ada' })).toBe('منشورات \u2068@ada\u2069')
    const b = (words: readonly string[]) => `[${words.join('')}]`
    expect(t.rich('<b>{handle}</b> of {count}', { handle: '@ada', count: 2, b }).join('')).toBe(
      '[\u2068@ada\u2069] 2',
    )
  })

  it('names are unchanged in a text from left to right', () => {
    expect(createTranslate('de', texts)('Posts by {handle}', { handle: '@ada' })).toBe('منشورات @ada')
  })
})
