import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { adminPages } from '../../src/web/pages/admin'
import { settingsPages } from '../../src/web/pages/settings'
import { as } from '../support/as'
import { Browser } from '../support/browser'
import { everyReadPath } from '../support/every-endpoint'
import { freshName } from '../support/given'
import { relation } from '../support/given-relationships'
import { scheduledStatus } from '../support/given-scheduled'
import { feeds, fromHere, remember, samples, sceneOf, told } from '../support/leak-scenes'
import { givenMember, password, signedIn } from '../support/members'
import { callFromPage } from '../support/page-calls'

/**
 * One browser is signed in to two accounts. The first may see a post for followers and has things of its own whose words
 * contain the same secret; the second may see none of it.
 */
async function scene() {
  const secret = freshName('capercaillie')
  const hidden = await sceneOf({ row: { visibility: 'private' } }, secret)
  const { member: first, browser } = await signedIn()
  await relation.follow(first, hidden.author)
  const second = await givenMember()
  for (const one of [first, second]) await remember(one, hidden)
  await ownThings(first, hidden.author.id, secret)
  await browser.fill('/auth/sign_in?add=1', { username: second.username, password })
  const switchTo = ({ username }: { readonly username: string }) =>
    browser.fill('/accounts', { account: username }, { action: '/accounts/switch' })
  return { secret, hidden, first, second, browser, switchTo }
}

/** A list, a filter, a note, an own direct post, a scheduled post and a display name that contain a text. */
async function ownThings(member: Awaited<ReturnType<typeof givenMember>>, otherId: number, text: string) {
  const api = as(member)
  const answers = [
    await api.post('/api/v1/lists', { title: text }),
    await api.post('/api/v2/filters', { title: text, context: ['home'] }),
    await api.post(`/api/v1/accounts/${otherId}/note`, { comment: text }),
    await api.post('/api/v1/statuses', { status: text, visibility: 'direct' }),
  ]
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200])
  await scheduledStatus(member, { text })
}

const settingsPaths = [...settingsPages, ...adminPages].flatMap(({ routes }) =>
  routes.map(({ path }) => path).filter((path) => !path.includes(':')),
)

describe('two accounts in one browser', () => {
  it('no page shows the account that is active anything of the other', async () => {
    const { secret, hidden, first, second, browser, switchTo } = await scene()
    const paths = [...Object.values(samples).flatMap((sample) => sample(hidden)), ...feeds(hidden)]
    const all = [
      ...new Set([...paths, ...settingsPaths, '/lists', '/drafts', '/menu', '/accounts', '/columns']),
    ]
    const shown = async () => {
      const found: string[] = []
      for (const path of all)
        if (told(path, await browser.get(path, fromHere), hidden, secret)) found.push(path)
      return found
    }
    expect(await shown()).toEqual([])
    await switchTo(first)
    const ofFirst = await shown()
    expect(ofFirst).toEqual(
      expect.arrayContaining(['/home', '/lists', '/settings/filters', '/settings/scheduled', '/bookmarks']),
    )
    await switchTo(second)
    expect(await shown()).toEqual([])
  })

  it('pages of the active account are those it gets in a browser of its own', async () => {
    const { hidden, second, browser } = await scene()
    const alone = new Browser()
    await alone.signIn(second.username, password)
    const paths = Object.values(samples).flatMap((sample) => sample(hidden))
    const different: string[] = []
    for (const path of paths) {
      const [one, other] = [await browser.get(path, fromHere), await alone.get(path, fromHere)]
      if (one.status !== other.status || plain(one.html) !== plain(other.html)) different.push(path)
    }
    expect(different).toEqual([])
  })

  it('no call of the API answers the active account with anything of the other', async () => {
    const { secret, hidden, first, second, browser, switchTo } = await scene()
    const { body } = await as(first).get('/api/v1/lists')
    const listIds = z
      .array(z.object({ id: z.string() }))
      .parse(body)
      .map(({ id }) => id)
    const targets = {
      statuses: [hidden.hidden, hidden.quoting, hidden.reblog],
      accounts: [hidden.author.id, first.id],
      scheduled: [],
      polls: [],
      media: [],
      notifications: hidden.held,
      tag: hidden.tag,
      lists: listIds,
      words: [secret],
    }
    const paths = everyReadPath(targets, second)
    expect(paths.length).toBeGreaterThan(100)
    const told = async () => {
      const found: string[] = []
      for (const path of paths) {
        const { body, headers } = await callFromPage(browser, 'GET', path)
        if (JSON.stringify(body).includes(secret) && !path.includes(secret)) found.push(path)
        if (path.startsWith('/api/') && headers.get('cache-control') !== 'private, no-store')
          found.push(`kept: ${path}`)
      }
      return found
    }
    expect(await told()).toEqual([])
    await switchTo(first)
    expect(await told()).toEqual(expect.arrayContaining(['/api/v1/lists', '/api/v1/timelines/home']))
    await switchTo(second)
    expect(await told()).toEqual([])
  })

  it('a page that one account has kept is not said to be unchanged to the other', async () => {
    const { browser, first, second, switchTo } = await scene()
    await switchTo(first)
    const { headers } = await browser.get('/home', fromHere)
    expect(headers.get('cache-control')).toContain('no-store')
    await switchTo(second)
    const etag = headers.get('etag') ?? '*'
    const answer = await browser.get('/home', { headers: { ...fromHere.headers, 'if-none-match': etag } })
    expect(answer.status).toBe(200)
  })
})

/**
 * A page without what is made anew for each answer, and without what several accounts add: the link to them, and forms
 * that the browser does not fill in.
 */
function plain(html: string): string {
  return html
    .replaceAll(/nonce="[^"]*"/g, '')
    .replaceAll(/name="(csrf_token|key)" value="[^"]*"/g, '')
    .replaceAll(/data-client="[^"]*"/g, '')
    .replaceAll(' autocomplete="off"', '')
    .replace(/<a class="item" href="\/accounts">.*?<\/a>/s, '')
}
