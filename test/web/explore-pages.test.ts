import { eq, sql } from 'drizzle-orm'
import { beforeEach, describe, expect, it } from 'vitest'
import { roles, statuses, termsOfService, trendingStatuses } from '../../src/db/schema'
import { scheduleTerms } from '../../src/domain/instance/terms'
import { operator } from '../../src/domain/policy/permissions'
import { Browser, textOf } from '../support/browser'
import { expectCosts } from '../support/expect-costs'
import { freshName, given, type TestAccount } from '../support/given'
import { domainLimit } from '../support/given-limit'
import { givenRole } from '../support/given-staff'
import { storedStatus } from '../support/given-stored'
import { linkedPage, trendsRefreshed, usedTag } from '../support/given-trends'
import { signedIn } from '../support/members'
import { saidIn } from '../support/read-feed'
import { withSettings } from '../support/settings'
import { statusPerVisibility } from '../support/status-per-visibility'
import { clock, context } from '../support/test-app'

const open = (path: string) => new Browser().get(path)
const { config } = context()
const closings = [
  { config: { ...config, requiresSignIn: true } },
  { config: { ...config, federation: { ...config.federation, limited: true } } },
]

// The pages list posts of all accounts: those of other tests would push out those made here.
beforeEach(async () => {
  const { db } = context()
  await db.update(statuses).set({ visibility: 'unlisted' }).where(sql`visibility = 'public'`)
  await db.delete(trendingStatuses)
})

/** Stores a status of `author` as trending, whatever it is. */
async function trendingStatus({ id: accountId }: TestAccount, row: object): Promise<void> {
  const statusId = await storedStatus({ accountId, language: 'en', ...row })
  const trend = { statusId, accountId, language: 'en', rank: 1e9, trendable: true }
  await context().db.insert(trendingStatuses).values(trend)
}

describe('the page of trends', () => {
  it('shows posts, hashtags and links, in one round trip, cacheable', async () => {
    await withSettings({ trends: true, trendableByDefault: true }, async () => {
      const [tag, link] = [await usedTag(6), await linkedPage(6)]
      await trendsRefreshed()
      await trendingStatus(await given.account({ discoverable: true }), { content: '<p>said-openly</p>' })
      const page = await open('/explore')
      expect(saidIn(page)).toEqual(['said-openly'])
      expect(page.html).toContain(`href="https://fieldfare.test/tags/${tag}"`)
      expect(page.html).toContain(`href="${link}"`)
      expectCosts(page.costs, { trips: 1, rowsWritten: 0 })
      expect(page.headers.get('cache-control')).toBe('public, max-age=60')
      expect(page.html).toContain('<meta name="robots" content="noindex"/>')
    })
  })

  it('shows only public data, whatever became of it since', async () => {
    const alice = await given.account({ discoverable: true })
    for (const row of [{ visibility: 'private' }, { visibility: 'direct' }])
      await trendingStatus(alice, { content: '<p>said-in-secret</p>', ...row })
    await trendingStatus(alice, { content: '<p>said-to-members</p>', localOnly: true })
    for (const standing of [{ suspendedAt: clock.now() }, { silencedAt: clock.now() }]) {
      const author = await given.account({ discoverable: true, ...standing })
      await trendingStatus(author, { content: '<p>said-by-outcasts</p>' })
    }
    const { browser } = await signedIn()
    expect(saidIn(await open('/explore'))).toEqual([])
    expect(saidIn(await browser.get('/explore'))).toEqual(['said-to-members'])
  })

  it('answers 404 without trends, and redirects visitors to sign-in where that is required', async () => {
    await withSettings({ trends: false }, async () => {
      expect((await open('/explore')).status).toBe(404)
    })
    for (const closed of closings)
      expect((await new Browser(closed).get('/explore')).location).toBe('/auth/sign_in?return_to=%2Fexplore')
  })
})

describe('the page of posts from all servers', () => {
  it('shows public local and remote posts and nothing else, in one round trip', async () => {
    const remote = await given.remoteAccount()
    await statusPerVisibility(await given.account(), freshName('bird'))
    await storedStatus({ accountId: remote.id, content: '<p>said-there</p>', local: false })
    await storedStatus({
      accountId: remote.id,
      content: '<p>said-to-followers</p>',
      local: false,
      visibility: 'private',
    })
    const page = await open('/public')
    expect(saidIn(page)).toEqual(['said-there', 'said-to-oneself', 'said-again', 'said-openly'])
    expectCosts(page.costs, { trips: 1, rowsWritten: 0 })
  })

  it.each(['localFeedAccess', 'remoteFeedAccess'] as const)(
    'the page of posts from all servers is open to the audience that the operator chose: %s',
    async (name) => {
      await storedStatus({
        accountId: (await given.remoteAccount()).id,
        content: '<p>said-there</p>',
        local: false,
      })
      const { browser } = await signedIn()
      await withSettings({ [name]: 'authenticated' }, async () => {
        expect((await open('/public')).location).toBe('/auth/sign_in?return_to=%2Fpublic')
        expect(saidIn(await browser.get('/public'))).toEqual(['said-there'])
      })
      await withSettings({ [name]: 'disabled' }, async () => {
        expect((await browser.get('/public')).status).toBe(404)
      })
    },
  )

  it('the page of posts from all servers is for members where sign-in is required', async () => {
    for (const closed of closings)
      expect((await new Browser(closed).get('/public')).location).toBe('/auth/sign_in?return_to=%2Fpublic')
  })
})

