import { describe, expect, it } from 'vitest'
import { as } from '../../support/as'
import { textOf } from '../../support/browser'
import { expectCosts } from '../../support/expect-costs'
import { given } from '../../support/given'
import { signedIn } from '../../support/members'

/** A member whose follows they approve, and an account that asks to follow them. */
async function asked() {
  const { member, browser } = await signedIn({ locked: true })
  const fan = await given.account()
  await as(fan).post(`/api/v1/accounts/${member.id}/follow`)
  const state = async () => (await as(fan).get(`/api/v1/accounts/relationships?id[]=${member.id}`)).body
  return { member, browser, fan, state }
}

describe('the page of follow requests', () => {
  it.each([
    ['accept', { following: true, requested: false }],
    ['refuse', { following: false, requested: false }],
  ] as const)('%s an account in place', async (name, state) => {
    const { browser, fan, state: stateOf } = await asked()
    const { html, costs } = await browser.get('/follow_requests')
    expect(html).toContain(`@${fan.username}`)
    expectCosts(costs, { trips: 1 })
    const action = `/follow_requests/${fan.id}`
    const sent = await browser.fill('/follow_requests', { act: name }, { action })
    expect([sent.status, sent.location]).toEqual([303, '/follow_requests'])
    expect(await stateOf()).toMatchObject([state])
    expect(textOf((await browser.get('/follow_requests')).html)).toContain('Nothing here yet')
  })

  it('shows nobody the requests to another account, and answers none of them', async () => {
    const { fan, state } = await asked()
    const { browser } = await signedIn({ locked: true })
    const { html } = await browser.get('/follow_requests')
    expect(html).not.toContain(`@${fan.username}`)
    const token = /name="csrf_token" value="([^"]+)"/.exec((await browser.get('/menu')).html)?.[1] ?? ''
    const answer = await browser.post(`/follow_requests/${fan.id}`, { act: 'accept', csrf_token: token })
    expect(answer.status).toBeGreaterThanOrEqual(303)
    expect(await state()).toMatchObject([{ following: false, requested: true }])
    expect((await browser.post(`/follow_requests/${fan.id}`, { act: 'accept' })).status).toBe(422)
  })
})
