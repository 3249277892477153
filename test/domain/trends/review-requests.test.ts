import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import * as z from 'zod'
import { notifications } from '../../../src/db/schema'
import { saveSettings } from '../../../src/domain/instance/save-settings'
import { operator } from '../../../src/domain/policy/permissions'
import { requestTrendReviews, subjectsToReview } from '../../../src/domain/trends/review'
import { as } from '../../support/as'
import { deleteTrends } from '../../support/crowd'
import { freshName, given, type TestAccount } from '../../support/given'
import { sendNotificationMails } from '../../support/given-mail'
import { givenRole, givenStaff } from '../../support/given-staff'
import { favouredStatus, linkedPage, trendsRefreshed, usedTag } from '../../support/given-trends'
import { withSettings } from '../../support/settings'
import { clock, context } from '../../support/test-app'

const minute = 60_000

const Notification = z.looseObject({
  id: z.string(),
  type: z.string(),
  account: z.looseObject({ id: z.string() }),
})

beforeEach(async () => {
  await deleteTrends()
  clock.advance(3 * 60 * minute)
  await saveSettings(context(), operator, { trends: true, trendableByDefault: false })
})
afterAll(deleteTrends)

/** A moderator of trends who chose to be told, or did not. */
async function moderator(chosen = true): Promise<TestAccount> {
  const roleId = await givenRole({ permissions: ['manageTaxonomies'] })
  return given.account({
    user: { roleId, lastActiveAt: null, settings: { mail: { 'admin.trends': chosen } } },
  })
}

const request = () => requestTrendReviews(context())

const requests = async (who: TestAccount) =>
  z.array(Notification).parse((await as(who).get('/api/v1/notifications?types[]=admin.trends')).body)

describe('requests to review trends', () => {
  it('requests to review trends reach moderators who chose so, once for each trend, by notification and mail', async () => {
    const [ada, cleo, member] = [await moderator(), await moderator(false), await given.account()]
    const author = await given.account({ discoverable: true })
    const host = `${freshName('press')}.test`
    const tag = await usedTag(6)
    await favouredStatus(20, { accountId: author.id })
    await linkedPage(6, { host, card: { title: 'Birds' } })
    await trendsRefreshed()
    await request()
    const [asked] = await requests(ada)
    expect(asked).toMatchObject({ type: 'admin.trends', account: { id: String(ada.id) } })
    expect([await requests(cleo), await requests(member)]).toEqual([[], []])

    // Active readers are not mailed.
    clock.advance(20 * minute)
    const { sent } = await sendNotificationMails([Number(asked?.id)])
    expect(sent).toHaveLength(1)
    const [mail] = sent
    expect(mail).toMatchObject({
      to: ada.email,
      subject: 'New trends on fieldfare.test are waiting for review',
    })
    for (const text of [`#${tag}`, `Birds (${host})`, `@${author.username}`])
      expect(mail?.text).toContain(text)

    const reviewer = await givenStaff({ permissions: ['manageTaxonomies'] })
    expect((await as(reviewer).get('/api/v1/admin/trends/links/publishers?limit=1')).body).toMatchObject([
      { domain: host, requires_review: true, requested_review_at: expect.any(String) },
    ])
    clock.advance(121 * minute)
    await trendsRefreshed()
    await request()
    expect(await requests(ada)).toHaveLength(1)
  })

  it('requests to review trends are sent at most every two hours', async () => {
    const ada = await moderator()
    await usedTag(6)
    await trendsRefreshed()
    await request()
    const first = clock.now().getTime()
    await usedTag(6)
    await trendsRefreshed()
    clock.set(new Date(first + 120 * minute - 1))
    await request()
    expect(await requests(ada)).toHaveLength(1)
    clock.set(new Date(first + 120 * minute))
    await request()
    expect(await requests(ada)).toHaveLength(2)
  })

  it('requests to review trends are sent by one of two runs at once', async () => {
    const ada = await moderator()
    await usedTag(6)
    await trendsRefreshed()
    await Promise.all([request(), request()])
    expect(await requests(ada)).toHaveLength(1)
  })

  it('requests to review trends are not sent where trends are off, need no review, or nothing trends', async () => {
    const ada = await moderator()
    await request()
    await usedTag(6)
    await trendsRefreshed()
    await withSettings({ trends: false }, request)
    await withSettings({ trendableByDefault: true }, request)
    expect(await requests(ada)).toEqual([])
    await request()
    expect(await requests(ada)).toHaveLength(1)
  })

  it('requests to review trends end with the permission', async () => {
    const ada = await moderator()
    await usedTag(6)
    await trendsRefreshed()
    await request()
    await context().db.run(`update users set role_id = null where account_id = ${ada.id}`)
    expect(await requests(ada)).toEqual([])
    const [row] = await context().db.select().from(notifications).limit(1)
    expect(row).toBeDefined()
  })
})

describe('subjectsToReview', () => {
  const trend = (
    subject: string,
    rank: number,
    more: Partial<Parameters<typeof subjectsToReview>[0][number]> = {},
  ) => ({
    subject,
    rank,
    language: 'en',
    isAllowed: false,
    isWaiting: true,
    ...more,
  })
  const allowed = { isAllowed: true, isWaiting: false }

  it('returns trends above the third shown one, by language', () => {
    const trends = [
      trend('a', 9),
      trend('b', 8, allowed),
      trend('c', 7, allowed),
      trend('d', 6),
      trend('e', 5, allowed),
      trend('f', 4),
      trend('g', 3, { language: 'de' }),
      trend('h', 2, { language: 'de', isWaiting: false }),
      trend('a', 1, { language: 'de' }),
    ]
    expect(subjectsToReview(trends)).toEqual(['a', 'd', 'g'])
  })
})
