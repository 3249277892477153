import { afterEach, describe, expect, it } from 'vitest'
import { accountDomainBlocks, statusLinks } from '../../src/db/schema'
import { saveSettings } from '../../src/domain/instance/save-settings'
import { defaultSettings } from '../../src/domain/instance/settings'
import { operator } from '../../src/domain/policy/permissions'
import { anonymous, as } from '../support/as'
import { idsOf } from '../support/body-ids'
import { given, type TestAccount } from '../support/given'
import { trendingLink } from '../support/given-link'
import { relation } from '../support/given-relationships'
import { recordingDb, scannedTables } from '../support/recording-db'
import { clock, context } from '../support/test-app'

const path = '/api/v1/timelines/link'

const author = () => given.account({ discoverable: true })

async function shown(query: string, viewer: TestAccount | null = null) {
  return idsOf(await as(viewer).get(`${path}?${query}`))
}

afterEach(() => saveSettings(context(), operator, defaultSettings))

describe('GET timelines/link', () => {
  it('shows public statuses with a link to a trending page, replies among them, newest first [T-601]', async () => {
    const [alice, bob, page] = [await author(), await author(), await trendingLink()]
    const remote = await given.remoteAccount({ discoverable: true })
    const ids = [
      await page.shared({ accountId: alice.id }),
      await page.shared({ accountId: remote.id, local: false }),
      await page.shared({ accountId: alice.id, inReplyToId: 1, inReplyToAccountId: bob.id }),
    ]
    const answer = await anonymous.get(`${path}?${page.query}`)
    expect(idsOf(answer)).toEqual(ids.toReversed().map(String))
    expect(answer.body).toMatchObject([{ card: { url: page.url } }, {}, {}])
    expect(answer.costs.trips).toBeLessThanOrEqual(1)
    expect(await shown(page.query, bob)).toEqual(ids.toReversed().map(String))
  })

  it('answers 404 for pages that are unknown, do not trend, or were rejected [T-602]', async () => {
    const alice = await author()
    const pages = [
      await trendingLink({ trends: false }),
      await trendingLink({ trendable: false }),
      await trendingLink({ trendable: null }),
    ]
    for (const page of pages) await page.shared({ accountId: alice.id })
    for (const query of [...pages.map((page) => page.query), 'url=https://unknown.test/', 'url=', '']) {
      const answer = await as(alice).get(`${path}?${query}`)
      expect([answer.status, answer.body], query).toEqual([404, { error: 'Record not found' }])
    }
  })

  it('shows public statuses only, however they came to be listed', async () => {
    const [alice, page] = [await author(), await trendingLink()]
    const follower = await given.account()
    await relation.follow(follower, alice)
    const open = await page.shared({ accountId: alice.id })
    const { db } = context()
    const [row] = await db.select().from(statusLinks)
    const listed = await db.select().from(statusLinks)
    const cardId = listed.find(({ statusId }) => statusId === open)?.cardId ?? row?.cardId ?? 0
    for (const visibility of ['unlisted', 'private', 'direct'] as const) {
      const statusId = await page.shared({ accountId: alice.id, visibility })
      await db.insert(statusLinks).values({ statusId, cardId, accountId: alice.id })
    }
    for (const viewer of [null, alice, follower])
      expect(await shown(page.query, viewer)).toEqual([String(open)])
  })

  it('leaves out authors who are not discoverable, limited, or suspended', async () => {
    const page = await trendingLink()
    const now = clock.now()
    for (const options of [
      { discoverable: false },
      { discoverable: true, silencedAt: now },
      { discoverable: true, suspendedAt: now },
    ])
      await page.shared({ accountId: (await given.account(options)).id })
    expect(await shown(page.query)).toEqual([])
    expect(await shown(page.query, await given.account())).toEqual([])
  })

  it('keeps local-only posts local, and applies blocks both ways, mutes, blocked domains and chosen languages', async () => {
    const page = await trendingLink()
    const viewer = await given.account({ user: { settings: { chosenLanguages: ['en'] } } })
    const [friend, blocked, muted, blocker] = [await author(), await author(), await author(), await author()]
    const far = await given.remoteAccount({ discoverable: true, domain: 'shunned-links.test' })
    await relation.block(viewer, blocked)
    await relation.mute(viewer, muted)
    await relation.block(blocker, viewer)
    await context()
      .db.insert(accountDomainBlocks)
      .values({ accountId: viewer.id, domain: far.domain, id: context().ids.next() })
    const kept = await page.shared({ accountId: friend.id, language: 'en' })
    const own = await page.shared({ accountId: friend.id, localOnly: true })
    const others = [
      await page.shared({ accountId: blocked.id }),
      await page.shared({ accountId: muted.id }),
      await page.shared({ accountId: blocker.id }),
      await page.shared({ accountId: far.id, local: false }),
      await page.shared({ accountId: friend.id, language: 'de' }),
    ]
    expect(await shown(page.query, viewer)).toEqual([own, kept].map(String))
    expect(await shown(page.query)).toEqual([...others.toReversed(), kept].map(String))
  })

  it('GET timelines/link has pages', async () => {
    const [alice, page] = [await author(), await trendingLink()]
    const ids: string[] = []
    for (let count = 0; count < 5; count += 1) ids.unshift(String(await page.shared({ accountId: alice.id })))
    const first = await anonymous.get(`${path}?${page.query}&limit=2`)
    expect(idsOf(first)).toEqual(ids.slice(0, 2))
    const second = await anonymous.get(first.links.next ?? '')
    expect(idsOf(second)).toEqual(ids.slice(2, 4))
    expect(idsOf(await anonymous.get(second.links.prev ?? ''))).toEqual(ids.slice(0, 2))
    expect(await shown(`${page.query}&since_id=${ids[1]}`)).toEqual([ids[0]])
    expect(await shown(`${page.query}&min_id=${ids[4]}&limit=1`)).toEqual([ids[3]])
  })

  it('GET timelines/link is closed like the timelines of hashtags', async () => {
    const [alice, page] = [await author(), await trendingLink()]
    const [near, far] = [
      await page.shared({ accountId: alice.id }),
      await page.shared({ accountId: (await given.remoteAccount({ discoverable: true })).id, local: false }),
    ]
    await saveSettings(context(), operator, { remoteTagAccess: 'authenticated' })
    expect(await anonymous.get(`${path}?${page.query}`)).toMatchObject({
      status: 422,
      body: { error: 'This method requires an authenticated user' },
    })
    expect(await shown(page.query, alice)).toEqual([far, near].map(String))
    await saveSettings(context(), operator, { remoteTagAccess: 'disabled' })
    expect(await shown(page.query, alice)).toEqual([String(near)])
  })

  it('finds everything by an index', async () => {
    const [alice, page] = [await author(), await trendingLink()]
    await page.shared({ accountId: alice.id })
    for (const more of ['', '&max_id=9007199254740991', '&min_id=1']) {
      const recording = recordingDb()
      await as(alice).get(`${path}?${page.query}${more}`, { overrides: { db: recording.db } })
      expect(recording.asked.length).toBeGreaterThan(1)
      for (const asked of recording.asked) {
        // Chosen languages are a JSON list in a single column.
        const tables = (await scannedTables(asked)).filter((table) => table !== 'choice')
        expect(tables, asked.text).toEqual([])
      }
    }
  })
})
