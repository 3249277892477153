import { describe, expect, it } from 'vitest'
import { Browser, textOf } from '../support/browser'
import { given } from '../support/given'
import { storedStatus } from '../support/given-stored'
import { signedIn } from '../support/members'

const origin = 'https://fieldfare.test'
const signInFor = (path: string) => `/auth/sign_in?${new URLSearchParams({ return_to: path })}`
const lead = async (path: string, browser = new Browser()) => (await browser.get(path)).location

describe('the share address', () => {
  const query = new URLSearchParams({ title: 'Wrens', text: 'A song & more', url: 'https://a.test/?b=c' })
  const path = `/share?${query}`

  it('leads to the composer with its text, after sign-in for visitors', async () => {
    const { browser } = await signedIn()
    expect(await lead(path)).toBe(path.replace('/share', '/publish'))
    expect(await lead(path.replace('/share', '/publish'))).toBe(signInFor(path.replace('/share', '/publish')))
    const { html } = await browser.get(path.replace('/share', '/publish'))
    expect(html).toContain('Wrens A song &amp; more https://a.test/?b=c</textarea>')
  })

  it('old addresses for a new post redirect to it', async () => {
    const { browser } = await signedIn()
    expect((await browser.get('/publish')).html).toContain('action="/publish"')
    expect(await lead('/web/statuses/new', browser)).toBe('/statuses/new')
    expect(await lead('/statuses/new', browser)).toBe('/share')
    const intent = new URLSearchParams({ uri: 'web+mastodon://share?text=A%20wren' })
    expect(await lead(`/intent?${intent}`, browser)).toBe('/share?text=A+wren')
  })
})

describe('addresses of Mastodon’s web app', () => {
  it('addresses of Mastodon’s web app redirect visitors to sign-in and members to the list of apps, for pages only apps have', async () => {
    const { browser } = await signedIn()
    for (const path of ['/getting-started']) {
      expect(await lead(path)).toBe(signInFor(path))
      expect(await lead(path, browser)).toBe('/about/apps')
    }
  })

  it('addresses of Mastodon’s web app redirect to the corresponding page', async () => {
    const { browser } = await signedIn()
    for (const [path, target] of [
      ['/followed_tags', '/settings/followed_tags'],
      ['/mutes', '/settings/blocks'],
      ['/timelines/public/local', '/public/local'],
      ['/timelines/tag/wren', '/tags/wren'],
    ] as const)
      expect([path, await lead(path, browser)]).toEqual([path, target])
  })

  it.each(['/web', '/deck'])(
    'addresses of Mastodon’s web app work the same under %s, and none redirects to another site',
    async (prefix) => {
      const alice = await given.account()
      for (const path of ['/home', `/@${alice.username}`, '/tags/wren?max_id=1'])
        expect(await lead(prefix + path)).toBe(path)
      for (const path of ['', '/', '//evil.test/x', '/%09/evil.test', '/\\evil.test'])
        expect((await lead(prefix + path))?.replace(/^\/%09\/evil\.test$/, '/home')).toBe('/home')
    },
  )

  it('addresses of Mastodon’s web app redirect from an id to the page of an account or a public post', async () => {
    const alice = await given.account()
    const id = await storedStatus({ accountId: alice.id })
    expect(await lead(`/accounts/${alice.id}`)).toBe(`/@${alice.username}`)
    expect(await lead(`/statuses/${id}`)).toBe(`/@${alice.username}/${id}`)
  })

  it('addresses of Mastodon’s web app reveal nothing of missing and non-public posts', async () => {
    const alice = await given.account()
    const hidden = await Promise.all([
      storedStatus({ accountId: alice.id, visibility: 'private' }),
      storedStatus({ accountId: alice.id, visibility: 'direct' }),
      storedStatus({ accountId: alice.id, localOnly: true }),
    ])
    const missing = await new Browser().get('/statuses/1')
    for (const path of [...hidden.map((id) => `/statuses/${id}`), '/accounts/1', '/accounts/999999']) {
      const { status, location, html } = await new Browser().get(path)
      expect([path, status, location, textOf(html)]).toEqual([path, 404, null, textOf(missing.html)])
    }
  })

  it('addresses of Mastodon’s web app name the server of a remote account or post before redirecting there', async () => {
    const remote = await given.remoteAccount({ domain: 'lure.test' })
    const url = 'https://lure.test/@bait/1'
    const id = await storedStatus({ accountId: remote.id, local: false, url })
    const handle = `@${remote.username}@lure.test`
    for (const path of [`/${handle}/${id}`, `/statuses/${id}`]) {
      const page = await new Browser().get(path)
      expect([page.status, page.location]).toEqual([200, null])
      expect(page.html).toContain(`<a href="${url}" rel="nofollow noopener noreferrer">`)
    }
    for (const path of [`/${handle}`, `/accounts/${remote.id}`])
      expect((await new Browser().get(path)).html).toContain(
        `<a href="https://lure.test/@${remote.username}"`,
      )
    expect((await new Browser().get(`/@other@lure.test/${id}`)).status).toBe(404)
  })

  it('addresses with the scheme web+mastodon open an account to follow, and nothing else', async () => {
    const intent = (uri: string) => `/intent?${new URLSearchParams({ uri })}`
    const follow = await lead(intent('web+mastodon://follow?uri=acct:ada@a.test'))
    expect(new URL(follow ?? '', origin).searchParams.get('uri')).toBe('ada@a.test')
    for (const uri of ['https://evil.test/', 'web+mastodon://other', 'nonsense'])
      expect((await new Browser().get(intent(uri))).status).toBe(404)
  })
})
