import { expect, it } from 'vitest'
import { countActiveUsers } from '../../../src/domain/metrics/counters'
import { Browser, textOf } from '../../support/browser'
import { given } from '../../support/given'
import { givenRole } from '../../support/given-staff'
import { signedIn } from '../../support/members'
import { context } from '../../support/test-app'

it.each([
  { language: 'de', words: ['Deutsch', 'Nicht gewählt', 'Datenbank', 'Medien', 'Nov. 2026'] },
  { language: 'ar', words: ['العربية', 'لم تُختر', 'قاعدة البيانات', 'الوسائط'] },
])('names months, languages, sizes and sources in the language $language', async ({ language, words }) => {
  const roleId = await givenRole({ permissions: ['viewDashboard'] })
  const { browser } = await signedIn({ user: { roleId, locale: language } })
  await given.account({ user: { locale: '' } })
  const { html } = await browser.get('/admin/dashboard')
  const text = textOf(html)
  for (const word of words) expect(text).toContain(word)
  for (const english of ['Unknown', 'Website', 'D1', 'Media', 'Bytes', '2026-'])
    expect(text).not.toContain(english)
})

it('the front page counts active members once there is a count', async () => {
  const shown = async () => textOf((await new Browser().get('/')).html).includes('active this month')
  await given.account()
  expect(await shown()).toBe(false)
  await countActiveUsers(context())
  expect(await shown()).toBe(true)
})
