import { describe, expect, it } from 'vitest'
import english from '../../public/messages/en.json'
import { createTranslate } from '../../src/lib/translate'
import { MeasureCharts } from '../../src/web/components/admin/measure-chart'
import { LocalizedContext } from '../../src/web/i18n/context'

const measure = {
  key: 'new_users',
  unit: null,
  total: '3',
  data: [
    {
      date: '2026-11-03T00:00:00.000Z',
      value: '3',
    },
  ],
}

describe('charts of figures by day', () => {
  it.each(['UTC', 'America/Los_Angeles', 'Pacific/Kiritimati'])(
    'charts of figures by day name the counted day in the language of readers in %s',
    async (timeZone) => {
      const reader = { language: 'de', timeZone } as const
      const html = String(
        await (
          <LocalizedContext.Provider value={{ reader, t: createTranslate('de', english) }}>
            <MeasureCharts charts={[{ title: 'Sign-ups', measure }]} />
          </LocalizedContext.Provider>
        ),
      )
      expect(html).toContain('<title>3. Nov. 2026: 3</title>')
      expect(html).toContain('<time datetime="2026-11-03">3. Nov. 2026</time>')
    },
  )
})
