import { describe, expect, it } from 'vitest'
import { rateWindows } from '../../src/ports/rate-limits'
import { Browser, type Page, textOf } from '../support/browser'
import { fediverse } from '../support/fediverse'
import { freshName, given } from '../support/given'
import { storedStatus } from '../support/given-stored'
import { signedIn } from '../support/members'
import { clock } from '../support/test-app'

const origin = 'https://fieldfare.test'
const subscribe = 'http://ostatus.org/schema/1.0/subscribe'
const { network } = fediverse

/** A server that answers WebFinger for `wren` with one template. */
const serverWith = (template: unknown) => serverOffering([{ rel: subscribe, template }])

const self = { rel: 'self', type: 'application/activity+json', href: 'https://web.example/users/wren' }

/** A server that answers WebFinger for `wren`, or for itself, with these links. */
function serverOffering(links: readonly unknown[], resource = 'acct:wren@'): string {
  const host = `${freshName('far')}.test`.toLowerCase()
  const body = JSON.stringify({ subject: `acct:wren@${host}`, links: [self, ...links] })
  network.serveHost(host, ({ url }) =>
    url.includes(`resource=${encodeURIComponent(resource)}`)
      ? new Response(body, { headers: { 'content-type': 'application/jrd+json' } })
      : new Response('', { status: 404 }),
  )
  return host
}

const uriOf = ({ username }: { readonly username: string }) => `${origin}/users/${username}`
const followPath = ({ username }: { readonly username: string }) => `/users/${username}/remote_follow`
const authorize = (uri: string, type?: string) =>
  `/authorize_interaction?${new URLSearchParams({ uri, ...(type === undefined ? {} : { type }) })}`
