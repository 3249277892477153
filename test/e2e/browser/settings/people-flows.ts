import { expect } from 'vitest'
import { press } from '../../support/browser'
import { idsOf } from '../../support/ids'
import { mastoOf } from '../../support/masto'
import { domain, newName, newPerson, newTag, origin } from '../../support/people'
import { Visitor } from '../../support/visitor'
import { confirmFor, type Flow, pressFor, pressWrong } from './setting'

const followedTags: Flow = async ({ page, client }) => {
  const tag = newTag('finch')
  await page.getByLabel('Hashtag', { exact: true }).fill('not a tag')
  await pressWrong(page, 'Follow', 'name')
  await page.getByLabel('Hashtag', { exact: true }).fill(tag)
  await pressFor(page, 'Follow', 'You follow the hashtag now.')
  const names = async () => (await client.v1.followedTags.list()).map(({ name }) => name)
  expect(await names()).toEqual([tag])
  await pressFor(page, `Unfollow #${tag}`, 'You no longer follow the hashtag.')
  expect(await names()).toEqual([])
}

const filters: Flow = async ({ page, client }) => {
  const all = async () =>
    (await client.v2.filters.list()).map(({ title, context, filterAction, keywords, expiresAt }) => ({
      title,
      context,
      filterAction,
      words: keywords.map(({ keyword }) => keyword),
      ends: expiresAt !== null,
    }))
  const boxes = ['Notifications', 'Public timelines', 'Conversations', 'Home timeline and lists']
  await page.getByLabel('Name of the filter').fill('Cats')
  await page.getByLabel('Words and phrases').fill('cat\nkitten')
  for (const box of boxes) await page.getByLabel(box, { exact: true }).uncheck()
  await pressWrong(page, 'Add', 'contexts')
  expect(await page.getByLabel('Words and phrases').inputValue()).toBe('cat\nkitten')
  await page.getByLabel('Home timeline and lists', { exact: true }).check()
  await page.getByLabel('Not shown at all').check()
  await page.getByLabel('How long').selectOption('86400')
  await pressFor(page, 'Add', 'The filter is added.')
  const made = {
    title: 'Cats',
    context: ['home'],
    filterAction: 'hide',
    words: ['cat', 'kitten'],
    ends: true,
  }
  expect(await all()).toEqual([made])
  await page.getByRole('link', { name: 'Change Cats' }).click()
  await page.getByLabel('Words and phrases').fill('cat\ntomcat')
  await page.getByLabel('Profiles', { exact: true }).check()
  await pressFor(page, 'Save', 'The filter is saved.')
  expect(await all()).toEqual([{ ...made, context: ['home', 'account'], words: ['cat', 'tomcat'] }])
  const other = await newPerson('cat')
  await client.v1.accounts.$select(other.id).follow()
  const { id } = await mastoOf(other).v1.statuses.create({ status: 'My tomcat sleeps' })
  const seen = await client.v1.statuses.$select(id).fetch()
  expect(seen.filtered?.map(({ keywordMatches }) => keywordMatches)).toEqual([['tomcat']])
  await page.getByRole('link', { name: 'Change Cats' }).click()
  await confirmFor(page, 'Delete this filter…', 'Delete the filter', 'The filter is deleted.')
  expect(await all()).toEqual([])
}

const lists: Flow = async ({ page, client }) => {
  const friend = await newPerson('friend')
  await client.v1.accounts.$select(friend.id).follow()
  await page.getByLabel('Name of the list').fill('Reservoir')
  await page.getByLabel('Replies of people on it').selectOption('none')
  await pressFor(page, 'Add', 'The list is there. Add people to it.')
  await page.getByLabel('Somebody you follow').fill(newName('nobody'))
  await pressWrong(page, 'Add to the list', 'handle')
  await page.getByLabel('Somebody you follow').fill(`${friend.username}@${domain}`)
  await pressFor(page, 'Add to the list', 'The account is on the list.')
  const [list] = await client.v1.lists.list()
  expect(list).toMatchObject({ title: 'Reservoir', repliesPolicy: 'none', exclusive: false })
  const members = async () => idsOf(await client.v1.lists.$select(list?.id ?? '').accounts.list())
  expect(await members()).toEqual([friend.id])
  await pressFor(page, 'Remove friend', 'The account is off the list.')
  expect(await members()).toEqual([])
  await page.getByLabel('Name of the list').fill('Estuary')
  await page.getByLabel('Keep their posts out of my home timeline').check()
  await pressFor(page, 'Save', 'The list is saved.')
  expect(await client.v1.lists.list()).toMatchObject([{ title: 'Estuary', exclusive: true }])
  await confirmFor(page, 'Delete this list…', 'Delete the list', 'The list is deleted.')
  expect(await client.v1.lists.list()).toEqual([])
}

const blocks: Flow = async ({ page, client }) => {
  const [blocked, muted] = [await newPerson('blocked'), await newPerson('muted')]
  await client.v1.accounts.$select(blocked.id).block()
  await client.v1.accounts.$select(muted.id).mute({ duration: 3_600 })
  await page.reload()
  await pressFor(page, 'Unmute muted', 'The account is no longer muted.')
  await pressFor(page, 'Unblock blocked', 'The account is no longer blocked.')
  const relations = await client.v1.accounts.relationships.fetch({ id: [blocked.id, muted.id] })
  expect(relations.map(({ blocking, muting }) => [blocking, muting])).toEqual([
    [false, false],
    [false, false],
  ])
  const server = `${newName('spam').replace('_', '-')}.example`
  await page.getByText('Block a server…').click()
  await page.getByLabel('Domain of the server').fill('no domain')
  await pressWrong(page, 'Block the server', 'domain')
  await page.getByLabel('Domain of the server').fill(`https://${server}/about`)
  await pressFor(page, 'Block the server', 'The server is blocked.')
  expect([...(await client.v1.domainBlocks.list())]).toEqual([server])
  await pressFor(page, `Unblock ${server}`, 'The server is no longer blocked.')
  expect([...(await client.v1.domainBlocks.list())]).toEqual([])
}

