import { expect } from 'vitest'
import { hangLimit } from '../../../support/hang-limit'
import { newWindows } from '../../support/browser'
import type { Reading } from '../../support/effect'
import { idsOf } from '../../support/ids'
import { mastoOf } from '../../support/masto'
import { domain, newName, newPerson, newTag, origin } from '../../support/people'
import { type Member, signInTo } from '../../support/sign-in'
import { Visitor } from '../../support/visitor'
import { confirmFor, type Flow, fieldsOf, pressFor, pressWrong } from './setting'

const followedTags: Flow = async ({ page, client }) => {
  const tag = newTag('finch')
  const names = async () => (await client.v1.followedTags.list()).map(({ name }) => name)
  await page.getByLabel('Hashtag', { exact: true }).fill('not a tag')
  await pressWrong(page, 'Follow', 'name')
  await page.getByLabel('Hashtag', { exact: true }).fill(tag)
  await pressFor(page, { button: 'Follow', notice: 'You follow the hashtag now.', effect: names })
  expect(await names()).toEqual([tag])
  await pressFor(page, {
    button: `Unfollow #${tag}`,
    notice: 'You no longer follow the hashtag.',
    effect: names,
  })
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
  await page.getByLabel('Hide completely').check()
  await page.getByLabel('Expiry').selectOption('86400')
  await pressFor(page, { button: 'Add', notice: 'The filter is added.', effect: all })
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
  await pressFor(page, { button: 'Save', notice: 'The filter is saved.', effect: all })
  expect(await all()).toEqual([{ ...made, context: ['home', 'account'], words: ['cat', 'tomcat'] }])
  const other = await newPerson('cat')
  await client.v1.accounts.$select(other.id).follow()
  const { id } = await mastoOf(other).v1.statuses.create({ status: 'My tomcat sleeps' })
  const seen = await client.v1.statuses.$select(id).fetch()
  expect(seen.filtered?.map(({ keywordMatches }) => keywordMatches)).toEqual([['tomcat']])
  await page.getByRole('link', { name: 'Change Cats' }).click()
  await confirmFor(page, 'Delete this filter…', {
    button: 'Delete the filter',
    notice: 'The filter is deleted.',
    effect: all,
  })
  expect(await all()).toEqual([])
}

const lists: Flow = async ({ page, client }) => {
  const friend = await newPerson('friend')
  await client.v1.accounts.$select(friend.id).follow()
  const all = async () => client.v1.lists.list()
  await page.getByLabel('Name of the list').fill('Reservoir')
  await page.getByLabel('Replies of people on it').selectOption('none')
  await pressFor(page, { button: 'Add', notice: 'The list is created. Add people to it.', effect: all })
  const [list] = await all()
  expect(list).toMatchObject({ title: 'Reservoir', repliesPolicy: 'none', exclusive: false })
  const members = async () => idsOf(await client.v1.lists.$select(list?.id ?? '').accounts.list())
  await page.getByLabel('Someone you follow').fill(newName('nobody'))
  await pressWrong(page, 'Add to the list', 'handle')
  await page.getByLabel('Someone you follow').fill(`${friend.username}@${domain}`)
  await pressFor(page, {
    button: 'Add to the list',
    notice: 'The account is added to the list.',
    effect: members,
  })
  expect(await members()).toEqual([friend.id])
  await pressFor(page, {
    button: 'Remove friend',
    notice: 'The account is removed from the list.',
    effect: members,
  })
  expect(await members()).toEqual([])
  await page.getByLabel('Name of the list').fill('Estuary')
  await page.getByLabel('Hide their posts from my home timeline').check()
  await pressFor(page, { button: 'Save', notice: 'The list is saved.', effect: all })
  expect(await all()).toMatchObject([{ title: 'Estuary', exclusive: true }])
  await confirmFor(page, 'Delete this list…', {
    button: 'Delete the list',
    notice: 'The list is deleted.',
    effect: all,
  })
  expect(await all()).toEqual([])
}

const blocks: Flow = async ({ page, client }) => {
  const [blocked, muted] = [await newPerson('blocked'), await newPerson('muted')]
  await client.v1.accounts.$select(blocked.id).block()
  await client.v1.accounts.$select(muted.id).mute({ duration: 3_600 })
  await page.reload()
  const relations = async () =>
    (await client.v1.accounts.relationships.fetch({ id: [blocked.id, muted.id] })).map(
      ({ blocking, muting }) => [blocking, muting],
    )
  await pressFor(page, {
    button: 'Unmute muted',
    notice: 'The account is no longer muted.',
    effect: relations,
  })
  const free = 'The account is no longer blocked.'
  await pressFor(page, { button: 'Unblock blocked', notice: free, effect: relations })
  expect(await relations()).toEqual([
    [false, false],
    [false, false],
  ])
  const server = `${newName('spam').replace('_', '-')}.example`
  const domains = async () => [...(await client.v1.domainBlocks.list())]
  await page.getByText('Block a server…').click()
  await page.getByLabel('Domain of the server').fill('no domain')
  await pressWrong(page, 'Block the server', 'domain')
  await page.getByLabel('Domain of the server').fill(`https://${server}/about`)
  await pressFor(page, { button: 'Block the server', notice: 'The server is blocked.', effect: domains })
  expect(await domains()).toEqual([server])
  await pressFor(page, {
    button: `Unblock ${server}`,
    notice: 'The server is no longer blocked.',
    effect: domains,
  })
  expect(await domains()).toEqual([])
}

