import { eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { scheduledStatuses } from '../../src/db/schema'
import { as } from '../support/as'
import { idsOf } from '../support/body-ids'
import { Browser, hiddenFields } from '../support/browser'
import { given } from '../support/given'
import { scheduledStatus } from '../support/given-scheduled'
import { signedIn } from '../support/members'
import { context } from '../support/test-app'

const path = '/settings/scheduled'

describe('the page of scheduled posts', () => {
  it('shows pending posts and reasons for unpublished ones, only of the own account', async () => {
    const { member, browser } = await signedIn()
    await scheduledStatus(member, { text: 'The wren <b>sings</b>' })
    const failed = Number(await scheduledStatus(member, { text: 'The owl sleeps' }))
    await context()
      .db.update(scheduledStatuses)
      .set({ failure: 'The post it answers is gone' })
      .where(eq(scheduledStatuses.id, failed))
    await scheduledStatus(await given.account(), { text: 'Not hers' })
    const { html } = await browser.get(path)
    expect(html).toContain('The wren &lt;b&gt;sings&lt;/b&gt;')
    expect(html).toMatch(/not posted<\/span>\s*The post it answers is gone/)
    expect(html).not.toContain('Not hers')
  })

  it('deletes a scheduled post, and none of another account', async () => {
    const { member, browser } = await signedIn()
    const other = await given.account()
    const [own, foreign] = [await scheduledStatus(member), await scheduledStatus(other)]
    const { html } = await browser.get(path)
    expect(html).not.toContain(foreign)
    const fields = hiddenFields(html, `${path}/${own}/cancel`)
    for (const id of [foreign, own])
      expect(await browser.post(`${path}/${id}/cancel`, fields)).toMatchObject({
        location: `${path}?done=cancelled`,
      })
    expect((await as(member).get('/api/v1/scheduled_statuses')).body).toEqual([])
    expect(idsOf(await as(other).get('/api/v1/scheduled_statuses'))).toEqual([foreign])
  })

  it('the page of scheduled posts has further pages where there are many', async () => {
    const { member, browser } = await signedIn()
    const ids: string[] = []
    for (let count = 0; count < 41; count += 1)
      ids.push(await scheduledStatus(member, { text: `number ${count};` }))
    const first = await browser.get(path)
    expect(first.html).not.toContain('number 0;')
    expect(first.html).toContain(`href="${path}?max_id=${ids[1]}"`)
    expect((await browser.get(`${path}?max_id=${ids[1]}`)).html).toContain('number 0;')
  })

  it('the page of scheduled posts requires sign-in', async () => {
    expect((await new Browser().get(path)).location).toContain('/auth/sign_in')
  })
})