const whoNotifies: Flow = async ({ page, client, person }) => {
  await page.getByLabel('People you do not follow').selectOption('filter')
  await pressFor(page, 'Save', 'Who may notify you is saved.')
  expect(await client.v2.notifications.policy.fetch()).toMatchObject({ forNotFollowing: 'filter' })
  const [welcome, unwelcome] = [await newPerson('welcome'), await newPerson('unwelcome')]
  for (const stranger of [welcome, unwelcome])
    await mastoOf(stranger).v1.statuses.create({ status: `Hello ${person.acct}` })
  await expect
    .poll(async () => (await client.v1.notifications.requests.list()).length, { timeout: 15_000 })
    .toBe(2)
  await page.goto(`${origin}/settings/notification_policy`)
  await pressFor(page, 'Let through welcome', 'The notifications are let through, and so are later ones.')
  await pressFor(page, 'Dismiss unwelcome', 'The notifications are deleted.')
  expect(await client.v1.notifications.requests.list()).toEqual([])
  const from = async () => (await client.v1.notifications.list()).map(({ account }) => account.id)
  await expect.poll(from, { timeout: 15_000 }).toEqual([welcome.id])
}

const invites: Flow = async ({ page, browser, client, person }) => {
  await page.getByLabel('How many people may use it?').selectOption('1')
  await page.getByLabel('Note').fill('For Jun')
  await page.getByLabel('People who sign up by it follow you').check()
  const ready = 'Your invitation is ready: send the link to whoever you invite.'
  await pressFor(page, 'Create invitation', ready)
  const address = await page.locator('.code-to-copy').first().innerText()
  const guest = newName('guest')
  const window = await browser.newContext({ extraHTTPHeaders: { 'CF-Connecting-IP': '10.9.8.7' } })
  const sheet = await window.newPage()
  await sheet.goto(address)
  await sheet.locator('[name=username]').fill(guest)
  await sheet.locator('[name=email]').fill(`${guest}@birds.example`)
  await sheet.locator('[name=password]').fill(`seed-and-worm-${guest}`)
  await sheet.locator('[name=password_confirmation]').fill(`seed-and-worm-${guest}`)
  await sheet.locator('[name=agreement]').check()
  const loaded = sheet.waitForEvent('load')
  await sheet.locator('main form button').last().click()
  await loaded
  await window.close()
  const followers = async () =>
    (await client.v1.accounts.$select(person.id).followers.list()).map(({ username }) => username)
  await expect.poll(followers, { timeout: 15_000 }).toEqual([guest])
  await page.reload()
  expect(await page.getByRole('listitem').filter({ hasText: 'For Jun' }).innerText()).toContain('used up')
  await page.getByLabel('Note').fill('For nobody')
  await pressFor(page, 'Create invitation', ready)
  const open = await page.locator('.code-to-copy').first().innerText()
  await confirmFor(page, 'End', 'End invitation', 'The invitation no longer works.')
  const { text } = await new Visitor().open(new URL(open).pathname)
  expect(text).toContain('The invitation you came by no longer works.')
}

const scheduled: Flow = async ({ page, client }) => {
  for (const status of ['First', 'Second'])
    await client.v1.statuses.create({ status, scheduledAt: '2036-05-01T10:00:00.000Z' })
  await page.reload()
  const card = page.locator('section.card', { hasText: 'First' })
  const loaded = page.waitForEvent('load')
  await card.getByRole('button').click()
  await loaded
  await page.getByText('The post is deleted.').waitFor()
  const left = await client.v1.scheduledStatuses.list()
  expect(left.map(({ params }) => params.text)).toEqual(['Second'])
}

const cleanup: Flow = async ({ page }) => {
  await page.getByLabel('Delete my old posts automatically').check()
  await page.getByLabel('Once they are older than').selectOption({ label: '3 months' })
  await page.getByLabel('Polls', { exact: true }).check()
  await page.getByLabel('Posts with at least this many favourites').fill('many')
  await pressWrong(page, 'Save', 'favourites')
  expect(await page.getByLabel('Posts with at least this many favourites').inputValue()).toBe('many')
  expect(await page.getByLabel('Delete my old posts automatically').isChecked()).toBe(true)
  await page.getByLabel('Posts with at least this many favourites').fill('7')
  await pressFor(page, 'Save', 'What happens to your old posts is saved.')
  await page.reload()
  expect(await page.getByLabel('Posts with at least this many favourites').inputValue()).toBe('7')
  expect(await page.getByLabel('Delete my old posts automatically').isChecked()).toBe(true)
  expect(await page.getByLabel('Polls', { exact: true }).isChecked()).toBe(true)
  await page.getByLabel('Delete my old posts automatically').uncheck()
  await press(page, 'Save')
  expect(await page.getByLabel('Delete my old posts automatically').isChecked()).toBe(false)
}

/** Flows of the pages about other people and about posts, by the path of their page. */
export const peopleFlows: Readonly<Record<string, Flow>> = {
  '/settings/followed_tags': followedTags,
  '/settings/filters': filters,
  '/settings/lists': lists,
  '/settings/blocks': blocks,
  '/settings/notification_policy': whoNotifies,
  '/invites': invites,
  '/settings/scheduled': scheduled,
  '/statuses_cleanup': cleanup,
}
