import { eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { quotes, statuses } from '../../../src/db/schema'
import type { Attachment } from '../../../src/db/values'
import { noteOf } from '../../support/documents'
import { given, type TestAccount } from '../../support/given'
import { type StoredOptions, storedStatus } from '../../support/given-stored'
import { clock, context } from '../../support/test-app'

const everybody = 'https://www.w3.org/ns/activitystreams#Public'
const actorOf = ({ username }: TestAccount) => `https://fieldfare.test/users/${username}`

describe('a status as a note', () => {
  it('a note has author, time, address and content', async () => {
    const alice = await given.account()
    const { id } = await given.status({ by: alice, text: 'Redwings overhead', language: 'en' })

    const note = await noteOf(alice, id)

    const uri = `${actorOf(alice)}/statuses/${id}`
    const published = clock.now().toISOString().replace('.000Z', 'Z')
    expect(note).toMatchObject({
      id: uri,
      type: 'Note',
      attributedTo: actorOf(alice),
      published,
      inReplyTo: null,
      url: `https://fieldfare.test/@${alice.username}/${id}`,
      content: '<p>Redwings overhead</p>',
      contentMap: { en: '<p>Redwings overhead</p>' },
      summary: null,
      sensitive: false,
      attachment: [],
      tag: [],
      atomUri: uri,
      likes: { id: `${uri}/likes`, type: 'Collection', totalItems: 0 },
      shares: { id: `${uri}/shares`, type: 'Collection', totalItems: 0 },
    })
    expect(note).not.toHaveProperty('updated')
    expect(note).toMatchObject({ conversation: `tag:fieldfare.test,2026:conversation/${id}` })
  })

  it.each([
    ['public', { to: [everybody], cc: ['followers', 'bob'] }],
    ['unlisted', { to: ['followers'], cc: [everybody, 'bob'] }],
    ['private', { to: ['followers'], cc: ['bob'] }],
    ['direct', { to: ['bob'], cc: [] }],
  ] as const)('addresses the audience of a %s status [T-146]', async (visibility, { to, cc }) => {
    const [alice, bob] = [await given.account(), await given.account()]
    const { id } = await given.status({ by: alice, text: `@${bob.username} look`, visibility })
    const addresses: Readonly<Record<string, string>> = {
      followers: `${actorOf(alice)}/followers`,
      bob: actorOf(bob),
    }
    const written = (names: readonly string[]) => names.map((name) => addresses[name] ?? name)

    expect(await noteOf(alice, id)).toMatchObject({ to: written(to), cc: written(cc) })
  })

  it('tags mentioned accounts by actor id and links their pages in the text [T-147]', async () => {
    const alice = await given.account()
    const bob = await given.account()
    const carol = await given.remoteAccount()
    const text = `@${bob.username} @${carol.username}@${carol.domain} #Wrens`
    const { id } = await given.status({ by: alice, text })

    const { tag, content } = await noteOf(alice, id)

    expect(tag).toEqual([
      { type: 'Mention', href: actorOf(bob), name: `@${bob.username}@fieldfare.test` },
      { type: 'Mention', href: carol.uri, name: `@${carol.username}@elsewhere.test` },
      { type: 'Hashtag', href: 'https://fieldfare.test/tags/wrens', name: '#Wrens' },
    ])
    expect(content).toBe(
      `<p><span class="h-card" translate="no"><a href="https://fieldfare.test/@${bob.username}" class="u-url mention">@<span>${bob.username}</span></a></span> ` +
        `<span class="h-card" translate="no"><a href="https://elsewhere.test/@${carol.username}" class="u-url mention">@<span>${carol.username}</span></a></span> ` +
        '<a href="https://fieldfare.test/tags/wrens" class="mention hashtag" rel="tag">#<span>Wrens</span></a></p>',
    )
  })

  it('uses the page address of an account whose actor id was not stored', async () => {
    const alice = await given.account()
    const mention = { id: 1, username: 'old', domain: 'elsewhere.test', url: 'https://elsewhere.test/@old' }
    const id = await storedStatus({ accountId: alice.id, mentions: [mention] })
    expect(await noteOf(alice, id)).toMatchObject({ tag: [{ href: 'https://elsewhere.test/@old' }] })
  })

  it('keeps media in order, each with its description, blurhash, focus and size [T-148]', async () => {
    const alice = await given.account()
    const picture: Attachment = {
      id: 1,
      type: 'image',
      file: { key: 'media/one.png' },
      preview: { key: 'media/small.webp' },
      description: 'A wren',
      blurhash: 'LEHV6nWB2yk8',
      meta: { original: { width: 640, height: 480 }, focus: { x: 0.5, y: -0.25 } },
    }
    const film: Attachment = {
      id: 2,
      type: 'video',
      file: { key: 'media/two.mp4' },
      preview: { key: 'media/cover.jpg' },
      description: null,
      blurhash: null,
      meta: {},
    }
    const id = await storedStatus({ accountId: alice.id, attachments: [picture, film] })

    const { attachment } = await noteOf(alice, id)
    expect(attachment).toEqual([
      {
        type: 'Document',
        mediaType: 'image/png',
        url: 'https://fieldfare.test/media/media/one.png',
        name: 'A wren',
        blurhash: 'LEHV6nWB2yk8',
        focalPoint: [0.5, -0.25],
        width: 640,
        height: 480,
      },
      {
        type: 'Document',
        mediaType: 'video/mp4',
        url: 'https://fieldfare.test/media/media/two.mp4',
        name: null,
        icon: {
          type: 'Image',
          mediaType: 'image/jpeg',
          url: 'https://fieldfare.test/media/media/cover.jpg',
        },
      },
    ])
  })

  it('carries content warnings, edits and emojis', async () => {
    const alice = await given.account()
    const id = await storedStatus({
      accountId: alice.id,
      spoilerText: 'Owls',
      sensitive: true,
      editedAt: new Date('2026-11-02'),
      emojis: [{ shortcode: 'owl', image: { key: 'emojis/owl.png' } }],
    })
    expect(await noteOf(alice, id)).toMatchObject({
      summary: 'Owls',
      sensitive: true,
      updated: '2026-11-02T00:00:00Z',
      tag: [
        {
          id: 'https://fieldfare.test/emojis/owl',
          type: 'Emoji',
          name: ':owl:',
          icon: {
            type: 'Image',
            mediaType: 'image/png',
            url: 'https://fieldfare.test/media/emojis/owl.png',
          },
        },
      ],
    })
  })

  it('a status as a note names its parent, and carries its own first replies', async () => {
    const [alice, bob] = [await given.account(), await given.account()]
    const first = await given.status({ by: alice })
    await given.status({ by: bob, inReplyTo: first })
    await given.status({ by: alice, inReplyTo: first, visibility: 'private' })
    const second = await given.status({ by: alice, inReplyTo: first })

    const uri = `${actorOf(alice)}/statuses/${first.id}`
    const next = `${actorOf(alice)}/statuses/${second.id}`
    expect(await noteOf(alice, second.id)).toMatchObject({ inReplyTo: uri, inReplyToAtomUri: uri })
    const { replies } = await noteOf(alice, first.id)
    expect(replies).toEqual({
      id: `${uri}/replies`,
      type: 'Collection',
      first: {
        id: `${uri}/replies?page=true`,
        type: 'CollectionPage',
        partOf: `${uri}/replies`,
        next: `${uri}/replies?only_other_accounts=true&page=true`,
        items: [next],
      },
    })
  })

  it('keeps the address of an unknown parent', async () => {
    const alice = await given.account()
    const inReplyToUri = 'https://elsewhere.test/notes/lost'
    const id = await storedStatus({ accountId: alice.id, inReplyToUri })
    expect(await noteOf(alice, id)).toMatchObject({ inReplyTo: inReplyToUri })
  })

  it('a note is a Question where it has a poll, and keeps hidden counts hidden', async () => {
    const alice = await given.account()
    const poll = { options: ['wren', 'robin'], expiresInSeconds: 3600, multiple: true, hideTotals: false }
    const { id } = await given.status({ by: alice, poll })

    const option = (name: string) => ({ type: 'Note', name, replies: { type: 'Collection', totalItems: 0 } })
    const endTime = new Date(clock.now().getTime() + 3_600_000).toISOString().replace('.000Z', 'Z')
    const question = await noteOf(alice, id)
    expect(question).toMatchObject({ type: 'Question', anyOf: [option('wren'), option('robin')], endTime })
    expect(question).not.toHaveProperty('closed')
    expect(question).not.toHaveProperty('oneOf')

    clock.advance(3_600_000)
    expect(await noteOf(alice, id)).toMatchObject({ closed: endTime, votersCount: 0 })
  })
})

describe('interaction policies of a note', () => {
  const policyOf = async (row: Omit<StoredOptions, 'accountId'>) => {
    const alice = await given.account()
    const { interactionPolicy } = await noteOf(alice, await storedStatus({ accountId: alice.id, ...row }))
    return { alice, interactionPolicy }
  }
  const only = (...automaticApproval: readonly string[]) => ({ automaticApproval, manualApproval: [] })

  it('allows everybody by default', async () => {
    const { interactionPolicy } = await policyOf({})
    const all = only(everybody)
    expect(interactionPolicy).toEqual({ canQuote: all, canReply: all, canAnnounce: all, canLike: all })
  })

  it('serves the policy the author chose', async () => {
    const row = { quotePolicy: 'nobody', replyPolicy: 'followers', reblogPolicy: 'mentioned' } as const
    const { alice, interactionPolicy } = await policyOf(row)
    const own = only(actorOf(alice))
    expect(interactionPolicy).toEqual({
      canQuote: own,
      canReply: only(`${actorOf(alice)}/followers`),
      canAnnounce: own,
      canLike: only(everybody),
    })
  })

  it('never allows others to reblog a non-public post', async () => {
    const { alice, interactionPolicy } = await policyOf({ visibility: 'private' })
    const own = only(actorOf(alice))
    expect(interactionPolicy).toMatchObject({ canQuote: own, canAnnounce: own })
  })
})

describe('a note that quotes', () => {
  const quotedUri = 'https://elsewhere.test/notes/7'
  const authorizationUri = 'https://elsewhere.test/stamps/7'

  async function quoting(state: 'pending' | 'accepted' | 'rejected' | 'revoked') {
    const alice = await given.account()
    const id = await storedStatus({ accountId: alice.id, content: '<p>So true</p>' })
    const consent = state === 'accepted' ? { authorizationUri } : {}
    await context()
      .db.insert(quotes)
      .values({ statusId: id, accountId: alice.id, quotedUri, state, createdAt: clock.now(), ...consent })
    return { note: await noteOf(alice, id), id, alice }
  }

  it('carries every quote dialect once the quoted author agreed, with a fallback link [T-149]', async () => {
    const { note } = await quoting('accepted')
    expect(note).toMatchObject({
      quote: quotedUri,
      quoteUri: quotedUri,
      _misskey_quote: quotedUri,
      quoteAuthorization: authorizationUri,
      tag: [{ type: 'Link', href: quotedUri, rel: ['https://misskey-hub.net/ns#_misskey_quote'] }],
    })
    const { content } = note
    expect(content).toBe(
      `<p class="quote-inline">RE: <a href="${quotedUri}" target="_blank" rel="nofollow noopener noreferrer">${quotedUri}</a></p><p>So true</p>`,
    )
  })

  it('carries only the requested quote until the quoted author agrees', async () => {
    const { note } = await quoting('pending')
    expect(note).toMatchObject({ quote: quotedUri, content: '<p>So true</p>', tag: [] })
    expect(note).not.toHaveProperty('quoteUri')
    expect(note).not.toHaveProperty('quoteAuthorization')
  })

  it.each(['rejected', 'revoked'] as const)('carries no quote when consent was %s', async (state) => {
    const { note } = await quoting(state)
    expect(note).toMatchObject({ content: '<p>So true</p>' })
    expect(note).not.toHaveProperty('quote')
  })

  it('carries the RE: link once', async () => {
    const { alice, id } = await quoting('accepted')
    const content = '<p class="quote-inline">RE: somewhere</p><p>So true</p>'
    await context().db.update(statuses).set({ content }).where(eq(statuses.id, id))
    expect(await noteOf(alice, id)).toMatchObject({ content })
  })
})
