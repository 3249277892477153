import { eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { follows, homeEntries, listAccounts, listEntries } from '../../../src/db/schema'
import type { RepliesPolicy } from '../../../src/db/schema/lists'
import { Changes, commit } from '../../../src/domain/core/changes'
import { backfillFeeds, rebuildListFeed } from '../../../src/domain/timelines/backfill'
import { fanOut } from '../../../src/domain/timelines/fan-out'
import { homeFeedOf, listFeedOf } from '../../support/feeds'
import { given } from '../../support/given'
import { storedList } from '../../support/given-list'
import { relation } from '../../support/given-relationships'
import { type StoredOptions, storedStatus } from '../../support/given-stored'
import { context } from '../../support/test-app'

type Options = Parameters<typeof relation.follow>[2]

/** An owner whose list holds an author and a fellow; they follow both, and a friend who is not on it. */
async function people(repliesPolicy: RepliesPolicy = 'list', options: Options = {}) {
  const [owner, author, fellow, friend, stranger] = [
    await given.account(),
    await given.account(),
    await given.account(),
    await given.account(),
    await given.account(),
  ]
  await relation.follow(owner, author, options)
  for (const one of [fellow, friend]) await relation.follow(owner, one)
  const list = await storedList({ of: owner, members: [author, fellow], repliesPolicy })
  return { owner, author, fellow, friend, stranger, list }
}

type People = Awaited<ReturnType<typeof people>>

async function post(row: StoredOptions): Promise<number> {
  const id = await storedStatus(row)
  const { visibility = 'public', reblogOfId = null } = row
  const status = { id, visibility, local: true, reblogOfId }
  await commit(context(), new Changes().add(...fanOut(context(), status)))
  return id
}

interface Case {
  readonly rule: string
  readonly policy?: RepliesPolicy
  readonly follow?: Options
  readonly status: (people: People) => Partial<StoredOptions> | Promise<Partial<StoredOptions>>
  readonly enters: boolean
}

const replyTo = ({ id }: { readonly id: number }) => ({ inReplyToId: 1, inReplyToAccountId: id })
const shared = async ({ stranger }: People) => ({
  reblogOfId: await storedStatus({ accountId: stranger.id }),
})

const replies: readonly (readonly [keyof People, readonly RepliesPolicy[]])[] = [
  ['owner', ['followed', 'list', 'none']],
  ['author', ['followed', 'list', 'none']],
  ['fellow', ['followed', 'list']],
  ['friend', ['followed']],
  ['stranger', []],
]

const policies = ['followed', 'list', 'none'] as const

const cases: readonly Case[] = [
  { rule: 'a public status enters', status: () => ({}), enters: true },
  { rule: 'a private one enters', status: () => ({ visibility: 'private' }), enters: true },
  { rule: 'a direct one does not', status: () => ({ visibility: 'direct' }), enters: false },
  { rule: 'a reblog enters', status: shared, enters: true },
  {
    rule: 'a reblog does not where the follow hides reblogs',
    follow: { showReblogs: false },
    status: shared,
    enters: false,
  },
  {
    rule: 'a language that was not chosen does not',
    follow: { languages: ['de'] },
    status: () => ({ language: 'fr' }),
    enters: false,
  },
  {
    rule: 'an answer to what is unknown here does not',
    policy: 'followed',
    status: () => ({ inReplyToUri: 'https://elsewhere.test/1' }),
    enters: false,
  },
  ...replies.flatMap(([whom, shownBy]) =>
    policies.map((policy) => ({
      rule: `replies_policy ${policy}: an answer to the ${whom} ${shownBy.includes(policy) ? 'enters' : 'does not'}`,
      policy,
      status: (all: People) => {
        const other = all[whom]
        return typeof other === 'number' ? {} : replyTo(other)
      },
      enters: shownBy.includes(policy),
    })),
  ),
]

describe('the feed of a list', () => {
  for (const { rule, policy, follow = {}, status, enters } of cases)
    it(`${rule}, when posted and when its author joins later`, async () => {
      const all = await people(policy, follow)
      const { owner, author, list } = all
      const id = await post({ accountId: author.id, ...(await status(all)) })
      expect((await listFeedOf(list)).includes(id)).toBe(enters)
      const ctx = context()
      const refills = [
        () => backfillFeeds(ctx, owner.id, author.id),
        () =>
          rebuildListFeed(ctx, {
            ownerId: owner.id,
            listId: list,
            joinedIds: [author.id],
            concernsHome: false,
          }),
      ]
      for (const refill of refills) {
        await ctx.db.delete(listEntries).where(eq(listEntries.listId, list))
        await refill()
        await refill()
        expect((await listFeedOf(list)).filter((entry) => entry === id)).toHaveLength(enters ? 1 : 0)
      }
    })

  it('shows posts of its owner who is a member of the list', async () => {
    const { owner } = await people()
    const list = await storedList({ of: owner, members: [owner] })
    const id = await post({ accountId: owner.id })
    expect(await listFeedOf(list)).toEqual([id])
  })

  it('shows nothing of an account that has yet to accept the follow', async () => {
    const { owner, stranger } = await people()
    await relation.followRequest(owner, stranger)
    const list = await storedList({ of: owner, members: [stranger] })
    const id = await post({ accountId: stranger.id, visibility: 'private' })
    expect(await listFeedOf(list)).toEqual([])
    await relation.follow(owner, stranger)
    await backfillFeeds(context(), owner.id, stranger.id)
    expect(await listFeedOf(list)).toEqual([id])
  })

  it('starts with the latest 40 posts of each new member', async () => {
    const { owner, author, fellow, list } = await people()
    const made: number[] = []
    for (let index = 0; index < 43; index += 1) made.push(await storedStatus({ accountId: author.id }))
    const other = await storedStatus({ accountId: fellow.id })
    await rebuildListFeed(context(), {
      ownerId: owner.id,
      listId: list,
      concernsHome: false,
      joinedIds: [author.id, fellow.id],
    })
    expect(await listFeedOf(list)).toEqual([...made.slice(3), other])
  })
})

describe('an exclusive list', () => {
  async function exclusive() {
    const all = await people()
    const list = await storedList({ of: all.owner, members: [all.author], exclusive: true })
    return { ...all, exclusiveList: list }
  }

  it('hides posts and reblogs of its members from the home of its owner only', async () => {
    const all = await exclusive()
    const { owner, author, fellow, friend, exclusiveList } = all
    await relation.follow(friend, author)
    const post1 = await post({ accountId: author.id })
    const reblog = await post({ accountId: author.id, ...(await shared(all)) })
    const others = await post({ accountId: fellow.id })
    expect(await homeFeedOf(owner)).toEqual([others])
    expect(await homeFeedOf(friend)).toEqual([post1, reblog])
    expect(await listFeedOf(exclusiveList)).toEqual([post1, reblog])
  })

  it('hides older posts that a follow inserts as well', async () => {
    const { owner, author } = await exclusive()
    await storedStatus({ accountId: author.id })
    await backfillFeeds(context(), owner.id, author.id)
    expect(await homeFeedOf(owner)).toEqual([])
  })

  it('keeps the owner’s own posts in their home', async () => {
    const { owner, exclusiveList } = await exclusive()
    await context().db.insert(listAccounts).values({
      id: context().ids.next(),
      listId: exclusiveList,
      ownerId: owner.id,
      accountId: owner.id,
    })
    const id = await post({ accountId: owner.id })
    const settled = { ownerId: owner.id, listId: exclusiveList, joinedIds: [owner.id], concernsHome: true }
    await rebuildListFeed(context(), settled)
    expect(await homeFeedOf(owner)).toEqual([id])
    expect(await listFeedOf(exclusiveList)).toEqual([id])
  })

  it('restores posts to home when an account leaves the list, unless it is not followed', async () => {
    const { owner, author, exclusiveList } = await exclusive()
    const id = await post({ accountId: author.id })
    const { db } = context()
    await db.delete(listAccounts).where(eq(listAccounts.listId, exclusiveList))
    const change = { ownerId: owner.id, listId: exclusiveList, joinedIds: [], concernsHome: true }
    await rebuildListFeed(context(), change)
    expect(await homeFeedOf(owner)).toEqual([id])
    expect(await listFeedOf(exclusiveList)).toEqual([])
    await db.delete(homeEntries).where(eq(homeEntries.accountId, owner.id))
    await db.insert(listEntries).values({ listId: exclusiveList, statusId: id })
    await db.delete(follows).where(eq(follows.accountId, owner.id))
    await rebuildListFeed(context(), change)
    expect(await homeFeedOf(owner)).toEqual([])
  })
})