const shownLess: Flow = async ({ page, client }) => {
  const [snoozed, quieter, tag] = [await newPerson('snoozed'), await newPerson('quieter'), newTag('finch')]
  await client.v1.accounts.$select(snoozed.id).mute({ duration: 86_400 })
  await client.v1.accounts.$select(quieter.id).follow({ reblogs: false })
  await client.v1.tags.$select(tag).follow()
  await page.goto(`${origin}/tags/${tag}`)
  for (const name of ['Snooze for a day', 'Fewer posts']) {
    await page.getByLabel(`What home shows of #${tag}`).click()
    await page.getByRole('button', { name }).click()
    await page
      .getByRole('button', { name: name === 'Fewer posts' ? 'Show all its posts' : 'End snooze' })
      .waitFor()
  }
  await page.goto(`${origin}/settings/shown_less`)
  const relations = async () =>
    (await client.v1.accounts.relationships.fetch({ id: [snoozed.id, quieter.id] })).map(
      ({ muting, showingReblogs }) => [muting, showingReblogs],
    )
  const tagPage = async () => {
    const html = await (await page.request.get(`${origin}/tags/${tag}`)).text()
    return ['unsnooze', 'all'].map((act) => html.includes(`value="${act}"`))
  }
  await pressFor(page, { button: 'End snooze snoozed', notice: 'It is shown again.', effect: relations })
  await pressFor(page, {
    button: 'Show all quieter',
    notice: 'Home shows everything again.',
    effect: relations,
  })
  expect((await relations()).flat()).toEqual(expect.arrayContaining([false, true]))
  await pressFor(page, { button: `End snooze #${tag}`, notice: 'It is shown again.', effect: tagPage })
  await pressFor(page, {
    button: `Show all #${tag}`,
    notice: 'Home shows everything again.',
    effect: tagPage,
  })
  expect(await page.getByText(`#${tag}`).count()).toBe(0)
}

const whoNotifies: Flow = async ({ page, client, person }) => {
  const policy = async () => (await client.v2.notifications.policy.fetch()).forNotFollowing
  await page.getByLabel('People you do not follow').selectOption('filter')
  await pressFor(page, {
    button: 'Save',
    notice: 'Your settings for notifications are saved.',
    effect: policy,
  })
  expect(await policy()).toBe('filter')
  const [welcome, unwelcome] = [await newPerson('welcome'), await newPerson('unwelcome')]
  for (const stranger of [welcome, unwelcome])
    await mastoOf(stranger).v1.statuses.create({ status: `Hello ${person.acct}` })
  const requests = async () => idsOf(await client.v1.notifications.requests.list())
  await expect.poll(async () => (await requests()).length, hangLimit).toBe(2)
  await page.goto(`${origin}/settings/notification_policy`)
  await pressFor(page, {
    button: 'Accept welcome',
    notice: 'The notifications are accepted, and so are later ones.',
    effect: requests,
  })
  await pressFor(page, {
    button: 'Dismiss unwelcome',
    notice: 'The notifications are deleted.',
    effect: requests,
  })
  expect(await requests()).toEqual([])
  const from = async () => (await client.v1.notifications.list()).map(({ account }) => account.id)
  await expect.poll(from, hangLimit).toEqual([welcome.id])
}

/** Counts the invitations of a member, as another browser of theirs lists them. */
function invitationsOf(member: Member): Reading {
  const visitor = new Visitor()
  return async () => (await signInTo(visitor, member, '/invites')).html.split('code-to-copy').length - 1
}

