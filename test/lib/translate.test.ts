import { describe, expect, it } from 'vitest'
import { createTranslate } from '../../src/lib/translate'

describe('names of people, posts and servers in a text', () => {
  const texts = {
    'profile.postsAndReplies': 'منشورات {handle}',
    'profile.joined': '<b>{handle}</b> {count}',
  }

  it('names of people, posts and servers in a text keep their order in a text from right to left', () => {
    const t = createTranslate<string>('ar', texts)
    expect(t('profile.postsAndReplies', { handle: '@ada' })).toBe('منشورات \u2068@ada\u2069')
    const b = (words: readonly string[]) => `[${words.join('')}]`
    expect(t.rich('profile.joined', { handle: '@ada', count: 2, b }).join('')).toBe('[\u2068@ada\u2069] 2')
  })

  it('names are unchanged in a text from left to right', () => {
    expect(createTranslate('de', texts)('profile.postsAndReplies', { handle: '@ada' })).toBe('منشورات @ada')
  })
})

describe('a text that no catalogue has', () => {
  const t = createTranslate<string>('en', {})

  it('a text that no catalogue has is shown as the words of its key', () => {
    expect(t('settings.appearance.languageAndTime')).toBe('Language and time')
    expect(t('admin.settings.minimumAge.hint')).toBe('Minimum age')
    expect(t.rich('common.posts', { count: 3 })).toEqual(['Posts'])
  })
})
