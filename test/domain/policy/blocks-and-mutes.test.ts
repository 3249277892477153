import { sql } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { accountDomainBlocks, notifications, statuses } from '../../../src/db/schema'
import { viewerById } from '../../../src/domain/core/viewer'
import { isVisibleTo } from '../../../src/domain/notifications/find'
import {
  type DisplayContext,
  isHidden,
  notBlockedOrMutedBy,
} from '../../../src/domain/policy/blocks-and-mutes'
import { visibleTo } from '../../../src/domain/policy/visibility'
import { findRules } from '../../../src/domain/streams/find-rules'
import { allowedInPublicTimeline } from '../../../src/domain/timelines/public'
import { given } from '../../support/given'
import { relation } from '../../support/given-relationships'
import { clock, context } from '../../support/test-app'

/** Relationships that a viewer can have to an author. */
const restrictions = {
  none: () => undefined,
  follows: (viewer, other) => relation.follow(viewer, other),
  blocks: (viewer, other) => relation.block(viewer, other),
  'is blocked by': (viewer, other) => relation.block(other, viewer),
  mutes: (viewer, other) => relation.mute(viewer, other),
  'mutes but for notifications': (viewer, other) =>
    relation.mute(viewer, other, { hideNotifications: false }),
  'mutes for an hour': (viewer, other) => relation.mute(viewer, other, { expiresAt: within(3_600_000) }),
  'muted until now': (viewer, other) => relation.mute(viewer, other, { expiresAt: within(0) }),
  'blocks the domain of': (viewer, other) => blockDomain(viewer, other.domain),
  'blocks a parent domain of': (viewer, other) => blockDomain(viewer, other.domain.replace(/^[^.]+\./, '')),
} as const satisfies Record<string, (viewer: Person, other: Person & { domain: string }) => unknown>
type Restriction = keyof typeof restrictions

interface Person {
  readonly id: number
}

const all: readonly Restriction[] = [
  'none',
  'follows',
  'blocks',
  'is blocked by',
  'mutes',
  'mutes but for notifications',
  'mutes for an hour',
  'muted until now',
  'blocks the domain of',
  'blocks a parent domain of',
]
const choices = [null, [], ['de'], ['de', 'en']] as const
const spoken = [null, 'de', 'fr'] as const

/** The rule in plain words, written apart from both implementations. */
function hides(restriction: Restriction, place: DisplayContext): boolean {
  if (restriction === 'mutes but for notifications') return place !== 'notice'
  return ['blocks', 'is blocked by', 'mutes', 'mutes for an hour', 'blocks the domain of'].includes(
    restriction,
  )
}

function within(milliseconds: number): Date {
  return new Date(clock.now().getTime() + milliseconds)
}

async function blockDomain(viewer: Person, domain: string): Promise<void> {
  const ctx = context()
  await ctx.db.insert(accountDomainBlocks).values({ accountId: viewer.id, domain, id: ctx.ids.next() })
}

let hosts = 0

async function stranger(viewer: Person, restriction: Restriction) {
  hosts += 1
  const account = await given.remoteAccount({ domain: `social.hiding${hosts}.test` })
  await restrictions[restriction](viewer, account)
  return account
}

async function post(author: Person, options: Partial<typeof statuses.$inferInsert> = {}): Promise<number> {
  const ctx = context()
  const id = ctx.ids.next()
  const base = { local: false, conversationId: id, createdAt: clock.now(), visibility: 'public' as const }
  await ctx.db.insert(statuses).values({ ...base, ...options, id, accountId: author.id })
  return id
}

async function isShown(place: DisplayContext, viewer: Person, statusId: number): Promise<boolean> {
  const ref = viewerById(viewer.id)
  const now = clock.now()
  const found = {
    feed: sql`select s.id from statuses s
      where s.id = ${statusId} and ${visibleTo(ref)} and ${notBlockedOrMutedBy(ref, now)}`,
    public: sql`select s.id from statuses s where s.id = ${statusId} and ${allowedInPublicTimeline(ref, now)}`,
    notice: sql`select n.id from notifications n
      where n.account_id = ${viewer.id} and n.status_id = ${statusId} and ${isVisibleTo(ref, now)}`,
  }[place]
  return (await context().db.all(found)).length > 0
}

const person = ({ id, domain }: { id: number; domain: string }) => ({ id, domain, isAuthor: true })

async function pure(place: DisplayContext, viewer: Person, about: Parameters<typeof isHidden>[1]) {
  const rules = await findRules(context(), viewer.id)
  return !isHidden(rules.hiding, about, { place, now: clock.now() })
}

describe('hiding from a viewer', () => {
  for (const restriction of all)
    for (const place of ['feed', 'public', 'notice'] as const)
      it(`SQL, code and description agree where the viewer ${restriction} the author (${place})`, async () => {
        const viewer = await given.account()
        const author = await stranger(viewer, restriction)
        const id = await post(author)
        if (place === 'notice') await mentionNotice(viewer, author, id)
        const found = {
          sql: await isShown(place, viewer, id),
          code: await pure(place, viewer, { people: [person(author)], language: null }),
        }
        const shown = !hides(restriction, place)
        expect(found).toEqual({ sql: shown, code: shown })
      })

  for (const restriction of all)
    for (const byRestriction of ['none', 'mutes'] as const)
      it(`SQL, code and description agree where an account the viewer ${byRestriction} reblogs one the viewer ${restriction}`, async () => {
        const viewer = await given.account()
        const author = await stranger(viewer, restriction)
        const sharer = await stranger(viewer, byRestriction)
        const id = await post(sharer, { reblogOfId: await post(author) })
        const shown = !hides(restriction, 'feed') && !hides(byRestriction, 'feed')
        const about = { people: [person(sharer), person(author)], language: null }
        expect({
          sql: await isShown('feed', viewer, id),
          code: await pure('feed', viewer, about),
        }).toEqual({ sql: shown, code: shown })
      })

  for (const chosenLanguages of choices)
    for (const language of spoken)
      it(`SQL, code and description agree on ${language} for a viewer who chose ${JSON.stringify(chosenLanguages)}`, async () => {
        const viewer = await given.account({ user: { settings: { chosenLanguages } } })
        const author = await stranger(viewer, 'none')
        const id = await post(author, { language })
        const isChosen = (chosenLanguages ?? []).length === 0 || language === null || language === 'de'
        const about = { people: [person(author)], language }
        expect({
          sql: await isShown('public', viewer, id),
          code: await pure('public', viewer, about),
          feed: await pure('feed', viewer, about),
        }).toEqual({ sql: isChosen, code: isChosen, feed: true })
      })

  it('shows an interaction without content although posts of that account are hidden', async () => {
    const viewer = await given.account()
    const blocker = await stranger(viewer, 'is blocked by')
    const id = await post(viewer)
    await mentionNotice(viewer, blocker, id, 'favourite')
    const about = { people: [{ ...person(blocker), isAuthor: false }], language: null }
    expect({
      sql: await isShown('notice', viewer, id),
      code: await pure('notice', viewer, about),
    }).toEqual({ sql: true, code: true })
  })
})

async function mentionNotice(
  viewer: Person,
  from: Person,
  statusId: number,
  type: 'mention' | 'favourite' = 'mention',
) {
  const ctx = context()
  await ctx.db.insert(notifications).values({
    id: ctx.ids.next(),
    accountId: viewer.id,
    type,
    fromAccountId: from.id,
    statusId,
    createdAt: clock.now(),
  })
}
