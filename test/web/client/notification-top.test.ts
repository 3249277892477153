import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import * as z from 'zod'
import { Announcement } from '../../../src/contract/entities/announcement'
import { as } from '../../support/as'
import { expectCosts } from '../../support/expect-costs'
import { freshName, given } from '../../support/given'
import { announced, removeAnnounced } from '../../support/given-announcement'
import { signedIn } from '../../support/members'

let text: string
let id: string
beforeEach(async () => {
  text = freshName('news')
  id = await announced(text)
})
afterEach(() => removeAnnounced(id))

async function reactionsOf(member: Parameters<typeof as>[0]) {
  const { body } = await as(member).get('/api/v1/announcements')
  const found = z.array(Announcement).parse(body)
  return found.find((one) => one.id === id)?.reactions.map(({ name, count, me }) => ({ name, count, me }))
}

describe('announcements in the web client', () => {
  it('an announcement stands above the notifications until the member dismisses it, and stays on its own page', async () => {
    const { browser } = await signedIn()
    const shown = await browser.get('/notifications')
    expect(shown.html).toContain(text)
    expectCosts(shown.costs, { trips: 2, rowsWritten: 0 })
    const sent = await browser.fill('/notifications', { act: 'dismiss' }, { action: `/announcements/${id}` })
    expect([sent.status, sent.location]).toEqual([303, '/notifications'])
    expect((await browser.get('/notifications')).html).not.toContain(text)
    const list = await browser.get('/announcements')
    expect(list.html).toContain(text)
    expect(list.html).not.toContain('value="dismiss"')
    expectCosts(list.costs, { trips: 1, rowsWritten: 0 })
  })

  it('one press adds a reaction to an announcement, another removes it', async () => {
    const { member, browser } = await signedIn()
    const action = `/announcements/${id}/reactions`
    const sent = await browser.fill('/announcements', { add: '🎉' }, { action })
    expect([sent.status, sent.location]).toEqual([303, `/announcements#announcement-${id}`])
    expect(await reactionsOf(member)).toEqual([{ name: '🎉', count: 1, me: true }])
    await browser.fill('/announcements', { remove: '🎉' }, { action })
    expect(await reactionsOf(member)).toEqual([])
    await browser.fill('/announcements', { emoji: ' 👍 ' }, { action })
    expect(await reactionsOf(member)).toEqual([{ name: '👍', count: 1, me: true }])
  })

  it('a reaction that is no emoji is refused with a sentence, an unknown act with 404', async () => {
    const { member, browser } = await signedIn()
    const action = `/announcements/${id}/reactions`
    const refused = await browser.fill('/announcements', { emoji: 'not an emoji' }, { action })
    expect(refused.status).toBeGreaterThanOrEqual(400)
    expect(refused.html).toContain('role="alert"')
    expect(await reactionsOf(member)).toEqual([])
    const unknown = await browser.fill(
      '/announcements',
      { act: 'nothing' },
      { action: `/announcements/${id}` },
    )
    expect(unknown.status).toBe(404)
  })

  it('the page of announcements leads visitors to sign in', async () => {
    const { browser } = await signedIn()
    await browser.fill('/menu', {}, { action: '/auth/sign_out' })
    expect((await browser.get('/announcements')).location).toContain('/auth/sign_in')
  })
})

describe('follow requests above the notifications', () => {
  it('a row above the notifications leads to follow requests while somebody waits', async () => {
    const { member, browser } = await signedIn({ locked: true })
    expect((await browser.get('/notifications')).html).not.toContain('href="/follow_requests"')
    await as(await given.account()).post(`/api/v1/accounts/${member.id}/follow`)
    const { html, costs } = await browser.get('/notifications')
    expect(html).toContain('1 person asks to follow you')
    expect(html).toContain('href="/follow_requests"')
    expectCosts(costs, { trips: 2, rowsWritten: 0 })
  })
})
