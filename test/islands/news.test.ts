import { describe, expect, it } from 'vitest'
import { isNews } from '../../src/islands/lib/news'

const taste = { stream: 'user', without: [], me: '1' }
const post = {
  id: '10',
  account: { id: '2' },
  reblog: null,
  quote: null,
  in_reply_to_id: null,
  in_reply_to_account_id: null,
  filtered: [],
}
const by = (filter_action: string, context: readonly string[]) => [{ filter: { filter_action, context } }]

function counts(changes: object, choices: Partial<Parameters<typeof isNews>[1]> = {}): boolean {
  return isNews(JSON.stringify({ ...post, ...changes }), { ...taste, ...choices })
}

describe('a post that came by a stream', () => {
  it('counts as new where the page shows its kind', () => {
    expect(counts({})).toBe(true)
    expect(counts({ reblog: post, quote: {}, in_reply_to_id: '9' })).toBe(true)
    const without = ['boosts', 'replies', 'quotes']
    expect(counts({}, { without })).toBe(true)
    for (const one of [{ reblog: post }, { quote: {} }, { in_reply_to_id: '9', in_reply_to_account_id: '3' }])
      expect(counts(one, { without })).toBe(false)
  })

  it('counts as new where it answers the member, or is a reply of their own', () => {
    const without = ['replies']
    expect(counts({ in_reply_to_id: '9', in_reply_to_account_id: '1' }, { without })).toBe(true)
    expect(counts({ in_reply_to_id: '9', account: { id: '1' } }, { without })).toBe(true)
  })

  it('does not count where a filter hides it in this place, also as a boost', () => {
    expect(counts({ filtered: by('hide', ['home']) })).toBe(false)
    expect(counts({ reblog: { ...post, filtered: by('hide', ['home']) } })).toBe(false)
    expect(counts({ filtered: by('hide', ['public']) })).toBe(true)
    expect(counts({ filtered: by('hide', ['public']) }, { stream: 'public' })).toBe(false)
    expect(counts({ filtered: by('warn', ['home']) })).toBe(true)
    expect(counts({ filtered: by('hide', ['home']), account: { id: '1' } })).toBe(true)
  })
})
