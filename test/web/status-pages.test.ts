import { eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { quoteReference } from '../../src/contract/text/render'
import { accounts, quotes, statuses } from '../../src/db/schema'
import { Browser, textOf } from '../support/browser'
import { given, type TestAccount } from '../support/given'
import { storedPicture, storedStatus } from '../support/given-stored'
import { signedIn } from '../support/members'
import { clock, context } from '../support/test-app'

const origin = 'https://fieldfare.test'
const open = (path: string) => new Browser().get(path)
const filmFile = { ...storedPicture, type: 'video' as const, file: { key: 'media/film.mp4' } }

interface Quoting {
  readonly alice: TestAccount
  readonly path: string
  readonly quotedId: number
}

/** A public status of alice that quotes one of bob. */
async function quoting(
  row: object = {},
  state: 'accepted' | 'pending' | 'revoked' = 'accepted',
): Promise<Quoting> {
  const [alice, bob] = [await given.account(), await given.account({ displayName: 'Bob Wren' })]
  const quotedId = await storedStatus({ accountId: bob.id, content: '<p>said-by-bob</p>', ...row })
  const url = `${origin}/@${bob.username}/${quotedId}`
  const id = await storedStatus({
    accountId: alice.id,
    content: `${quoteReference(url)}<p>said-by-alice</p>`,
  })
  await context()
    .db.insert(quotes)
    .values({
      statusId: id,
      accountId: alice.id,
      quotedStatusId: quotedId,
      quotedAccountId: bob.id,
      quotedUri: `${origin}/users/${bob.username}/statuses/${quotedId}`,
      state,
      createdAt: clock.now(),
    })
  return { alice, path: `/@${alice.username}/${id}`, quotedId }
}

describe('a quote on a page', () => {
  it('shows the quoted post in place of its address', async () => {
    const { alice, path } = await quoting()
    for (const address of [path, `/@${alice.username}`]) {
      const page = await open(address)
      for (const words of ['said-by-alice', 'said-by-bob', 'Bob Wren']) expect(page.html).toContain(words)
      expect(page.html).toContain('<a class="quote"')
      expect(textOf(page.html)).not.toContain('RE:')
      expect(page.costs.trips).toBeLessThanOrEqual(1)
    }
  })

  it('keeps the address out of the title', async () => {
    const { path } = await quoting()
    const [head = ''] = (await open(path)).html.split('</head>')
    expect(head).toContain('“said-by-alice”')
    expect(head).not.toContain('RE:')
  })

  it.each([
    ['for followers', { visibility: 'private' }],
    ['for those it mentions', { visibility: 'direct' }],
    ['for this server', { localOnly: true }],
  ])('shows nothing of a post that is %s', async (_, row) => {
    const { path } = await quoting(row)
    const page = await open(path)
    expect(page.html).toContain('said-by-alice')
    for (const words of ['said-by-bob', 'Bob Wren']) expect(page.html).not.toContain(words)
    expect(textOf(page.html)).toMatch(/not allowed to see the quoted post|quoted post is not shown here/)
  })

  it.each(['pending', 'revoked'] as const)('shows nothing of a post whose consent is %s', async (state) => {
    const { path } = await quoting({}, state)
    expect((await open(path)).html).not.toContain('said-by-bob')
  })

  it('shows nothing of a suspended author, nor of a deleted post', async () => {
    const { db } = context()
    const [banned, deleted] = [await quoting(), await quoting()]
    const [row] = await db.select().from(statuses).where(eq(statuses.id, banned.quotedId))
    await db
      .update(accounts)
      .set({ suspendedAt: clock.now() })
      .where(eq(accounts.id, row?.accountId ?? 0))
    await db.delete(statuses).where(eq(statuses.id, deleted.quotedId))
    for (const { path } of [banned, deleted]) {
      const { status, html } = await open(path)
      expect([status, html.includes('said-by-bob')]).toEqual([200, false])
    }
  })

  it('keeps the warning of the quoted post', async () => {
    const { path } = await quoting({ spoilerText: 'Film', attachments: [storedPicture] })
    const { html } = await open(path)
    expect(textOf(html.split('<a class="quote"')[1] ?? '')).toContain('Film')
    expect(html).not.toContain('said-by-bob')
  })
})

describe('media on a page', () => {
  const pageWith = async (attachment: object) => {
    const alice = await given.account()
    const attachments = [{ ...storedPicture, ...attachment }]
    const id = await storedStatus({ accountId: alice.id, attachments })
    return (await open(`/@${alice.username}/${id}`)).html
  }

  it('media on a page leads to its description as text, on a page of its own', async () => {
    for (const file of [storedPicture, filmFile]) {
      const html = await pageWith({ ...file, description: 'A <wren>' })
      const path = /<a class="alt" href="([^"]+)"/.exec(html)?.[1] ?? ''
      expect((await open(path)).html).toMatch(/<p[^>]*>A &lt;wren&gt;<\/p>/)
    }
    expect(await pageWith({})).not.toContain('class="alt"')
  })

  it('shows the first frame of a video without a preview, and otherwise its preview', async () => {
    const drawn = await pageWith(filmFile)
    expect(drawn).toContain(`src="${origin}/media/media/film.mp4#t=0.001"`)
    expect(drawn).toContain('preload="metadata"')
    expect(drawn).not.toContain('poster=')
    const shown = await pageWith({ ...filmFile, preview: { key: 'media/frame.png' } })
    expect(shown).toContain(`poster="${origin}/media/media/frame.png"`)
    expect(shown).toContain('preload="none"')
  })

  it('media on a page reserves its place, so that nothing moves when it loads', async () => {
    const meta = { original: { width: 640, height: 480, size: '640x480', aspect: 4 / 3 } }
    for (const file of [storedPicture, filmFile])
      expect(await pageWith({ ...file, meta })).toMatch(/<(img|video)[^>]* width="640" height="480"/)
  })
})

describe('the buttons of a post', () => {
  it('the buttons of a post lead to the server of the visitor, with their counts', async () => {
    const alice = await given.account()
    const id = await storedStatus({ accountId: alice.id, favouritesCount: 1_204 })
    const { html } = await open(`/@${alice.username}/${id}`)
    for (const type of ['reply', 'reblog', 'favourite'])
      expect(html).toContain(`href="/interact/${id}?type=${type}" rel="nofollow"`)
    expect(textOf(html)).toContain('1,204')
  })

  it('the buttons of a post are missing on non-public posts', async () => {
    const { member, browser } = await signedIn()
    for (const row of [{ visibility: 'private' }, { localOnly: true }] as const) {
      const id = await storedStatus({ accountId: member.id, ...row })
      expect((await browser.get(`/@${member.username}/${id}`)).html).not.toContain(`/interact/${id}`)
    }
  })
})