describe('links between the pages for visitors', () => {
  const tabsOf = async () => {
    const { html } = await open('/directory')
    const [, tabs = ''] = /<nav class="tabs"[^>]*>(.*?)<\/nav>/s.exec(html) ?? []
    return [...tabs.matchAll(/href="([^"]+)"/g)].map(([, path]) => path)
  }

  it('links between the pages for visitors link pages that the operator opens to the visitor', async () => {
    expect(await tabsOf()).toEqual(['/explore', '/public/local', '/public', '/directory'])
    await withSettings({ trends: false, remoteFeedAccess: 'authenticated' }, async () => {
      expect(await tabsOf()).toEqual(['/public/local', '/directory'])
    })
  })
})

describe('the page about the server', () => {
  it('names the contact, the limits and apps, in one round trip', async () => {
    const alice = await given.account()
    await withSettings({ contactUsername: alice.username, extendedDescription: 'A **hedge**.' }, async () => {
      const page = await open('/about')
      for (const words of [`@${alice.username}`, '<strong>hedge</strong>', '500 characters', 'phanpy.social'])
        expect(page.html).toContain(words)
      expectCosts(page.costs, { trips: 1, rowsWritten: 0 })
    })
  })

  it.each([
    ['all', 'all', [true, true], [true, true]],
    ['all', 'users', [true, false], [true, true]],
    ['users', 'users', [false, false], [true, true]],
    ['nobody', 'all', [false, false], [false, false]],
  ] as const)(
    'lists limited servers for %s and reasons for %s',
    async (domainBlocksShownTo, domainBlockReasonsShownTo, visitors, members) => {
      const domain = `${freshName('spam')}.test`
      const reason = freshName('reason')
      await domainLimit(domain, 'suspend', { publicComment: reason, privateComment: 'between-us' })
      const { browser } = await signedIn()
      await withSettings({ domainBlocksShownTo, domainBlockReasonsShownTo }, async () => {
        const seen = async (of: Browser) => {
          const { html } = await of.get('/about')
          expect(html).not.toContain('between-us')
          return [html.includes(domain), html.includes(reason)]
        }
        expect(await seen(new Browser())).toEqual(visitors)
        expect(await seen(browser)).toEqual(members)
      })
    },
  )

  it('lists apps by device, in one round trip, linked from the shorter list', async () => {
    const page = await open('/about/apps')
    for (const words of ['iPhone and iPad', 'Windows', 'https://tusky.app/', 'instance=fieldfare.test'])
      expect(page.html).toContain(words)
    expectCosts(page.costs, { trips: 1, rowsWritten: 0 })
    const { browser } = await signedIn()
    for (const html of [
      (await open('/')).html,
      (await open('/about')).html,
      (await browser.get('/start')).html,
    ]) {
      expect(html).toContain('iPhone and iPad, Android')
      expect(html).toContain('href="/about/apps"')
    }
  })

  it('names staff whose role is a badge, and no hidden accounts', async () => {
    const { db } = context()
    const roleOf = (highlighted: boolean, permissions: readonly ['manageReports'] | readonly []) =>
      givenRole({ highlighted, permissions })
    const badge = await roleOf(true, ['manageReports'])
    const named = async (roleId: number, row: object = {}, user: object = {}) => {
      const { username } = await given.account({ ...row, user: { roleId, ...user } })
      return `/@${username}"`
    }
    const shown = [await named(badge), await named(badge)]
    const now = clock.now()
    const hidden = [
      await named(badge, { suspendedAt: now }),
      await named(badge, { silencedAt: now }),
      await named(badge, {}, { disabledAt: now }),
      await named(badge, {}, { confirmedAt: null }),
      await named(badge, {}, { approved: false }),
      await named(badge, { movedToAccountId: (await given.account()).id }),
      await named(await roleOf(false, ['manageReports'])),
      await named(await roleOf(true, [])),
    ]
    const page = await open('/about')
    const { name } = (await db.select().from(roles).where(eq(roles.id, badge)))[0] ?? {}
    expect(textOf(page.html)).toContain(name)
    expect(shown.filter((address) => !page.html.includes(address))).toEqual([])
    expect(hidden.filter((address) => page.html.includes(address))).toEqual([])
    expectCosts(page.costs, { trips: 1, rowsWritten: 0 })
  })

  it('hides the name of a server that moderators obfuscated', async () => {
    const domain = `${freshName('hidden')}.test`
    await domainLimit(domain, 'silence', { obfuscate: true })
    await withSettings({ domainBlocksShownTo: 'all' }, async () => {
      const { html } = await open('/about')
      expect(html).not.toContain(domain)
      expect(textOf(html)).toContain('*')
    })
  })

  it('links the versions of the terms by their effective date', async () => {
    const { db } = context()
    const effectiveOn = new Date(clock.now().getTime() + 30 * 86_400_000).toISOString().slice(0, 10)
    await scheduleTerms(context(), operator, { text: 'Be kind.', changelog: '', effectiveOn, notify: false })
    await withSettings({ termsOfService: 'Be kind.' }, async () => {
      const { html } = await open('/about')
      expect(html).toContain(`href="/terms-of-service/${effectiveOn}"`)
      expect(textOf(html)).toContain('Terms of service that apply from')
    })
    await db.delete(termsOfService)
  })
})

describe('pages for visitors', () => {
  const languages = { de: 'Beiträge', fr: 'Messages', es: 'Publicaciones', ja: '投稿', ar: 'المنشورات' }

  it.each(Object.entries(languages))(
    'shows pages for visitors in the language %s of the browser',
    async (language, word) => {
      const alice = await given.account()
      const page = await new Browser().get(`/@${alice.username}`, {
        headers: { 'accept-language': language },
      })
      expect(page.html).toContain(`<html lang="${language}"`)
      expect(textOf(page.html)).toContain(word)
    },
  )
})
