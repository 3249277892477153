import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { execute } from '../../../src/db/query'
import { saveSettings } from '../../../src/domain/instance/save-settings'
import { defaultSettings, loadSettings, SettingsPatch } from '../../../src/domain/instance/settings'
import { operator } from '../../../src/domain/policy/permissions'
import { hiddenSettings, settingGroups } from '../../../src/web/pages/admin/setting-groups'
import { type Browser, textOf } from '../../support/browser'
import { given } from '../../support/given'
import { givenRole } from '../../support/given-staff'
import { signedIn } from '../../support/members'
import { context } from '../../support/test-app'

const path = '/admin/settings'
const stored = () => execute(context().db, loadSettings(context()))

let browser: Browser
beforeAll(async () => {
  browser = (await signedIn({ user: { roleId: await givenRole({ permissions: ['manageSettings'] }) } }))
    .browser
})
afterAll(async () => {
  await saveSettings(context(), operator, SettingsPatch.parse(defaultSettings))
})

/** Fields of the form as the page shows them now, sent by the button of a group. */
async function fieldsOf(group: string): Promise<Readonly<Record<string, string>>> {
  const { html } = await browser.get(path)
  const [, form = ''] = html.split(`<form method="post" action="${path}"`)
  const [own = ''] = form.split('</form>')
  const boxes = [...own.matchAll(/<input[^>]*name="(\w+)" type="checkbox" value="true"( checked="")?/g)]
  const lines = [...own.matchAll(/<input[^>]*name="(\w+)" type="text" value="([^"]*)"/g)]
  const areas = [...own.matchAll(/<textarea[^>]*name="(\w+)"[^>]*>([^<]*)</g)]
  const choices = [...own.matchAll(/<select[^>]*name="(\w+)".*?<option value="(\w+)" selected/g)]
  const ticked = boxes.flatMap(([, name = '', checked]) => (checked === undefined ? [] : [[name, 'true']]))
  const texts = [...lines, ...areas, ...choices].map(([, name = '', value = '']) => [name, value])
  return Object.fromEntries([...ticked, ...texts, ['group', group]])
}

it('every setting has its place in one group, or is hidden', () => {
  const shown = settingGroups.flatMap(({ settings }) => Object.keys(settings))
  expect([...shown, ...hiddenSettings].toSorted()).toEqual(Object.keys(defaultSettings).toSorted())
})

describe.each(settingGroups)('the group $name', ({ name }) => {
  it('saving a group as shown changes nothing', async () => {
    const before = await stored()
    const { status, location } = await browser.fill(path, await fieldsOf(name))
    expect([status, location]).toEqual([303, `${path}?done=saved&changed=&at=${name}`])
    expect(await stored()).toEqual(before)
    const { html } = await browser.get(location ?? '')
    expect(noticeIn(html, name)).toBe('The settings are saved. Nothing has changed.')
  })
})

/** The notice in the card of a group, as people read it. */
function noticeIn(html: string, group: string): string {
  const [, card = ''] = html.split(`id="group-${group}"`)
  const [own = ''] = card.split('</section>')
  return textOf(
    /<div class="note success" role="status" tabindex="-1" autofocus="">.*?<\/div>/s.exec(own)?.[0] ?? '',
  ).trim()
}

it('saves typed values in all groups, and shows a summary in the group of the button', async () => {
  await saveSettings(context(), operator, { minimumAge: null, statusUrl: null, languages: ['en'] })
  const typed = { minimumAge: '18', statusUrl: 'https://status.example', languages: 'en' }
  const { location } = await browser.fill(path, { ...(await fieldsOf('sign-up')), ...typed })
  expect(await stored()).toMatchObject({ minimumAge: 18, statusUrl: 'https://status.example' })
  const { html } = await browser.get(location ?? '')
  expect(noticeIn(html, 'sign-up')).toBe('The settings are saved. Changed: Status page, Minimum age')
  expect(html.split('note success')).toHaveLength(2)
})

it('keeps typed values in all groups when one field is refused', async () => {
  const before = await stored()
  const typed = { shortDescription: 'Half a sentence <that', keepBackups: '0' }
  const { status, html } = await browser.fill(path, { ...(await fieldsOf('storage')), ...typed })
  expect(status).toBe(422)
  expect(html).toContain('Half a sentence &lt;that</textarea>')
  expect(await stored()).toEqual(before)
})

it('keeps groups that the sent form did not show', async () => {
  await saveSettings(context(), operator, { trends: true, minimumAge: 16 })
  const fields = { ...(await fieldsOf('sign-up')), groups: 'sign-up nonsense', minimumAge: '17' }
  const { trends: _, ...others } = { trends: '', ...fields }
  expect((await browser.fill(path, others)).status).toBe(303)
  expect(await stored()).toMatchObject({ trends: true, minimumAge: 17 })
})

it('names only its own fields as changed, whatever the address says', async () => {
  const query = new URLSearchParams({ done: 'saved', changed: 'title,constructor,<b>', at: 'server' })
  const { html } = await browser.get(`${path}?${query}`)
  expect(noticeIn(html, 'server')).toBe('The settings are saved. Changed: Name')
})

it('saves a group and keeps the others', async () => {
  const contact = await given.account()
  await saveSettings(context(), operator, { trends: false })
  const fields = await fieldsOf('server')
  const changed = {
    title: 'The <Hedge> & "more"',
    contactUsername: contact.username,
    languages: 'en\r\nde\r\n',
  }
  expect((await browser.fill(path, { ...fields, ...changed })).status).toBe(303)
  expect(await stored()).toMatchObject({
    title: 'The <Hedge> & "more"',
    contactUsername: contact.username,
    languages: ['en', 'de'],
    trends: false,
  })
  const { html } = await browser.get(path)
  expect(html).toContain('value="The &lt;Hedge&gt; &amp; &quot;more&quot;"')
})

it('unticks a box, and clears optional fields', async () => {
  await saveSettings(context(), operator, { closeUnattended: true, minimumAge: 16 })
  const { closeUnattended: _, ...fields } = await fieldsOf('sign-up')
  expect((await browser.fill(path, { ...fields, minimumAge: '' })).status).toBe(303)
  expect(await stored()).toMatchObject({ closeUnattended: false, minimumAge: null })
})

it.each([
  [{ minimumAge: 'many' }, 'sign-up', 'Minimum age must be a whole number'],
  [{ title: ' ' }, 'server', "Title can't be blank"],
  [{ contactUsername: 'nobody-like-this' }, 'server', 'is not an account of this server'],
  [{ keepRemoteStatusDays: '0' }, 'storage', 'Days for posts of other servers must be a whole number'],
] as const)(
  'refuses %j with the problem, keeps typed values, and saves nothing',
  async (bad, group, problem) => {
    const before = await stored()
    const { status, html } = await browser.fill(path, { ...(await fieldsOf(group)), ...bad })
    expect(status).toBe(422)
    expect(textOf(html)).toContain(problem)
    expect(html).toContain(`value="${Object.values(bad)[0]}"`)
    expect(await stored()).toEqual(before)
  },
)

it('saves nothing for a missing group', async () => {
  const before = await stored()
  await browser.fill(path, { group: 'nonsense', title: 'Other' })
  expect(await stored()).toEqual(before)
})
