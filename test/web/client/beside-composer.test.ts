import { describe, expect, it } from 'vitest'
import { as } from '../../support/as'
import type { Browser } from '../../support/browser'
import { given } from '../../support/given'
import { signedIn } from '../../support/members'
import { clock } from '../../support/test-app'

const path = '/publish'
const action = { action: path }

/** The column at the right of the page. */
async function beside(browser: Browser, of = path): Promise<string> {
  return (await browser.get(of)).html.split('<aside')[1] ?? ''
}

const schedule = async (member: Parameters<typeof as>[0], status: string, days: number) =>
  as(member).post('/api/v1/statuses', {
    status,
    scheduled_at: new Date(clock.now().getTime() + days * 86_400_000).toISOString(),
  })

describe('the column beside the composer', () => {
  it('lists the other drafts and the scheduled posts, the next one first, each with a button to delete it', async () => {
    const { member, browser } = await signedIn()
    const author = await given.account()
    const { body } = await as(author).post('/api/v1/statuses', { status: 'Hello' })
    const { id } = Object.assign({ id: '' }, body)
    await browser.fill(`${path}?reply_to=${id}`, { press: 'draft', status: 'Half an answer' }, action)
    await browser.fill(path, { press: 'draft', status: 'Half a song' }, action)
    await schedule(member, 'In three days', 3)
    await schedule(member, 'In two days', 2)
    const shown = await beside(browser)
    expect(shown).toContain('Half an answer')
    expect(shown).not.toContain('Half a song')
    expect(shown.indexOf('In two days')).toBeLessThan(shown.indexOf('In three days'))
    expect(shown.indexOf('In two days')).toBeGreaterThan(0)
    expect(await beside(browser, `${path}?reply_to=${id}`)).toContain('Half a song')
    const stranger = await signedIn()
    expect(await beside(stranger.browser)).not.toMatch(/Half|days/)
  })

  it('deletes a draft and a scheduled post by buttons that keep what is typed', async () => {
    const { member, browser } = await signedIn()
    await browser.fill(path, { press: 'draft', status: 'A quote', quote: '7' }, action)
    const { body } = await schedule(member, 'Not after all', 2)
    const { id } = Object.assign({ id: '' }, body)
    const dropped = await browser.fill(path, { press: 'drop:quote:7', status: 'Typed meanwhile' }, action)
    expect(dropped.html).toContain('Typed meanwhile</textarea>')
    expect(dropped.html).not.toContain('A quote')
    expect((await browser.get('/drafts')).html).toContain('No drafts')
    const cancelled = await browser.fill(path, { press: `unschedule:${id}`, status: 'Still here' }, action)
    expect(cancelled.html).toContain('Still here</textarea>')
    expect((await as(member).get('/api/v1/scheduled_statuses')).body).toEqual([])
    expect((await browser.fill(path, { press: `unschedule:${id}` }, action)).status).toBe(200)
  })

  it('deletes no scheduled post of another account', async () => {
    const { browser } = await signedIn()
    const other = await given.account()
    const { body } = await schedule(other, 'Mine', 2)
    const { id } = Object.assign({ id: '' }, body)
    await browser.fill(path, { press: `unschedule:${id}` }, action)
    expect((await as(other).get('/api/v1/scheduled_statuses')).body).toHaveLength(1)
  })
})
