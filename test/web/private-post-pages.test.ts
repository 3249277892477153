import { eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { accounts, sessions, statusMentions, users } from '../../src/db/schema'
import { Browser, textOf } from '../support/browser'
import { given } from '../support/given'
import { relation } from '../support/given-relationships'
import { storedStatus } from '../support/given-stored'
import { signedIn } from '../support/members'
import { clock, context } from '../support/test-app'

const kinds = [
  {
    kind: 'for followers',
    row: { visibility: 'private' },
    badge: 'Followers only',
    readers: ['follower', 'mentioned'],
  },
  {
    kind: 'for those it mentions',
    row: { visibility: 'direct' },
    badge: 'Mentioned people only',
    readers: ['mentioned'],
  },
  {
    kind: 'for this server',
    row: { localOnly: true },
    badge: 'This server only',
    readers: ['other', 'follower', 'mentioned', 'staff'],
  },
] as const

const words = 'said-in-private'

/** A post of somebody who is signed in, and where it is. */
async function ownPost(row: object) {
  const { member, browser } = await signedIn({ indexable: true })
  const more = { content: `<p>${words}</p>`, spoilerText: 'hush', ...row }
  const id = await storedStatus({ accountId: member.id, ...more })
  return { member, browser, id, path: `/@${member.username}/${id}` }
}

/** Expects a page without any trace of the post: text, content warning, or its existence. */
async function expectNothing(browser: Browser, path: string): Promise<void> {
  const [page, nowhere] = [await browser.get(path), await browser.get(`/${path.split('/')[1]}/1`)]
  expect(page.status).toBe(404)
  for (const word of [words, 'hush']) expect(page.html).not.toContain(word)
  expect(textOf(page.html)).toBe(textOf(nowhere.html))
}

describe.each(kinds)('the page of a post $kind', ({ row, badge, readers }) => {
  it('opens for its author, without caching and search engines, and names its audience', async () => {
    const { browser, path } = await ownPost(row)
    const page = await browser.get(path)
    expect(page.status).toBe(200)
    for (const word of [words, 'hush', badge]) expect(textOf(page.html)).toContain(word)
    expect(page.headers.get('cache-control')).toBe('private, no-store')
    expect(page.headers.get('vary')).toContain('Cookie')
    expect(page.html).toContain('<meta name="robots" content="noindex"/>')
    expect(page.costs.trips).toBeLessThanOrEqual(1)
  })

  it('reveals nothing of the post in its title and head', async () => {
    const { browser, path, member } = await ownPost(row)
    const [head = ''] = (await browser.get(path)).html.split('</head>')
    for (const word of [words, 'hush', 'og:', 'oembed']) expect(head).not.toContain(word)
    expect(head).toContain(`<title>A post by ${member.username} · Fieldfare</title>`)
  })

  it('opens for the members that may read it, and shows no trace of it to visitors and other members', async () => {
    const { member, path, id } = await ownPost(row)
    const others = {
      other: await signedIn(),
      follower: await signedIn(),
      mentioned: await signedIn(),
      staff: await signedIn({ user: { roleId: 3 } }),
    }
    await relation.follow(others.follower.member, member)
    await context().db.insert(statusMentions).values({ statusId: id, accountId: others.mentioned.member.id })
    const mayRead = new Set<string>(readers)
    await expectNothing(new Browser(), path)
    for (const [name, { browser }] of Object.entries(others)) {
      if (!mayRead.has(name)) await expectNothing(browser, path)
      else expect([name, (await browser.get(path)).html.includes(words)]).toEqual([name, true])
    }
  })

  it('no longer opens after sign-out, when the session expired, or the account is locked', async () => {
    const signedOut = await ownPost(row)
    await signedOut.browser.fill('/auth/sign_out', {})
    const { db } = context()
    const expired = await ownPost(row)
    await db.update(sessions).set({ expiresAt: clock.now() }).where(eq(sessions.accountId, expired.member.id))
    const disabled = await ownPost(row)
    await db.update(users).set({ disabledAt: clock.now() }).where(eq(users.accountId, disabled.member.id))
    const unapproved = await ownPost(row)
    await db.update(users).set({ confirmedAt: null }).where(eq(users.accountId, unapproved.member.id))
    for (const { browser, path } of [signedOut, expired, disabled]) await expectNothing(browser, path)
    const waiting = await unapproved.browser.get(unapproved.path)
    expect([waiting.status, waiting.html.includes(words)]).toEqual([404, false])
  })

  it('answers 404 with its suspended author', async () => {
    const { member, browser, path } = await ownPost(row)
    const { db } = context()
    await db.update(accounts).set({ suspendedAt: clock.now() }).where(eq(accounts.id, member.id))
    const page = await browser.get(path)
    expect([page.status, page.html.includes(words)]).toEqual([410, false])
  })

  it('accepts no cookie that was not signed here', async () => {
    const { browser, path } = await ownPost(row)
    const [[name, value] = ['', '']] = [...browser.jar]
    const [secret = ''] = value.split('.')
    for (const forged of [`${secret}.`, `${secret}.AAAA`, secret, `x.${value.split('.')[1]}`]) {
      const stranger = new Browser()
      stranger.plant(name, forged)
      await expectNothing(stranger, path)
    }
  })

  it('the page is neither embedded nor served under the name of another account', async () => {
    const { browser, path, id } = await ownPost(row)
    const bob = await given.account()
    for (const other of [`${path}/embed`, `/@${bob.username}/${id}`])
      expect([other, (await browser.get(other)).status]).toEqual([other, 404])
  })
})

describe('the page of a public post', () => {
  it('shows its author private replies, labelled, and others only public ones [T-773]', async () => {
    const { member, browser } = await signedIn()
    const bob = await given.account()
    const id = await storedStatus({ accountId: member.id, content: '<p>question</p>' })
    const answer = { inReplyToId: id, inReplyToAccountId: member.id }
    const hidden = await storedStatus({
      accountId: bob.id,
      visibility: 'direct',
      content: '<p>secret-answer</p>',
      ...answer,
    })
    await context().db.insert(statusMentions).values({ statusId: hidden, accountId: member.id })
    const other = await storedStatus({
      accountId: bob.id,
      visibility: 'private',
      content: '<p>not-for-you</p>',
      ...answer,
    })
    expect(other).not.toBe(hidden)
    const path = `/@${member.username}/${id}`
    const [own, strangers] = [await browser.get(path), await new Browser().get(path)]
    expect(textOf(own.html)).toContain('secret-answer')
    expect(textOf(own.html)).toContain('Mentioned people only')
    expect(own.html).not.toContain('not-for-you')
    expect(own.headers.get('cache-control')).toBe('private, no-store')
    for (const word of ['secret-answer', 'not-for-you']) expect(strangers.html).not.toContain(word)
    expect(strangers.headers.get('cache-control')).toBe('public, max-age=60')
  })

  it('shows members the replies that they may read, and no others', async () => {
    const { browser, member: bob } = await signedIn()
    const alice = await given.account()
    await relation.follow(bob, alice)
    const id = await storedStatus({ accountId: alice.id, content: '<p>open-words</p>' })
    const answer = { inReplyToId: id, inReplyToAccountId: alice.id, visibility: 'private' } as const
    await storedStatus({ accountId: alice.id, content: '<p>to-followers</p>', ...answer })
    await storedStatus({ accountId: bob.id, content: '<p>of-mine</p>', ...answer })
    const carol = await given.account()
    await storedStatus({ accountId: carol.id, content: '<p>to-others</p>', ...answer })
    const { html } = await browser.get(`/@${alice.username}/${id}`)
    for (const word of ['open-words', 'to-followers', 'of-mine']) expect(html).toContain(word)
    expect(html).not.toContain('to-others')
  })
})

describe('the title of the page of a post', () => {
  const title = async (row: object) => {
    const alice = await given.account({ displayName: 'Ada' })
    const id = await storedStatus({ accountId: alice.id, ...row })
    const { html } = await new Browser().get(`/@${alice.username}/${id}`)
    return textOf(/<title>([^<]*)<\/title>/.exec(html)?.[1] ?? '').replace(' · Fieldfare', '')
  }

  it('the title is the beginning of the post', async () => {
    expect(await title({ content: '<p>Two   wrens<br>&amp; an <em>owl</em></p>' })).toBe(
      'Ada: “Two wrens & an owl”',
    )
  })

  it('cuts the title between words, and never within a character', async () => {
    const long = 'A robin sang in the apple tree this morning while the fieldfares were still asleep there'
    expect(await title({ content: `<p>${long}</p>` })).toBe(
      'Ada: “A robin sang in the apple tree this morning while the fieldfares were still…”',
    )
    expect(await title({ content: `<p>x${'🦉'.repeat(60)}</p>` })).toBe(`Ada: “x${'🦉'.repeat(39)}…”`)
  })

  it('shows the content warning in the title, and nothing of the text behind it', async () => {
    const shown = await title({ content: '<p>He was dead all along</p>', spoilerText: 'Film' })
    expect(shown).toBe('Ada: “Film”')
  })

  it('names only the author of a post without text', async () => {
    expect(await title({ content: '' })).toBe('A post by Ada')
  })

  it('escapes texts of others in the title', async () => {
    expect(await title({ content: '<p>&lt;/title&gt;&lt;script&gt;</p>' })).toBe('Ada: “</title><script>”')
  })
})
