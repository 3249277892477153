import { describe, expect, it } from 'vitest'
import { Relationship } from '../../src/contract/entities/account'
import { Status } from '../../src/contract/entities/status'
import { as } from '../support/as'
import { type Browser, textOf } from '../support/browser'
import { given, type TestAccount } from '../support/given'
import { relation } from '../support/given-relationships'
import { storedStatus } from '../support/given-stored'
import { signedIn } from '../support/members'

const origin = 'https://fieldfare.test'
const base = '/authorize_interaction'
const page = (uri: string) => `${base}?${new URLSearchParams({ uri })}`
const uriOf = ({ username }: TestAccount) => `${origin}/users/${username}`
const statusUri = (author: TestAccount, id: number) => `${uriOf(author)}/statuses/${id}`

/** Sends one of the forms of the page, as people do. */
function act(browser: Browser, form: string, uri: string, fields: Readonly<Record<string, string>> = {}) {
  const action = `${base}/${form}?${new URLSearchParams({ uri })}`
  return browser.fill(page(uri), fields, { action })
}

async function relationship(viewer: TestAccount, id: number) {
  const { body } = await as(viewer).get(`/api/v1/accounts/relationships?id[]=${id}`)
  return Relationship.array().parse(body)[0]
}

const statusFor = async (viewer: TestAccount, id: number | string) =>
  Status.parse((await as(viewer).get(`/api/v1/statuses/${id}`)).body)

describe('opening an address as a member', () => {
  it('follows a remote account, and confirms it', async () => {
    const { member, browser } = await signedIn()
    const peer = await given.peer()
    const shown = await browser.get(page(peer.at.uri))
    expect(textOf(shown.html)).toContain(`@${peer.username}@${peer.host}`)
    const answer = await act(browser, 'follow', peer.at.uri)
    expect(answer.location).toBe(`${page(peer.at.uri)}&done=followed`)
    const after = await browser.get(answer.location ?? '')
    expect(textOf(after.html)).toContain('You have asked to follow this account.')
    expect(after.html).not.toContain(`action="${base}/follow`)
    const id = /name="id" value="(\d+)"/.exec(shown.html)?.[1] ?? ''
    expect((await relationship(member, Number(id)))?.requested).toBe(true)
  })

  it('follows by handle, with and without acct:, also local accounts', async () => {
    const { member, browser } = await signedIn()
    const peer = await given.peer()
    for (const handle of [`@${peer.username}@${peer.host}`, `acct:${peer.username}@${peer.host}`])
      expect((await browser.get(page(handle))).html).toContain(`action="${base}/follow`)
    const alice = await given.account()
    expect((await act(browser, 'follow', uriOf(alice))).status).toBe(303)
    expect((await relationship(member, alice.id))?.following).toBe(true)
    expect(textOf((await browser.get(page(uriOf(member)))).html)).toContain('This is you.')
  })

  it('boosts, favourites and answers a post', async () => {
    const { member, browser } = await signedIn()
    const alice = await given.account()
    const id = await storedStatus({ accountId: alice.id, content: '<p>said-openly</p>' })
    const uri = statusUri(alice, id)
    expect((await browser.get(page(uri))).html).toContain('said-openly')
    for (const form of ['reblog', 'favourite']) expect((await act(browser, form, uri)).status).toBe(303)
    const text = `@${alice.username} so it is`
    expect((await act(browser, 'reply', uri, { text })).location).toContain('done=replied')
    const status = await statusFor(member, id)
    expect(status).toMatchObject({ reblogged: true, favourited: true, replies_count: 1 })
    const { html } = await browser.get(page(uri))
    for (const form of ['reblog', 'favourite']) expect(html).not.toContain(`action="${base}/${form}`)
  })

  it('a reply is no more visible than its parent', async () => {
    const { member, browser } = await signedIn()
    const alice = await given.account()
    await relation.follow(member, alice)
    const id = await storedStatus({ accountId: alice.id, visibility: 'private' })
    await act(browser, 'reply', statusUri(alice, id), { text: `@${alice.username} hush` })
    const { body } = await as(member).get(`/api/v1/accounts/${member.id}/statuses`)
    expect(Status.array().parse(body)[0]).toMatchObject({ visibility: 'private', in_reply_to_id: String(id) })
  })

  it('keeps a refused reply in the form', async () => {
    const { browser } = await signedIn()
    const alice = await given.account()
    const id = await storedStatus({ accountId: alice.id, content: '<p>said-openly</p>' })
    const text = 'x'.repeat(6_000)
    const answer = await act(browser, 'reply', statusUri(alice, id), { text })
    expect(answer.status).toBe(422)
    for (const words of [text, 'said-openly']) expect(answer.html).toContain(words)
  })

  it('shows a form for the address when it is missing, and opens the entered one', async () => {
    const { browser } = await signedIn()
    const answer = await browser.fill(base, { uri: ' https://far.test/@wren ' })
    expect(answer.location).toBe(page('https://far.test/@wren'))
  })

  it('costs three round trips for known accounts and posts', async () => {
    const { browser } = await signedIn()
    const alice = await given.account()
    const id = await storedStatus({ accountId: alice.id })
    for (const uri of [uriOf(alice), statusUri(alice, id)])
      expect((await browser.get(page(uri))).costs.trips).toBeLessThanOrEqual(3)
  })
})

describe('opening a hidden address', () => {
  it.each([{ visibility: 'private' }, { visibility: 'direct' }] as const)(
    'shows nothing of a post that is %j to members who may not see it, and does nothing with it',
    async (row) => {
      const { browser, member } = await signedIn()
      const alice = await given.account()
      const id = await storedStatus({ accountId: alice.id, content: '<p>said-in-secret</p>', ...row })
      const uri = statusUri(alice, id)
      const nowhere = await browser.get(page(statusUri(alice, 1)))
      const { html, status } = await browser.get(page(uri))
      expect([status, html.includes('said-in-secret')]).toEqual([200, false])
      expect(textOf(html)).toContain('Nothing found')
      expect(textOf(html)).toBe(textOf(nowhere.html))
      const open = await storedStatus({ accountId: alice.id })
      for (const form of ['reblog', 'favourite', 'reply']) {
        const fields = { id: String(id), text: 'words' }
        const answer = await act(browser, form, statusUri(alice, open), fields)
        expect([form, answer.status]).toEqual([form, 404])
      }
      const { body } = await as(member).get(`/api/v1/accounts/${member.id}/statuses`)
      expect(body).toEqual([])
    },
  )

  it('shows only the name of an account that blocks the member, and does not follow it', async () => {
    const { member, browser } = await signedIn()
    const alice = await given.account()
    await relation.block(alice, member)
    const answer = await act(browser, 'follow', uriOf(alice))
    expect(answer.status).toBe(403)
    expect((await relationship(member, alice.id))?.following).toBe(false)
  })

  it.each(['not an address', 'javascript:alert(1)', 'https://', 'acct:nobody'])(
    'opening a hidden address shows nothing at %s',
    async (uri) => {
      const { browser } = await signedIn()
      const answer = await browser.get(page(uri))
      expect([answer.status, textOf(answer.html).includes('Nothing found')]).toEqual([200, true])
    },
  )
})