const signIn = (path: string) => `/auth/sign_in?${new URLSearchParams({ return_to: path })}`
const problem = (page: Page) => textOf(/class="error[^>]*>(.*?)<\/p>/s.exec(page.html)?.[1] ?? '')

describe('the page that redirects to the visitor’s server', () => {
  it('opens the account at the page that their server names', async () => {
    const alice = await given.account()
    const host = serverWith('https://web.example/authorize_interaction?uri={uri}')
    const page = await new Browser().fill(followPath(alice), { handle: `@wren@${host}` })
    expect([page.status, page.location]).toEqual([
      303,
      `https://web.example/authorize_interaction?uri=${encodeURIComponent(uriOf(alice))}`,
    ])
  })

  it.each(['reply', 'reblog', 'favourite'])('opens a post to %s', async (type) => {
    const alice = await given.account()
    const id = await storedStatus({ accountId: alice.id })
    const host = serverWith(`https://web.example/open?uri={uri}`)
    const path = `/interact/${id}`
    const shown = await new Browser().get(`${path}?type=${type}`)
    expect([shown.status, shown.headers.get('cache-control')]).toEqual([200, 'private, no-store'])
    const page = await new Browser().fill(
      `${path}?type=${type}`,
      { handle: `wren@${host}` },
      {
        action: `${path}?type=${type}`,
      },
    )
    const uri = `${uriOf(alice)}/statuses/${id}`
    expect(page.location).toBe(`https://web.example/open?uri=${encodeURIComponent(uri)}`)
  })

  it.each([
    ['the address of a server', 'elk.example', 'https://elk.example/authorize_interaction'],
    ['the address of a page', 'https://elk.example/', 'https://elk.example/authorize_interaction'],
  ])('the page that redirects to the visitor’s server accepts %s', async (_, handle, target) => {
    const alice = await given.account()
    const page = await new Browser().fill(followPath(alice), { handle })
    expect(page.location).toBe(`${target}?${new URLSearchParams({ uri: uriOf(alice) })}`)
  })

  it('reads the handle from the address of a profile', async () => {
    const alice = await given.account()
    const host = serverWith('https://web.example/x?uri={uri}')
    const page = await new Browser().fill(followPath(alice), { handle: `https://${host}/@wren` })
    expect(page.location).toMatch(/^https:\/\/web\.example\/x\?uri=/)
  })

  it('asks local members to sign in, and redirects signed-in ones at once', async () => {
    const alice = await given.account()
    const id = await storedStatus({ accountId: alice.id })
    const own = await new Browser().fill(followPath(alice), { handle: 'somebody@fieldfare.test' })
    expect(own.location).toBe(signIn(authorize(uriOf(alice), 'follow')))
    const { browser } = await signedIn()
    expect((await browser.get(followPath(alice))).location).toBe(authorize(uriOf(alice), 'follow'))
    const uri = `${uriOf(alice)}/statuses/${id}`
    expect((await browser.get(`/interact/${id}?type=reblog`)).location).toBe(authorize(uri, 'reblog'))
  })

  it.each([
    ['nothing', ''],
    ['a name alone', 'wren'],
    ['words', 'my server please'],
    ['a script', 'javascript:alert(1)'],
    ['a strange handle', 'wren@far/../etc'],
    ['no host', 'https://@wren'],
  ])('refuses %s, and keeps it in the field', async (_, handle) => {
    const alice = await given.account()
    const page = await new Browser().fill(followPath(alice), { handle })
    expect([page.status, page.location]).toEqual([422, null])
    expect(problem(page)).toContain('Write your handle with its server')
    expect(page.html).toContain(`value="${handle}"`)
  })

  it.each([
    ['no template', null],
    ['one without a place for the address', 'https://web.example/open'],
    ['one over plain HTTP', 'http://web.example/?uri={uri}'],
    ['a script', 'javascript:alert("{uri}")'],
    ['one whose host the address would choose', 'https://{uri}/'],
    ['one whose host the address would end', 'https://web.example{uri}'],
    ['one with a password', 'https://me:secret@web.example/?uri={uri}'],
    ['one of many characters', `https://web.example/${'x'.repeat(3_000)}?uri={uri}`],
    ['something else', { uri: '{uri}' }],
  ])('redirects nowhere when a server offers %s', async (_, template) => {
    const alice = await given.account()
    const page = await new Browser().fill(followPath(alice), { handle: `wren@${serverWith(template)}` })
    expect([page.status, page.location]).toEqual([422, null])
    expect(problem(page)).toContain('does not know this account')
  })

  it('shows an error when a server does not answer', async () => {
    const alice = await given.account()
    const host = serverWith('https://web.example/?uri={uri}')
    network.fail(`https://${host}/`, { status: 503 })
    const page = await new Browser().fill(followPath(alice), { handle: `wren@${host}` })
    expect([page.status, problem(page).includes('cannot be reached')]).toEqual([422, true])
  })

  it.each([
    'wren@127.0.0.1',
    'wren@localhost',
    'wren@10.0.0.7:8080',
    'wren@server.internal',
    'wren@2130706433',
  ])('sends no request to %s', async (handle) => {
    const alice = await given.account()
    const mark = network.mark()
    const page = await new Browser().fill(followPath(alice), { handle })
    expect([page.status, page.location]).toEqual([422, null])
    expect(network.since(mark)).toEqual([])
  })

  it('looks up handles for its own form only, with a limit per address', async () => {
    const alice = await given.account()
    const host = serverWith('https://web.example/?uri={uri}')
    const foreign = await new Browser().post(followPath(alice), { handle: `wren@${host}` })
    expect(foreign.status).toBe(422)
    expect(network.requests(`https://${host}/`)).toEqual([])
    const browser = new Browser()
    clock.advance(600_000)
    const answers: number[] = []
    for (let index = 0; index <= rateWindows.remoteInteractions.limit; index += 1)
      answers.push((await browser.fill(followPath(alice), { handle: '' })).status)
    expect([...new Set(answers)]).toEqual([422, 429])
    expect(answers.indexOf(429)).toBe(rateWindows.remoteInteractions.limit)
  })
})

describe('activity intents of the visitor’s server', () => {
  const rel = (type: string) => `https://w3id.org/fep/3b86/${type}`
  /** Links of Mastodon 4.6. */
  const mastodon = (host = 'web.example') => [
    { rel: subscribe, template: `https://${host}/authorize_interaction?uri={uri}` },
    { rel: rel('Create'), template: `https://${host}/share?text={content}` },
    { rel: rel('Object'), template: `https://${host}/authorize_interaction?uri={object}` },
  ]
  /** Every intent of the specification that is of use here, with its optional parameters. */
  const complete = ['Follow', 'Announce', 'Like', 'Object'].map((type) => ({
    rel: rel(type),
    template: `https://web.example/intents/${type}?id={object}&then={on-success}&back={on-cancel}`,
  }))

  async function locationFor(links: readonly unknown[], type: string): Promise<string | null> {
    const alice = await given.account()
    const id = await storedStatus({ accountId: alice.id })
    const path = type === 'follow' ? followPath(alice) : `/interact/${id}?type=${type}`
    const page = await new Browser().fill(path, { handle: `wren@${serverOffering(links)}` }, { action: path })
    const uri = type === 'follow' ? uriOf(alice) : `${uriOf(alice)}/statuses/${id}`
    return page.location?.replace(encodeURIComponent(uri), 'URI') ?? null
  }

  it.each([
    ['follow', 'Follow'],
    ['reply', 'Object'],
    ['reblog', 'Announce'],
    ['favourite', 'Like'],
  ])('activity intents of the visitor’s server redirect to the page to %s', async (type, intent) => {
    const [ostatus] = mastodon()
    expect(await locationFor([ostatus, ...complete], type)).toBe(
      `https://web.example/intents/${intent}?id=URI&then=&back=`,
    )
  })

  it.each(['follow', 'reply', 'reblog', 'favourite'])(
    'activity intents of the visitor’s server redirect to the page for any object where there is none to %s',
    async (type) => {
      const [, , object] = mastodon('objects.example')
      const [ostatus] = mastodon('ostatus.example')
      expect(await locationFor([ostatus, object], type)).toBe(
        'https://objects.example/authorize_interaction?uri=URI',
      )
      expect(await locationFor([ostatus], type)).toBe('https://ostatus.example/authorize_interaction?uri=URI')
    },
  )

  it.each([
    ['without a place for the object', 'https://web.example/open'],
    ['with the placeholder of OStatus alone', 'https://web.example/open?uri={uri}'],
    ['over plain HTTP', 'http://web.example/?id={object}'],
    ['that is a script', 'javascript:alert("{object}")'],
    ['that is a document', 'data:text/html,{object}'],
    ['whose host the object would choose', 'https://{object}/'],
    ['whose host another value would choose', 'https://{name}web.example/?id={object}'],
    ['whose host the object would end', 'https://web.example{object}'],
    ['whose host is behind a placeholder', 'https://web.example{name}@evil.example/?id={object}'],
    ['whose host a placeholder parts', 'https://web{name}.example/?id={object}'],
    ['with a password', 'https://me:secret@web.example/?id={object}'],
    ['with a user name', 'https://me@web.example/?id={object}'],
    ['with a backslash for a slash', 'https://web.example\\@evil.example/?id={object}'],
    ['with braces that match nothing', 'https://web.example/?id={object}&x={{name}'],
    ['by an operator of RFC 6570', 'https://web.example/{?object}'],
    ['of many characters', `https://web.example/${'x'.repeat(3_000)}?id={object}`],
    ['that is no text', { object: '{object}' }],
  ])('activity intents are skipped for the next link %s', async (_, template) => {
    const [ostatus] = mastodon('ostatus.example')
    const links = [{ rel: rel('Follow'), template }, { rel: rel('Object'), template }, null, 7, ostatus]
    expect(await locationFor(links, 'follow')).toBe('https://ostatus.example/authorize_interaction?uri=URI')
  })

  it('encode values in every place, and leave unknown ones empty', async () => {
    const alice = await given.account()
    const template = 'https://web.example/{object}/?a={object}&b={constructor}&c={__proto__}#{object}'
    const host = serverOffering([{ rel: rel('Follow'), template }])
    const page = await new Browser().fill(followPath(alice), { handle: `wren@${host}` })
    const uri = `https%3A%2F%2Ffieldfare.test%2Fusers%2F${alice.username}`
    expect(page.location).toBe(`https://web.example/${uri}/?a=${uri}&b=&c=#${uri}`)
  })

  it('activity intents are fetched from a server named by its address alone', async () => {
    const alice = await given.account()
    const host = serverOffering(complete, 'https://')
    const page = await new Browser().fill(followPath(alice), { handle: host })
    expect(page.location).toBe(
      `https://web.example/intents/Follow?id=${encodeURIComponent(uriOf(alice))}&then=&back=`,
    )
    expect(network.requests(`https://${host}/`).map(({ url }) => url)).toEqual([
      `https://${host}/.well-known/webfinger?resource=${encodeURIComponent(`https://${host}`)}`,
    ])
  })
})

describe('the page that redirects to the visitor’s server', () => {
  it.each([{ visibility: 'private' }, { visibility: 'direct' }, { localOnly: true }] as const)(
    'reveals nothing of a post that is %j, not even to its author',
    async (row) => {
      const { member, browser } = await signedIn()
      const id = await storedStatus({ accountId: member.id, ...row })
      for (const visitor of [new Browser(), browser])
        expect((await visitor.get(`/interact/${id}?type=reply`)).status).toBe(404)
    },
  )

  it('reveals nothing of suspended, unconfirmed and unknown accounts', async () => {
    const gone = await given.account({ suspendedAt: clock.now(), displayName: 'Forgotten' })
    const waiting = await given.account({ user: { confirmedAt: null } })
    const id = await storedStatus({ accountId: gone.id })
    const page = await new Browser().get(followPath(gone))
    expect([page.status, page.html.includes('Forgotten')]).toEqual([410, false])
    for (const path of [followPath(waiting), '/users/nobody-of-that-name/remote_follow', `/interact/${id}`])
      expect((await new Browser().get(path)).status).toBe(404)
  })
})