const invites: Flow = async ({ page, browser, client, member, person }) => {
  await page.getByLabel('Maximum number of uses').selectOption('1')
  await page.getByLabel('Note').fill('For Jun')
  await page.getByLabel('People who sign up with it follow you').check()
  const notice = 'Your invitation is ready. Send the link to the people you want to invite.'
  const create = { button: 'Create invitation', notice, effect: invitationsOf(member) }
  await pressFor(page, create)
  const address = await page.locator('.code-to-copy').first().innerText()
  const guest = newName('guest')
  const window = await newWindows(browser)
  const sheet = await window.context.newPage()
  await sheet.goto(address)
  await sheet.locator('[name=username]').fill(guest)
  await sheet.locator('[name=email]').fill(`${guest}@birds.example`)
  await sheet.locator('[name=password]').fill(`seed-and-worm-${guest}`)
  await sheet.locator('[name=password_confirmation]').fill(`seed-and-worm-${guest}`)
  await sheet.locator('[name=agreement]').check()
  const loaded = sheet.waitForEvent('load')
  await sheet.locator('main form button').last().click()
  await loaded
  await window.context.close()
  const followers = async () =>
    (await client.v1.accounts.$select(person.id).followers.list()).map(({ username }) => username)
  await expect.poll(followers, hangLimit).toEqual([guest])
  await page.reload()
  expect(await page.getByRole('listitem').filter({ hasText: 'For Jun' }).innerText()).toContain('used up')
  await page.getByLabel('Note').fill('For nobody')
  await pressFor(page, create)
  const open = await page.locator('.code-to-copy').first().innerText()
  await confirmFor(page, 'End', {
    button: 'End invitation',
    notice: 'The invitation no longer works.',
    effect: async () => (await new Visitor().open(new URL(open).pathname)).text,
  })
  const { text } = await new Visitor().open(new URL(open).pathname)
  expect(text).toContain('Your invitation no longer works.')
}

const scheduled: Flow = async ({ page, client }) => {
  for (const status of ['First', 'Second'])
    await client.v1.statuses.create({ status, scheduledAt: '2036-05-01T10:00:00.000Z' })
  await page.reload()
  const texts = async () => (await client.v1.scheduledStatuses.list()).map(({ params }) => params.text)
  const button = page.locator('section.block', { hasText: 'First' }).getByRole('button')
  await pressFor(page, { button, notice: 'The post is deleted.', effect: texts })
  expect(await texts()).toEqual(['Second'])
}

const savedReplies: Flow = async ({ page, client }) => {
  const { id } = await client.v1.statuses.create({ status: 'Any questions?' })
  const offered = async () => {
    const composer = await page.request.get(`${origin}/publish?reply_to=${id}`)
    return [...(await composer.text()).matchAll(/data-text="([^"]*)"/g)].map(([, text]) => text)
  }
  await page.getByLabel('Name').fill('Thanks')
  await page.getByLabel('Text').fill(' ')
  await pressWrong(page, 'Add', 'text')
  expect(await page.getByLabel('Name').inputValue()).toBe('Thanks')
  await page.getByLabel('Text').fill('Thank you!')
  await pressFor(page, { button: 'Add', notice: 'The saved reply is added.', effect: offered })
  expect(await offered()).toEqual(['Thank you!'])
  await page.getByRole('link', { name: 'Change Thanks' }).click()
  await page.getByLabel('Text').fill('Many thanks!')
  await pressFor(page, { button: 'Save', notice: 'The saved reply is changed.', effect: offered })
  expect(await offered()).toEqual(['Many thanks!'])
  await page.getByRole('link', { name: 'Change Thanks' }).click()
  await confirmFor(page, 'Delete this saved reply…', {
    button: 'Delete the saved reply',
    notice: 'The saved reply is deleted.',
    effect: offered,
  })
  expect(await offered()).toEqual([])
}

const cleanup: Flow = async ({ page, member }) => {
  const rules = fieldsOf(member, '/statuses_cleanup')
  await page.getByLabel('Delete my old posts automatically').check()
  await page.getByLabel('Once they are older than').selectOption({ label: '3 months' })
  await page.getByLabel('Polls', { exact: true }).check()
  await page.getByLabel('Posts with at least this many favourites').fill('many')
  await pressWrong(page, 'Save', 'favourites')
  expect(await page.getByLabel('Posts with at least this many favourites').inputValue()).toBe('many')
  expect(await page.getByLabel('Delete my old posts automatically').isChecked()).toBe(true)
  await page.getByLabel('Posts with at least this many favourites').fill('7')
  await pressFor(page, { button: 'Save', notice: 'Your settings for old posts are saved.', effect: rules })
  await page.reload()
  expect(await page.getByLabel('Posts with at least this many favourites').inputValue()).toBe('7')
  expect(await page.getByLabel('Delete my old posts automatically').isChecked()).toBe(true)
  expect(await page.getByLabel('Polls', { exact: true }).isChecked()).toBe(true)
  await page.getByLabel('Delete my old posts automatically').uncheck()
  await pressFor(page, { button: 'Save', notice: null, effect: rules })
  expect(await page.getByLabel('Delete my old posts automatically').isChecked()).toBe(false)
}

/** Flows of the pages about other people and about posts, by the path of their page. */
export const peopleFlows: Readonly<Record<string, Flow>> = {
  '/settings/followed_tags': followedTags,
  '/settings/filters': filters,
  '/settings/lists': lists,
  '/settings/blocks': blocks,
  '/settings/shown_less': shownLess,
  '/settings/notification_policy': whoNotifies,
  '/invites': invites,
  '/settings/saved_replies': savedReplies,
  '/settings/scheduled': scheduled,
  '/statuses_cleanup': cleanup,
}
