import { describe, expect, it } from 'vitest'
import { changeTagFollow } from '../../src/domain/tags/follow'
import { as } from '../support/as'
import { hiddenFields, textOf } from '../support/browser'
import { freshName, given } from '../support/given'
import { relation } from '../support/given-relationships'
import { signedIn } from '../support/members'
import { clock, context } from '../support/test-app'

const path = '/settings/shown_less'
const day = 86_400_000

async function scene() {
  const { member, browser } = await signedIn()
  const [friend, other] = [await given.account(), await given.account()]
  for (const one of [friend, other]) await relation.follow(member, one)
  const tag = freshName('bird')
  await as(member).post(`/api/v1/tags/${tag}/follow`)
  const words = async (query = '') => textOf((await browser.get(path + query)).html)
  return { member, browser, friend, other, tag, words }
}

describe('the page of what home shows less', () => {
  it('the page of what home shows less lists what is left out of each followed account, and shows everything of it again by one press', async () => {
    const { member, browser, friend, other, words } = await scene()
    const shown = `/accounts/${friend.id}/shown`
    await browser.fill(shown, { fewer: 'true', 'language-de': 'true' }, { action: shown })
    const listed = await words()
    expect(listed).toContain(`@${friend.username}`)
    expect(listed).not.toContain(`@${other.username}`)
    for (const choice of [
      'Without boosts',
      'Without replies',
      'The first post of each day',
      'Only in: German',
    ])
      expect(listed).toContain(choice)
    const sent = await browser.fill(path, {}, { action: `${path}/accounts/${friend.id}/all` })
    expect(sent.location).toBe(`${path}?done=all`)
    expect(await words()).not.toContain(`@${friend.username}`)
    const { body } = await as(member).get(`/api/v1/accounts/relationships?id[]=${friend.id}`)
    expect(body).toMatchObject([{ showing_reblogs: true, languages: null }])
  })

  it('the page of what home shows less lists accounts that are hidden for some time, none that are hidden for good, and ends a snooze', async () => {
    const { member, browser, friend, other, words } = await scene()
    await as(member).post(`/api/v1/accounts/${friend.id}/mute`, { duration: 3_600 })
    await as(member).post(`/api/v1/accounts/${other.id}/mute`)
    const listed = await words()
    expect(listed).toContain(`@${friend.username}`)
    expect(listed).not.toContain(`@${other.username}`)
    await browser.fill(path, {}, { action: `${path}/accounts/${friend.id}/unsnooze` })
    expect(await words()).not.toContain(`@${friend.username}`)
    const { body } = await as(member).get(`/api/v1/accounts/relationships?id[]=${friend.id}`)
    expect(body).toMatchObject([{ muting: false }])
  })

  it('the page of what home shows less lists hashtags with their choices, undoes each, and forgets a snooze that is over', async () => {
    const { member, browser, tag, words } = await scene()
    expect(await words()).not.toContain(`#${tag}`)
    const snoozedUntil = new Date(clock.now().getTime() + day)
    await changeTagFollow(context(), member, tag, { snoozedUntil, fewer: true })
    expect(await words()).toContain('The first post of each day')
    const hidden = { name: tag }
    await browser.fill(path, hidden, { action: `${path}/tags/all` })
    expect(await words()).toContain(`#${tag}`)
    await browser.fill(path, hidden, { action: `${path}/tags/unsnooze` })
    expect(await words()).not.toContain(`#${tag}`)
    await changeTagFollow(context(), member, tag, { snoozedUntil })
    expect(await words()).toContain(`#${tag}`)
    clock.set(snoozedUntil)
    expect(await words()).not.toContain(`#${tag}`)
  })

  it('the page of what home shows less shows twenty of each list on a page, and the rest on the next', async () => {
    const { member, browser } = await scene()
    const names: string[] = []
    for (let number = 0; number < 21; number += 1) {
      const account = await given.account()
      names.unshift(account.username)
      await relation.follow(member, account, { showReblogs: false })
      const tag = freshName('owl')
      await as(member).post(`/api/v1/tags/${tag}/follow`)
      await changeTagFollow(context(), member, tag, { fewer: true })
    }
    const { html } = await browser.get(path)
    const listed = names.filter((name) => html.includes(`@${name}`))
    expect(listed).toEqual(names.slice(0, 20))
    for (const list of ['accounts', 'tags']) expect(html).toMatch(new RegExp(`shown_less\\?${list}=\\d+"`))
    const [, more] = /shown_less\?accounts=(\d+)"/.exec(html) ?? []
    expect((await browser.get(`${path}?accounts=${more}`)).html).toContain(`@${names[20]}`)
  })

  it('the page of what home shows less costs no more the more accounts and hashtags are followed without such choices', async () => {
    const { member, browser } = await scene()
    const before = (await browser.get(path)).costs
    for (let number = 0; number < 30; number += 1) {
      await relation.follow(member, await given.account())
      await as(member).post(`/api/v1/tags/${freshName('owl')}/follow`)
      await relation.mute(member, await given.account())
    }
    const after = (await browser.get(path)).costs
    expect(after).toEqual(before)
    expect(after.trips).toBeLessThanOrEqual(2)
  })

  it.each(['accounts/1/all', 'tags/all', 'tags/unsnooze'])(
    'refuses %s for what is not followed',
    async (act) => {
      const { browser } = await scene()
      const { csrf_token = '' } = hiddenFields((await browser.get('/menu')).html, '/auth/sign_out')
      const sent = await browser.post(`${path}/${act}`, { csrf_token, name: freshName('owl') })
      expect(sent.status).toBe(404)
    },
  )
})
