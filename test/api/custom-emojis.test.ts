import { describe, expect, it } from 'vitest'
import { customEmojis } from '../../src/db/schema'
import { anonymous } from '../support/as'
import { expectCosts } from '../support/expect-costs'
import { clock, context } from '../support/test-app'

describe('GET custom_emojis', () => {
  it('lists pickable local ones by shortcode, category only where there is one [T-283]', async () => {
    const { db, ids } = context()
    const emoji = (shortcode: string, more: Partial<typeof customEmojis.$inferInsert> = {}) => ({
      id: ids.next(),
      shortcode,
      image: { key: `emoji/${shortcode}.png` },
      createdAt: clock.now(),
      ...more,
    })
    await db.batch([
      db.insert(customEmojis).values(emoji('wren')),
      db
        .insert(customEmojis)
        .values(emoji('owl', { category: 'Birds', still: { key: 'emoji/owl-still.png' } })),
      db.insert(customEmojis).values(emoji('hidden', { visibleInPicker: false })),
      db.insert(customEmojis).values(emoji('off', { disabled: true })),
      db.insert(customEmojis).values(emoji('owl', { domain: 'elsewhere.test' })),
    ])
    const answer = await anonymous.get('/api/v1/custom_emojis')
    const media = 'https://fieldfare.test/media/emoji'
    expect(answer.body).toEqual([
      {
        shortcode: 'owl',
        url: `${media}/owl.png`,
        static_url: `${media}/owl-still.png`,
        visible_in_picker: true,
        category: 'Birds',
      },
      {
        shortcode: 'wren',
        url: `${media}/wren.png`,
        static_url: `${media}/wren.png`,
        visible_in_picker: true,
      },
    ])
    expectCosts(answer.costs, { trips: 1, statements: 2, rowsWritten: 0 })
    expect(answer.costs.rowsRead).toBeLessThanOrEqual(20)
    expect(answer.headers.get('Cache-Control')).toBe('public, max-age=300')
  })
})
