import type { Page } from 'playwright-core'
import { expect, inject } from 'vitest'
import { writeDatabase } from '../../support/database'
import { mastoOf } from '../../support/masto'
import { newPerson, newTag, origin } from '../../support/people'
import { type Flow, fieldsOf, pressFor, pressWrong, type Setting } from './setting'

/** A picture twice as wide as high, red on its left half and blue on its right one. */
async function twoColours(page: Page) {
  const url = await page.evaluate<string>(`(() => {
    const canvas = Object.assign(document.createElement('canvas'), { width: 800, height: 400 })
    const context = canvas.getContext('2d')
    context.fillStyle = '#ff0000'
    context.fillRect(0, 0, 400, 400)
    context.fillStyle = '#0000ff'
    context.fillRect(400, 0, 400, 400)
    return canvas.toDataURL('image/png')
  })()`)
  return { name: 'halves.png', mimeType: 'image/png', buffer: Buffer.from(url.split(',')[1] ?? '', 'base64') }
}

/** Width, height, and the colours at the left and at the right edge of a picture. */
async function look(page: Page, address: string): Promise<readonly (number | string)[]> {
  const file = Buffer.from(await (await fetch(address)).arrayBuffer()).toString('base64')
  return page.evaluate<(number | string)[]>(`(async () => {
    const bytes = Uint8Array.from(atob('${file}'), (one) => one.charCodeAt(0))
    const picture = await createImageBitmap(new Blob([bytes]))
    const { width, height } = picture
    const context = Object.assign(document.createElement('canvas'), { width, height }).getContext('2d')
    context.drawImage(picture, 0, 0)
    const at = (x) => {
      const [red, , blue] = context.getImageData(x, height / 2, 1, 1).data
      return red > blue ? 'red' : 'blue'
    }
    return [width, height, at(2), at(width - 3)]
  })()`)
}

const profile: Flow = async ({ page, client, person }) => {
  const field = (name: string) => page.locator(`[name=${name}]`)
  await field('display_name').fill('Merle Blackbird')
  await field('note').fill('Counts #birds')
  await field('field_name_1').fill('Garden')
  await field('field_value_1').fill('https://garden.example')
  await field('field_value_2').fill('without a label')
  await field('avatar').setInputFiles(await twoColours(page))
  await pressWrong(page, 'Save', 'fields')
  expect(await field('display_name').inputValue()).toBe('Merle Blackbird')
  await field('field_name_2').fill('Label')
  await field('avatar').setInputFiles(await twoColours(page))
  const area = page.locator('canvas.picture-avatar')
  await area.waitFor()
  await area.focus()
  for (let nth = 0; nth < 40; nth += 1) await page.keyboard.press('ArrowRight')
  await field('avatar_description').fill('A blue square')
  await field('header').setInputFiles(await twoColours(page))
  await page.locator('canvas.picture-header').waitFor()
  await field('header_description').fill('Red and blue')
  for (const name of ['Approve followers myself', 'Suggest my profile and posts to others'])
    await page.getByLabel(name).setChecked(true)
  await page.getByLabel('Websites allowed to credit you').fill('garden.example')
  const account = async () => client.v1.accounts.verifyCredentials()
  const save = { button: 'Save', notice: 'Your profile is saved.', effect: account }
  await pressFor(page, save)
  const own = await account()
  expect(own).toMatchObject({ displayName: 'Merle Blackbird', locked: true, discoverable: true })
  expect(own.source.note).toBe('Counts #birds')
  expect(own.source.fields.map(({ name, value }) => [name, value])).toEqual([
    ['Garden', 'https://garden.example'],
    ['Label', 'without a label'],
  ])
  expect(own).toMatchObject({ avatarDescription: 'A blue square', headerDescription: 'Red and blue' })
  // The keys moved the picture to the left: only its right half is in the square.
  expect(await look(page, own.avatar)).toEqual([400, 400, 'blue', 'blue'])
  expect(await look(page, own.header)).toEqual([1500, 500, 'red', 'blue'])
  await page.getByLabel('Remove the header picture').check()
  await pressFor(page, save)
  const after = await client.v1.accounts.$select(person.id).fetch()
  expect([after.avatar, after.header]).toEqual([own.avatar, expect.not.stringContaining(own.header)])
}

const start: Flow = async ({ page, client, person }) => {
  await followFriend(client)
  // Suggestions of the sign-up stay as they are until they are half an hour old.
  writeDatabase({ folder: inject('folder') }, (database) => {
    database.prepare('delete from suggestion_lists where account_id = ?').run(BigInt(person.id))
  })
  await page.reload()
  await page.locator('[name=display_name]').fill('New here')
  await page.locator('[name=note]').fill('Hello')
  const account = async () => client.v1.accounts.verifyCredentials()
  await pressFor(page, { button: 'Save', notice: 'Your profile is saved.', effect: account })
  const own = await account()
  expect([own.displayName, own.source.note]).toEqual(['New here', 'Hello'])
  const action = await page.locator('button[formaction*="/follow/"]').first().getAttribute('formaction')
  const following = async () => {
    const [relation] = await client.v1.accounts.relationships.fetch({ id: [action?.split('/').at(-1) ?? ''] })
    return relation?.following
  }
  const button = page.locator(`button[formaction="${action}"]`)
  await page.locator('[name=note]').fill('Hello, and not saved yet')
  await pressFor(page, { button, notice: 'You follow one more account.', effect: following })
  expect(await following()).toBe(true)
  expect(await page.locator('[name=note]').inputValue()).toBe('Hello, and not saved yet')
}

