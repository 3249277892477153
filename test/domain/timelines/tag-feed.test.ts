import { eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { accountDomainBlocks, accounts, homeEntries } from '../../../src/db/schema'
import { Changes, commit } from '../../../src/domain/core/changes'
import { followTag, unfollowTag } from '../../../src/domain/tags/follow'
import { removeFromFeeds } from '../../../src/domain/timelines/backfill'
import { fanOut } from '../../../src/domain/timelines/fan-out'
import { freshName, given, type TestAccount } from '../../support/given'
import { storedListOfFollowed } from '../../support/given-list'
import { relation } from '../../support/given-relationships'
import { type StoredOptions, storedStatus } from '../../support/given-stored'
import { clock, context, settleLateWork } from '../../support/test-app'

/** A reader who follows a hashtag, and an author they do not follow. */
async function people() {
  const [reader, author] = [await given.account(), await given.account()]
  const tag = freshName('tag')
  await followTag(context(), reader, tag)
  await settleLateWork()
  return { reader, author, tag }
}

type People = Awaited<ReturnType<typeof people>>

async function homeOf({ id }: TestAccount): Promise<number[]> {
  await settleLateWork()
  const entries = await context().db.select().from(homeEntries).where(eq(homeEntries.accountId, id))
  return entries.map(({ statusId }) => statusId)
}

async function post({ tags = [], ...row }: StoredOptions): Promise<number> {
  const id = await storedStatus({ ...row, tags })
  const { visibility = 'public', local = true, reblogOfId = null } = row
  const used = tags.map((name) => ({ name, display: name }))
  await commit(
    context(),
    new Changes().add(...fanOut(context(), { id, visibility, local, reblogOfId, tags: used })),
  )
  return id
}

interface Case {
  readonly rule: string
  readonly given?: (people: People) => Promise<unknown>
  readonly status?: (people: People) => Partial<StoredOptions> | Promise<Partial<StoredOptions>>
  readonly enters: boolean
}

const hour = 3_600_000

const cases: readonly Case[] = [
  { rule: 'a public status of anybody enters', enters: true },
  { rule: 'an answer to anybody enters', status: () => ({ inReplyToAccountId: 7 }), enters: true },
  { rule: 'one that never leaves this server enters', status: () => ({ localOnly: true }), enters: true },
  { rule: 'an unlisted one does not', status: () => ({ visibility: 'unlisted' }), enters: false },
  { rule: 'a private one does not', status: () => ({ visibility: 'private' }), enters: false },
  { rule: 'a direct one does not', status: () => ({ visibility: 'direct' }), enters: false },
  {
    rule: 'a reblog does not',
    status: async ({ author }) => ({ reblogOfId: await storedStatus({ accountId: author.id }) }),
    enters: false,
  },
  {
    rule: 'one of somebody the reader blocks does not',
    given: ({ reader, author }) => relation.block(reader, author),
    enters: false,
  },
  {
    rule: 'one of somebody who blocks the reader does not',
    given: ({ reader, author }) => relation.block(author, reader),
    enters: false,
  },
  {
    rule: 'one of somebody muted does not',
    given: ({ reader, author }) => relation.mute(reader, author),
    enters: false,
  },
  {
    rule: 'one of somebody whose mute is over enters',
    given: ({ reader, author }) =>
      relation.mute(reader, author, { expiresAt: new Date(clock.now().getTime() - hour) }),
    enters: true,
  },
  {
    rule: 'one of somebody whom moderators limited does not',
    given: ({ author }) =>
      context().db.update(accounts).set({ silencedAt: clock.now() }).where(eq(accounts.id, author.id)),
    enters: false,
  },
  {
    rule: 'one of a blocked domain does not',
    given: async ({ reader, author }) => {
      const { db } = context()
      await db.update(accounts).set({ domain: 'unreached.test' }).where(eq(accounts.id, author.id))
      await db.insert(accountDomainBlocks).values({ accountId: reader.id, domain: 'unreached.test', id: 1 })
    },
    enters: false,
  },
  {
    rule: 'one of somebody followed in other languages does not',
    given: ({ reader, author }) => relation.follow(reader, author, { languages: ['de'] }),
    status: () => ({ language: 'fr' }),
    enters: false,
  },
  {
    rule: 'one of a member of an exclusive list does not',
    given: ({ reader, author }) => storedListOfFollowed({ of: reader, members: [author], exclusive: true }),
    enters: false,
  },
]

describe('a followed hashtag', () => {
  for (const { rule, given: prepare, status, enters } of cases)
    it(`${rule}, when posted and when the hashtag is followed later`, async () => {
      const all = await people()
      const { reader, author, tag } = all
      await prepare?.(all)
      const id = await post({ accountId: author.id, tags: [tag], ...(await status?.(all)) })
      expect((await homeOf(reader)).includes(id)).toBe(enters)
      await context().db.delete(homeEntries).where(eq(homeEntries.accountId, reader.id))
      await unfollowTag(context(), reader, tag)
      await settleLateWork()
      await followTag(context(), reader, tag.toUpperCase())
      expect((await homeOf(reader)).includes(id)).toBe(enters)
    })

  it('inserts nothing without the hashtag, and a post with several followed hashtags once', async () => {
    const { reader, author, tag } = await people()
    const other = freshName('tag')
    await followTag(context(), reader, other)
    const both = await post({ accountId: author.id, tags: [tag, other] })
    await post({ accountId: author.id, tags: [freshName('tag')] })
    await post({ accountId: author.id })
    expect(await homeOf(reader)).toEqual([both])
  })

  it('starts with the latest 40 posts', async () => {
    const [reader, author] = [await given.account(), await given.account()]
    const tag = freshName('tag')
    const made: number[] = []
    for (let index = 0; index < 43; index += 1)
      made.push(await storedStatus({ accountId: author.id, tags: [tag] }))
    await followTag(context(), reader, tag)
    expect(await homeOf(reader)).toEqual(made.slice(3))
  })

  it('removes posts that only the hashtag inserted, when it is unfollowed', async () => {
    const { reader, author, tag } = await people()
    const friend = await given.account()
    await relation.follow(reader, friend)
    const other = freshName('tag')
    await followTag(context(), reader, other)
    await post({ accountId: author.id, tags: [tag] })
    const kept = [
      await post({ accountId: author.id, tags: [tag, other] }),
      await post({ accountId: friend.id, tags: [tag] }),
      await post({ accountId: reader.id, tags: [tag] }),
    ]
    await unfollowTag(context(), reader, tag)
    expect(await homeOf(reader)).toEqual(kept)
  })

  it('keeps posts with the hashtag by an unfollowed account, unless that is blocked', async () => {
    const { reader, author, tag } = await people()
    const tagged = await storedStatus({ accountId: author.id, tags: [tag], inHomeOf: [reader.id] })
    await storedStatus({ accountId: author.id, inHomeOf: [reader.id] })
    await removeFromFeeds(context(), reader.id, author.id)
    expect(await homeOf(reader)).toEqual([tagged])
    await relation.block(reader, author)
    await removeFromFeeds(context(), reader.id, author.id)
    expect(await homeOf(reader)).toEqual([])
  })
})
