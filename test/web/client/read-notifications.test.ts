import { expect, it } from 'vitest'
import * as z from 'zod'
import { as } from '../../support/as'
import { given } from '../../support/given'
import { signedIn } from '../../support/members'
import { clock } from '../../support/test-app'

const Count = z.object({ count: z.number() })

/** A member with notifications of this many new followers. */
async function followed(times: number) {
  const { member, browser } = await signedIn()
  const follow = async () => {
    clock.advance(1_000)
    await as(await given.account()).post(`/api/v1/accounts/${member.id}/follow`)
  }
  for (let time = 0; time < times; time += 1) await follow()
  const unread = async () => Count.parse((await as(member).get('/api/v1/notifications/unread_count')).body)
  return { member, browser, follow, unread }
}

const path = '/notifications'
const form = { action: '/notifications/read' }

it('a press marks all notifications as read, and leaves later ones', async () => {
  const { browser, follow, unread } = await followed(2)
  expect(await unread()).toEqual({ count: 2 })
  expect((await browser.get(path)).html).toContain('aria-label="Mark all as read"')
  const sent = await browser.fill(path, {}, form)
  expect([sent.status, sent.location, await unread()]).toEqual([303, path, { count: 0 }])
  expect((await browser.get(path)).html).not.toContain(form.action)
  await follow()
  expect(await unread()).toEqual({ count: 1 })
})

it('a form that is sent late marks nothing that came after its page', async () => {
  const { browser, follow, unread } = await followed(1)
  const { html } = await browser.get(path)
  const [, newest = ''] = /name="newest" value="(\d+)"/.exec(html) ?? []
  await follow()
  await browser.fill(path, { newest }, form)
  expect(await unread()).toEqual({ count: 1 })
})

it.each(['', 'x', '9007199254740991'])(
  'a form with %j for the newest marks nothing that is to come',
  async (newest) => {
    const { browser, follow, unread } = await followed(1)
    await browser.fill(path, { newest }, form)
    await follow()
    expect((await unread()).count).toBeGreaterThan(0)
  },
)

it('the marker never goes back', async () => {
  const { browser, unread, follow } = await followed(1)
  const { html } = await browser.get(path)
  const [, older = ''] = /name="newest" value="(\d+)"/.exec(html) ?? []
  await follow()
  await browser.fill(path, {}, form)
  await follow()
  await browser.fill(path, { newest: older }, form)
  expect(await unread()).toEqual({ count: 1 })
})

it('pages that do not begin with the newest notifications of all kinds move no marker', async () => {
  const { browser } = await followed(1)
  expect((await browser.get(path)).html).toContain('data-timeline="notifications"')
  for (const other of ['/notifications/follows', '/notifications?max_id=9007199254740991']) {
    const { html } = await browser.get(other)
    expect(html).toContain('data-entry=')
    expect(html).not.toMatch(/data-timeline|notifications\/read/)
  }
})
