import { eq } from 'drizzle-orm'
import { beforeAll, describe, expect, it } from 'vitest'
import {
  accountDomainBlocks,
  accounts,
  bookmarks,
  favourites,
  statuses,
  statusMentions,
} from '../../src/db/schema'
import { visibilities } from '../../src/db/schema/statuses'
import { canSee } from '../../src/domain/policy/visibility'
import { freshName, given, type TestAccount } from '../support/given'
import { relation } from '../support/given-relationships'
import { storedStatus } from '../support/given-stored'
import { foundStatusIds, updateSearchIndex } from '../support/searching'
import { clock, context } from '../support/test-app'

/**
 * Every visibility, under every reason to find a post, for every way its searcher and its author may stand to each
 * other: found is what the rule of the server lets them see, of what is theirs or open to all, and no author they hide.
 */

interface Named {
  readonly id: number
}

/** Relations by which the searcher may find the status. */
const reasons: Readonly<Record<string, (me: Named, statusId: number) => Promise<unknown>>> = {
  nothing: async () => undefined,
  mention: (me, statusId) => context().db.insert(statusMentions).values({ statusId, accountId: me.id }),
  favourite: (me, statusId) => context().db.insert(favourites).values(interactionOf(me, statusId)),
  bookmark: (me, statusId) => context().db.insert(bookmarks).values(interactionOf(me, statusId)),
  share: (me, statusId) => storedStatus({ accountId: me.id, reblogOfId: statusId, content: '' }),
}

const interactionOf = (me: Named, statusId: number) => ({
  id: context().ids.next(),
  accountId: me.id,
  statusId,
})

interface Standing {
  readonly follows?: boolean
  readonly blockedByAuthor?: boolean
  readonly authorSuspended?: boolean
  /** Whether the searcher hides the author, or moderators limited the author. */
  readonly hides?: boolean
  make(me: TestAccount, author: Named): Promise<unknown>
}

const setAuthor = (author: Named, row: Partial<typeof accounts.$inferInsert>) =>
  context().db.update(accounts).set(row).where(eq(accounts.id, author.id))

const standings: Readonly<Record<string, Standing>> = {
  strangers: { make: async () => undefined },
  follower: { follows: true, make: (me, author) => relation.follow(me, author) },
  'who asked to follow': { make: (me, author) => relation.followRequest(me, author) },
  'blocked by the author': {
    blockedByAuthor: true,
    follows: true,
    make: async (me, author) => [await relation.follow(me, author), await relation.block(author, me)],
  },
  'who blocks the author': { hides: true, make: (me, author) => relation.block(me, author) },
  'who mutes the author': { hides: true, make: (me, author) => relation.mute(me, author) },
  'whose mute has ended': {
    make: (me, author) => relation.mute(me, author, { expiresAt: new Date(clock.now().getTime() - 1) }),
  },
  'who blocks the domain': {
    hides: true,
    make: (me) =>
      context()
        .db.insert(accountDomainBlocks)
        .values({ accountId: me.id, domain: 'elsewhere.test', id: context().ids.next() }),
  },
  'of a suspended author': {
    authorSuspended: true,
    follows: true,
    make: async (me, author) => [
      await relation.follow(me, author),
      await setAuthor(author, { suspendedAt: clock.now() }),
    ],
  },
  'of a limited author': {
    hides: true,
    make: (_, author) => setAuthor(author, { silencedAt: clock.now() }),
  },
  'follower of a limited author': {
    follows: true,
    make: async (me, author) => [
      await relation.follow(me, author),
      await setAuthor(author, { silencedAt: clock.now() }),
    ],
  },
}

interface Case {
  readonly id: number
  readonly name: string
  readonly isFound: boolean
}

describe.each([true, false])('an author who is searchable for everybody: %s', (indexable) => {
  describe.each(Object.entries(standings))('%s', (_, standing) => {
    let me: TestAccount
    let cases: readonly Case[]
    const word = `${freshName('dunnock')}x`
    const page = `https://${word}.example/page`

    beforeAll(async () => {
      me = await given.account()
      const author = await given.remoteAccount({ indexable })
      const made: Case[] = []
      for (const visibility of visibilities)
        for (const [reason, give] of Object.entries(reasons)) {
          const row = { accountId: author.id, local: false, visibility, content: `<p>${word}</p>` }
          const id = await storedStatus(row)
          await give(me, id)
          const facts = {
            authorSuspended: false,
            blockedByAuthor: false,
            followsAuthor: standing.follows === true,
            isLocal: true,
            mentioned: reason === 'mention',
          }
          const isSeen = canSee(
            me.id,
            { accountId: author.id, visibility, localOnly: false },
            { ...facts, ...standing },
          )
          const isTheirs = reason !== 'nothing' || (indexable && visibility === 'public')
          const isFound = isSeen && isTheirs && standing.hides !== true
          made.push({ id, isFound, name: `${visibility}, ${reason}` })
          // As if stored while it could be found: what the index says must not matter.
          await context()
            .db.update(statuses)
            .set({ content: `<p>${word} ${id} <a href="${page}">page</a></p>` })
            .where(eq(statuses.id, id))
        }
      await updateSearchIndex()
      await standing.make(me, author)
      cases = made
    })

    it.each(['a word', 'an address'])('finds permitted posts by %s [T-476]', async (kind) => {
      const ids = await foundStatusIds(me, kind === 'a word' ? word : page, { limit: '40' })
      const names = Array.isArray(ids) ? ids.map((id) => cases.find((one) => one.id === id)?.name) : []
      expect(names.toSorted()).toEqual(
        cases
          .filter(({ isFound }) => isFound)
          .map(({ name }) => name)
          .toSorted(),
      )
    })

    it('finds no more by any operator, and lets others find only public posts', async () => {
      const may = new Set(cases.filter(({ isFound }) => isFound).map(({ id }) => id))
      for (const q of [
        `${word} in:library`,
        `${word} in:public`,
        `${word} -has:media`,
        `-nothing "${word}"`,
        `${page} in:public`,
        `${word} ${page}#top`,
      ]) {
        const ids = await foundStatusIds(me, q, { limit: '40' })
        expect(Array.isArray(ids) && ids.every((id) => may.has(id)), q).toBe(true)
      }
      const others = await foundStatusIds(await given.account(), word, { limit: '40' })
      const open = Array.isArray(others) ? others.map((id) => cases.find((one) => one.id === id)?.name) : []
      expect(open.every((name) => indexable && name?.startsWith('public'))).toBe(true)
      expect(await foundStatusIds(null, word)).toEqual([])
      expect(await foundStatusIds(null, page)).toEqual([])
    })
  })
})

describe('posts that never leave this server', () => {
  it('local accounts find posts that never leave this server', async () => {
    const word = `${freshName('dunnock')}x`
    const author = await given.account({ indexable: true })
    const { id } = await given.status({ by: author, text: word, localOnly: true })
    expect(await foundStatusIds(await given.account(), word)).toEqual([Number(id)])
    expect(await foundStatusIds(null, word)).toEqual([])
  })
})
