import { env } from 'cloudflare:workers'
import { eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { execute, openDb } from '../../../src/db/query'
import { homeEntries } from '../../../src/db/schema'
import { Changes, commit } from '../../../src/domain/core/changes'
import { viewerById } from '../../../src/domain/core/viewer'
import {
  changeTagFollow,
  followTag,
  type TagFollowOptions,
  tagFollowOf,
} from '../../../src/domain/tags/follow'
import { fanOut } from '../../../src/domain/timelines/fan-out'
import { NotFound } from '../../../src/errors'
import { dayMilliseconds } from '../../../src/lib/days'
import { countingDb } from '../../support/costs'
import { freshName, given, type TestAccount } from '../../support/given'
import { relation } from '../../support/given-relationships'
import { type StoredOptions, storedStatus } from '../../support/given-stored'
import { clock, context, settleLateWork } from '../../support/test-app'

/** A reader who follows a hashtag and a friend, and a stranger. It is noon, so that the posts of a day stay in it. */
async function people() {
  const noon = Math.ceil(clock.now().getTime() / dayMilliseconds) * dayMilliseconds + dayMilliseconds / 2
  clock.set(new Date(noon))
  const [reader, friend, stranger] = [await given.account(), await given.account(), await given.account()]
  const tag = freshName('tag')
  await relation.follow(reader, friend)
  await followTag(context(), reader, tag)
  await settleLateWork()
  return { reader, friend, stranger, tag }
}

async function change(reader: TestAccount, tag: string, options: Partial<TagFollowOptions>): Promise<void> {
  await changeTagFollow(context(), reader, tag, options)
  await settleLateWork()
}

async function homeOf({ id }: TestAccount): Promise<number[]> {
  await settleLateWork()
  const entries = await context().db.select().from(homeEntries).where(eq(homeEntries.accountId, id))
  return entries.map(({ statusId }) => statusId)
}

async function post({ id: accountId }: TestAccount, ...tags: readonly string[]): Promise<number> {
  const id = await storedStatus({ accountId, tags: [...tags] } satisfies StoredOptions)
  await enter(id, tags)
  return id
}

async function enter(id: number, tags: readonly string[], ctx = context()): Promise<void> {
  const used = tags.map((name) => ({ name, display: name }))
  await commit(ctx, new Changes().add(...fanOut(ctx, { id, visibility: 'public', local: true, tags: used })))
}

const tomorrow = () => new Date(clock.now().getTime() + dayMilliseconds)

describe('a snoozed hashtag', () => {
  it('a snoozed hashtag brings no posts for a day and takes those that came for it alone out of home', async () => {
    const { reader, friend, stranger, tag } = await people()
    await post(stranger, tag)
    const ofFriend = await post(friend, tag)
    await change(reader, tag, { snoozedUntil: tomorrow() })
    expect(await homeOf(reader)).toEqual([ofFriend])
    await post(stranger, tag)
    expect(await homeOf(reader)).toEqual([ofFriend])
    clock.advance(dayMilliseconds + 1_000)
    const later = await post(stranger, tag)
    expect(await homeOf(reader)).toEqual([ofFriend, later])
  })

  it('a snoozed hashtag brings its latest posts back when the snooze is ended by hand', async () => {
    const { reader, stranger, tag } = await people()
    const before = await post(stranger, tag)
    await change(reader, tag, { snoozedUntil: tomorrow() })
    const meanwhile = await post(stranger, tag)
    await change(reader, tag, { snoozedUntil: null })
    expect(await homeOf(reader)).toEqual([before, meanwhile])
  })

  it('a snoozed hashtag keeps posts in home that another followed hashtag brings', async () => {
    const { reader, stranger, tag } = await people()
    const other = freshName('tag')
    await followTag(context(), reader, other)
    const both = await post(stranger, tag, other)
    await change(reader, tag, { snoozedUntil: tomorrow() })
    const later = await post(stranger, tag, other)
    expect(await homeOf(reader)).toEqual([both, later])
  })

  it('a snoozed hashtag is quiet for the reader alone', async () => {
    const { reader, stranger, tag } = await people()
    const neighbour = await given.account()
    await followTag(context(), neighbour, tag)
    await change(reader, tag, { snoozedUntil: tomorrow(), fewer: true })
    const [first, second] = [await post(stranger, tag), await post(stranger, tag)]
    expect(await homeOf(neighbour)).toEqual([first, second])
  })
})

describe('a hashtag of which fewer posts are wanted', () => {
  it('a hashtag of which fewer posts are wanted brings the first post of each day by accounts that are not followed', async () => {
    const { reader, friend, stranger, tag } = await people()
    await change(reader, tag, { fewer: true })
    const ofFriend = await post(friend, tag)
    const monday = await post(stranger, tag)
    await post(stranger, tag)
    const second = await post(friend, tag)
    const own = await post(reader, tag)
    clock.advance(dayMilliseconds)
    const tuesday = await post(stranger, tag)
    await post(stranger, tag)
    expect(await homeOf(reader)).toEqual([ofFriend, monday, second, own, tuesday])
  })

  it('a hashtag of which fewer posts are wanted leaves the first post of each day in home once fewer are wanted, and brings the others back afterwards', async () => {
    const { reader, friend, stranger, tag } = await people()
    const other = freshName('tag')
    await followTag(context(), reader, other)
    const monday = [await post(stranger, tag), await post(stranger, tag)]
    const kept = [await post(stranger, tag, other), await post(friend, tag)]
    clock.advance(dayMilliseconds)
    const tuesday = [await post(stranger, tag), await post(stranger, tag)]
    await change(reader, tag, { fewer: true })
    expect(await homeOf(reader)).toEqual([monday[0], ...kept, tuesday[0]])
    await post(stranger, tag)
    expect(await homeOf(reader)).toEqual([monday[0], ...kept, tuesday[0]])
    await change(reader, tag, { fewer: false })
    expect(await homeOf(reader)).toEqual([...monday, ...kept, ...tuesday, expect.any(Number)])
  })

  it('a hashtag of which fewer posts are wanted brings a second post of the day once the first was deleted', async () => {
    const { reader, stranger, tag } = await people()
    await change(reader, tag, { fewer: true })
    const first = await post(stranger, tag)
    await context().db.delete(homeEntries).where(eq(homeEntries.statusId, first))
    const second = await post(stranger, tag)
    expect(await homeOf(reader)).toEqual([second])
  })
})

describe('the costs of a post with a hashtag', () => {
  const readers = 20

  it('the costs of a post with a hashtag are a statement, five rows, and a row for each reader who wants fewer posts and has seen one today', async () => {
    const { stranger, tag } = await people()
    const many = await Promise.all(Array.from({ length: readers }, () => given.account()))
    for (const one of many) await followTag(context(), one, tag)
    await settleLateWork()
    const costs = async (id: number) => {
      const counted = countingDb(env.DB)
      await enter(id, [tag], context({ db: openDb(counted.db) }))
      return counted.read()
    }
    const made = () => storedStatus({ accountId: stranger.id, tags: [tag] })
    const untagged = countingDb(env.DB)
    const plain = await storedStatus({ accountId: stranger.id })
    await enter(plain, [], context({ db: openDb(untagged.db) }))
    const all = await costs(await made())
    expect(all.statements).toBe(untagged.read().statements + 1)
    for (const one of many) await change(one, tag, { fewer: true })
    const seen = await costs(await made())
    expect(seen.rowsRead - all.rowsRead).toBeLessThanOrEqual(readers)
    expect(all.rowsWritten - seen.rowsWritten).toBe(readers)
    clock.advance(dayMilliseconds)
    const first = await costs(await made())
    expect(first.rowsRead - all.rowsRead).toBeLessThanOrEqual(6 * readers)
    expect(first.rowsWritten - all.rowsWritten).toBe(readers)
  })
})

describe('the follow of a hashtag', () => {
  it('the follow of a hashtag is found with its choices, without a snooze that is over', async () => {
    const { reader, tag } = await people()
    const found = () => execute(context().db, tagFollowOf(context(), viewerById(reader.id), tag))
    expect(await found()).toEqual({ snoozedUntil: null, fewer: false })
    const until = tomorrow()
    await change(reader, tag, { snoozedUntil: until, fewer: true })
    expect(await found()).toEqual({ snoozedUntil: until, fewer: true })
    clock.set(until)
    expect(await found()).toEqual({ snoozedUntil: null, fewer: true })
  })

  it('the follow of a hashtag is not made by a change of one that does not exist', async () => {
    const { stranger, tag } = await people()
    await expect(changeTagFollow(context(), stranger, tag, { fewer: true })).rejects.toThrow(NotFound)
    expect(await execute(context().db, tagFollowOf(context(), viewerById(stranger.id), tag))).toBeNull()
  })
})
