import { eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { follows, homeEntries, statusMentions } from '../../../src/db/schema'
import type { Visibility } from '../../../src/db/schema/statuses'
import { Changes, commit } from '../../../src/domain/core/changes'
import { backfillFeeds, removeFromFeeds } from '../../../src/domain/timelines/backfill'
import { type FeedStatus, fanOut } from '../../../src/domain/timelines/fan-out'
import { given } from '../../support/given'
import { type StoredOptions, storedStatus } from '../../support/given-stored'
import { clock, context } from '../../support/test-app'

interface Named {
  readonly id: number
}

async function follow(from: Named, to: Named, more: Partial<typeof follows.$inferInsert> = {}) {
  const { db, ids } = context()
  await db.insert(follows).values({
    id: ids.next(),
    accountId: from.id,
    targetAccountId: to.id,
    createdAt: clock.now(),
    ...more,
  })
}

/** As the batch that stores the status would. */
async function enter(status: FeedStatus) {
  const ctx = context()
  await commit(ctx, new Changes().add(...fanOut(ctx, status)))
}

const homeOf = async ({ id }: Named) => {
  const { db } = context()
  const entries = await db.select().from(homeEntries).where(eq(homeEntries.accountId, id))
  return entries.map(({ statusId }) => statusId)
}

/** A reader who follows an author and a friend, in an instance where a stranger lives as well. */
async function people(more: Partial<typeof follows.$inferInsert> = {}) {
  const [reader, author, friend, stranger] = [
    await given.account(),
    await given.account(),
    await given.account(),
    await given.account(),
  ]
  await follow(reader, author, more)
  await follow(reader, friend)
  return { reader, author, friend, stranger }
}

type People = Awaited<ReturnType<typeof people>>

interface Case {
  readonly rule: string
  readonly follow?: Partial<typeof follows.$inferInsert>
  readonly status: (people: People) => Partial<StoredOptions> | Promise<Partial<StoredOptions>>
  readonly enters: boolean
}

const replyTo = ({ id }: Named) => ({ inReplyToId: 1, inReplyToAccountId: id })
const shared = async ({ stranger }: People, language: string | null = null) => ({
  reblogOfId: await storedStatus({ accountId: stranger.id, language }),
})

const cases: readonly Case[] = [
  { rule: 'a public status enters', status: () => ({}), enters: true },
  { rule: 'an unlisted one enters', status: () => ({ visibility: 'unlisted' }), enters: true },
  { rule: 'a private one enters', status: () => ({ visibility: 'private' }), enters: true },
  { rule: 'a direct one to others does not', status: () => ({ visibility: 'direct' }), enters: false },
  { rule: 'a thread of the author enters', status: ({ author }) => replyTo(author), enters: true },
  { rule: 'a reply to the reader enters', status: ({ reader }) => replyTo(reader), enters: true },
  { rule: 'a reply to somebody followed enters', status: ({ friend }) => replyTo(friend), enters: true },
  { rule: 'a reply to a stranger does not', status: ({ stranger }) => replyTo(stranger), enters: false },
  { rule: 'a reblog enters', status: (all) => shared(all), enters: true },
  {
    rule: 'a reblog does not where the follow hides reblogs',
    follow: { showReblogs: false },
    status: (all) => shared(all),
    enters: false,
  },
  {
    rule: 'a chosen language enters',
    follow: { languages: ['de', 'en'] },
    status: () => ({ language: 'de' }),
    enters: true,
  },
  {
    rule: 'a language that was not chosen does not',
    follow: { languages: ['de', 'en'] },
    status: () => ({ language: 'fr' }),
    enters: false,
  },
  {
    rule: 'an unknown language enters whatever was chosen',
    follow: { languages: ['de'] },
    status: () => ({ language: null }),
    enters: true,
  },
]

describe('the home feed', () => {
  for (const { rule, follow: options = {}, status, enters } of cases)
    it(`${rule}, when posted and when the follow comes later [T-649]`, async () => {
      const all = await people(options)
      const { reader, author } = all
      const ctx = context()
      const row: StoredOptions = { accountId: author.id, ...(await status(all)) }
      const id = await storedStatus(row)
      const visibility: Visibility = row.visibility ?? 'public'
      await enter({ ...row, tags: [], id, visibility, local: true })
      expect((await homeOf(reader)).includes(id)).toBe(enters)
      expect(await homeOf(author)).toContain(id)
      await ctx.db.delete(homeEntries).where(eq(homeEntries.accountId, reader.id))
      await backfillFeeds(ctx, reader.id, author.id)
      await backfillFeeds(ctx, reader.id, author.id)
      expect((await homeOf(reader)).filter((entry) => entry === id)).toHaveLength(enters ? 1 : 0)
    })

  it('inserts a direct status only for followers it names', async () => {
    const { reader, author, friend } = await people()
    await follow(friend, author)
    const ctx = context()
    const id = await storedStatus({ accountId: author.id, visibility: 'direct' })
    await ctx.db.insert(statusMentions).values({ statusId: id, accountId: reader.id })
    await enter({ id, visibility: 'direct', local: true })
    expect(await homeOf(reader)).toEqual([id])
    expect(await homeOf(friend)).toEqual([])
  })

  it('inserts nothing for followers on other servers', async () => {
    const { author } = await people()
    const far = await given.remoteAccount()
    await follow(far, author)
    const id = await storedStatus({ accountId: author.id })
    await enter({ id, visibility: 'public', local: true })
    expect(await homeOf(far)).toEqual([])
  })

  it('starts with the latest 40 posts of a new follow, and none when the follow is gone again', async () => {
    const { reader, author, stranger } = await people()
    const made: number[] = []
    for (let index = 0; index < 43; index += 1) made.push(await storedStatus({ accountId: author.id }))
    await storedStatus({ accountId: stranger.id })
    await backfillFeeds(context(), reader.id, author.id)
    await backfillFeeds(context(), reader.id, stranger.id)
    expect(await homeOf(reader)).toEqual(made.slice(3))
  })

  it('removes the statuses of an unfollowed account, but not after following again', async () => {
    const { reader, author, friend } = await people()
    const inHomeOf = [reader.id]
    const theirs = await storedStatus({ accountId: author.id, inHomeOf })
    const kept = await storedStatus({ accountId: friend.id, inHomeOf })
    const ctx = context()
    await removeFromFeeds(ctx, reader.id, author.id)
    expect(await homeOf(reader)).toEqual([theirs, kept])
    await ctx.db.delete(follows).where(eq(follows.targetAccountId, author.id))
    await removeFromFeeds(ctx, reader.id, author.id)
    expect(await homeOf(reader)).toEqual([kept])
  })
})
