import { describe, expect, it } from 'vitest'
import { execute } from '../../../src/db/query'
import { settings } from '../../../src/db/schema'
import { loadRules, saveRules } from '../../../src/domain/instance/rules'
import { saveSettings } from '../../../src/domain/instance/save-settings'
import { defaultSettings, loadSettings, loadSettingsWithTimes } from '../../../src/domain/instance/settings'
import { operator } from '../../../src/domain/policy/permissions'
import { clock, context } from '../../support/test-app'

describe('instance settings', () => {
  it('returns defaults for keys never saved, and saved values for the others', async () => {
    const ctx = context()
    await saveSettings(ctx, operator, { title: 'Aviary', minimumAge: 16 })
    await saveSettings(ctx, operator, { minimumAge: null, thumbnail: { key: 'a.webp' } })
    const loaded = await execute(ctx.db, loadSettings(ctx))
    expect(loaded).toEqual({ ...defaultSettings, title: 'Aviary', thumbnail: { key: 'a.webp' } })
    await saveSettings(ctx, operator, { title: defaultSettings.title, thumbnail: null })
  })

  it('returns the time of the last change of a text', async () => {
    const ctx = context()
    await saveSettings(ctx, operator, { privacyPolicy: 'We store little.' })
    const { changedAt } = await execute(ctx.db, loadSettingsWithTimes(ctx))
    expect(changedAt.get('privacyPolicy')).toEqual(clock.now())
    await saveSettings(ctx, operator, { privacyPolicy: null })
  })

  it('saving settings keeps other rows of the table', async () => {
    const ctx = context()
    await ctx.db.insert(settings).values({ key: 'keys.other', value: 'secret', updatedAt: clock.now() })
    expect(JSON.stringify(await execute(ctx.db, loadSettings(ctx)))).not.toContain('secret')
  })

  it('refuses a value that the setting does not allow', async () => {
    await expect(saveSettings(context(), operator, { minimumAge: -3 })).rejects.toThrow('Minimum age')
  })
})

describe('instance rules', () => {
  it('replaces instance rules as a whole; an unchanged rule keeps its id', async () => {
    const ctx = context()
    await saveRules(ctx, operator, [
      { text: 'Be kind', hint: '' },
      { text: 'No spam', hint: 'Of any sort' },
    ])
    const before = await execute(ctx.db, loadRules(ctx))
    await saveRules(ctx, operator, [
      { text: 'No spam', hint: 'Really' },
      { text: 'Describe pictures', hint: '' },
    ])
    const after = await execute(ctx.db, loadRules(ctx))
    expect(before.map((rule) => rule.text)).toEqual(['Be kind', 'No spam'])
    expect(after.map(({ text, hint }) => ({ text, hint }))).toEqual([
      { text: 'No spam', hint: 'Really' },
      { text: 'Describe pictures', hint: '' },
    ])
    expect(after[0]?.id).toBe(before[1]?.id)
    await saveRules(ctx, operator, [])
    expect(await execute(ctx.db, loadRules(ctx))).toEqual([])
  })
})