/** Follows somebody who follows somebody, for whom the page suggests to follow as well. */
async function followFriend(client: Setting['client']): Promise<void> {
  const [friend, stranger] = [await newPerson('friend'), await newPerson('stranger')]
  await mastoOf(stranger).v1.accounts.updateCredentials({ discoverable: true })
  await mastoOf(friend).v1.accounts.$select(stranger.id).follow()
  await client.v1.accounts.$select(friend.id).follow()
}

const appearance: Flow = async ({ page, client }) => {
  const theme = async () => {
    const home = await page.request.get(`${origin}/home`)
    return /data-theme="(\w+)"/.exec(await home.text())?.[1] ?? null
  }
  await page.goto(`${origin}/menu`)
  await pressFor(page, { button: 'Dark', notice: null, effect: theme })
  expect(await theme()).toBe('dark')
  await page.goto(`${origin}/settings/preferences/appearance`)
  await page.getByLabel('Time zone').selectOption('Asia/Tokyo')
  await page.getByLabel('Language of these pages').selectOption('de')
  const language = async () => (await client.v1.preferences.fetch())['posting:default:language']
  const notice = 'Darstellung und Sprache sind gespeichert.'
  await pressFor(page, { button: 'Save', notice, effect: language })
  expect(await page.locator('html').getAttribute('lang')).toBe('de')
  expect(await language()).toBe('de')
  expect(await page.locator('[name=time_zone]').inputValue()).toBe('Asia/Tokyo')
  await client.v1.statuses.create({ status: 'Later', scheduledAt: '2036-05-01T20:30:00.000Z' })
  await page.goto(`${origin}/settings/scheduled`)
  // Half past eight in the evening in London is the next morning in Tokyo.
  expect(await page.locator('main').innerText()).toMatch(/2\. Mai 2036.*05:30/)
}

const preferences: Flow = async ({ page, client }) => {
  await page.getByLabel('Who sees new posts').selectOption('private')
  await page.getByLabel('Who can quote them').selectOption('followers')
  await page.getByLabel('Language I write in').selectOption('fr')
  await page.getByLabel('Mark my pictures and videos as sensitive').check()
  await page.getByLabel('Pictures and videos', { exact: true }).selectOption('hide_all')
  await page.getByLabel('Always expand content warnings').check()
  await page.getByText('All languages').click()
  await page.locator('[name=language-fr]').check()
  const chosen = async () => client.v1.preferences.fetch()
  await pressFor(page, { button: 'Save', notice: 'Your preferences are saved.', effect: chosen })
  expect(await chosen()).toMatchObject({
    'posting:default:visibility': 'private',
    'posting:default:sensitive': true,
    'posting:default:language': 'fr',
    'reading:expand:media': 'hide_all',
    'reading:expand:spoilers': true,
  })
  expect((await client.v1.statuses.create({ status: 'Bonjour' })).visibility).toBe('private')
  expect(await page.locator('details', { hasText: 'Only some languages' }).count()).toBe(1)
}

const mails: Flow = async ({ page, member }) => {
  const box = page.getByLabel('somebody favourites a post of mine')
  const before = await box.isChecked()
  await box.setChecked(!before)
  const effect = fieldsOf(member, '/settings/notifications')
  await pressFor(page, { button: 'Save', notice: 'Your e-mail settings are saved.', effect })
  expect(await box.isChecked()).toBe(!before)
}

const featuredTags: Flow = async ({ page, client, person }) => {
  const [tag, used] = [newTag('owls'), newTag('rooks')]
  await client.v1.statuses.create({ status: `Look #${used}` })
  await page.reload()
  await page.getByLabel('Hashtag', { exact: true }).fill('no tag at all')
  await pressWrong(page, 'Add', 'name')
  expect(await page.getByLabel('Hashtag', { exact: true }).inputValue()).toBe('no tag at all')
  await page.getByLabel('Hashtag', { exact: true }).fill(`#${tag}`)
  const names = async () =>
    (await client.v1.accounts.$select(person.id).featuredTags.list()).map(({ name }) => name).toSorted()
  const notice = 'The hashtag is on your profile.'
  await pressFor(page, { button: 'Add', notice, effect: names })
  await pressFor(page, { button: `#${used}`, notice, effect: names })
  expect(await names()).toEqual([tag, used])
  await pressFor(page, {
    button: `Remove #${tag}`,
    notice: 'The hashtag is no longer on your profile.',
    effect: names,
  })
  expect(await names()).toEqual([used])
}

/** Flows of the pages about oneself, by the path of their page. */
export const profileFlows: Readonly<Record<string, Flow>> = {
  '/settings/profile': profile,
  '/start': start,
  '/settings/preferences/appearance': appearance,
  '/settings/preferences': preferences,
  '/settings/notifications': mails,
  '/settings/featured_tags': featuredTags,
}
