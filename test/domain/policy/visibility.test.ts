import { sql } from 'drizzle-orm'
import { beforeAll, describe, expect, it } from 'vitest'
import { blocks, follows, statuses, statusMentions } from '../../../src/db/schema'
import { type Visibility, visibilities } from '../../../src/db/schema/statuses'
import { anonymousViewer, viewerById } from '../../../src/domain/core/viewer'
import { canSee, visibleTo } from '../../../src/domain/policy/visibility'
import { checkEach } from '../../support/check-each'
import { given } from '../../support/given'
import { clock, context } from '../../support/test-app'

const relations = [
  'anonymous',
  'author',
  'stranger',
  'follower',
  'mentioned',
  'mentioned follower',
  'remote stranger',
  'remote follower',
  'mentioned remote follower',
] as const
type Relation = (typeof relations)[number]

interface Case {
  readonly visibility: Visibility
  readonly relation: Relation
  readonly blocked: boolean
  readonly suspended: boolean
  readonly localOnly: boolean
}

const cases: readonly Case[] = visibilities.flatMap((visibility) =>
  relations.flatMap((relation) =>
    [false, true].flatMap((suspended) =>
      [false, true]
        .filter((blocked) => !blocked || (relation !== 'anonymous' && relation !== 'author'))
        .flatMap((blocked) =>
          [false, true].map((localOnly) => ({ visibility, relation, blocked, suspended, localOnly })),
        ),
    ),
  ),
)

/** The rule in plain words, written apart from both implementations. */
function expected({ visibility, relation, blocked, suspended, localOnly }: Case): boolean {
  if (suspended) return false
  if (relation === 'author') return true
  if (blocked) return false
  if (localOnly && (relation === 'anonymous' || relation.includes('remote'))) return false
  if (visibility === 'public' || visibility === 'unlisted') return true
  if (relation.includes('mentioned')) return true
  return visibility === 'private' && relation.includes('follower')
}

const title = (c: Case) =>
  `a ${c.visibility}${c.localOnly ? ' local-only' : ''} status and ${c.blocked ? 'a blocked ' : ''}${c.relation}${c.suspended ? ', author suspended' : ''}`

type Pair = Pick<Case, 'relation' | 'blocked' | 'suspended'>
type Kind = Pick<Case, 'visibility' | 'suspended' | 'localOnly'>
const pairKey = ({ relation, blocked, suspended }: Pair) => `${relation} ${blocked} ${suspended}`
const kindKey = ({ visibility, suspended, localOnly }: Kind) => `${visibility} ${suspended} ${localOnly}`

/** Statuses, each with a reblog by another account, and viewers, each by its key. */
const made = new Map<string, { readonly id: number; readonly reblogId: number; readonly authorId: number }>()
const viewers = new Map<string, number | null>()

async function build(suspended: boolean): Promise<void> {
  const ctx = context()
  const now = clock.now()
  const author = await given.account(suspended ? { suspendedAt: now } : {})
  const sharer = await given.account()
  const pairs = cases.filter((one) => one.suspended === suspended)
  for (const one of new Map(pairs.map((pair) => [pairKey(pair), pair])).values())
    viewers.set(pairKey(one), await viewerOf(one, author.id))
  for (const kind of new Map(pairs.map((pair) => [kindKey(pair), pair])).values()) {
    const [id, reblogId] = [ctx.ids.next(), ctx.ids.next()]
    const base = { local: true, conversationId: id, createdAt: now }
    const { visibility, localOnly } = kind
    await ctx.db.insert(statuses).values([
      { ...base, id, accountId: author.id, visibility, localOnly },
      { ...base, id: reblogId, accountId: sharer.id, visibility: 'public' as const, reblogOfId: id },
    ])
    const named = pairs.filter(
      (pair) => kindKey(pair) === kindKey(kind) && pair.relation.includes('mentioned'),
    )
    const mentions = named.map((pair) => ({ statusId: id, accountId: viewers.get(pairKey(pair)) ?? 0 }))
    await ctx.db.insert(statusMentions).values(mentions)
    made.set(kindKey(kind), { id, reblogId, authorId: author.id })
  }
}

/** Viewer with this relation to the author; null for an anonymous one. */
async function viewerOf({ relation, blocked }: Pair, authorId: number): Promise<number | null> {
  if (relation === 'anonymous') return null
  if (relation === 'author') return authorId
  const { id } = relation.includes('remote') ? await given.remoteAccount() : await given.account()
  const { db, ids } = context()
  const pair = (accountId: number, targetAccountId: number) => ({
    id: ids.next(),
    accountId,
    targetAccountId,
    createdAt: clock.now(),
  })
  if (relation.includes('follower')) await db.insert(follows).values(pair(id, authorId))
  if (blocked) await db.insert(blocks).values(pair(authorId, id))
  return id
}

describe('visibility of a status', () => {
  beforeAll(async () => {
    for (const suspended of [false, true]) await build(suspended)
  })

  it('visibility of a status tests every combination', () => {
    expect(cases.length).toBe(256)
    expect([made.size, viewers.size]).toEqual([16, 32])
  })

  it('SQL, code and description agree for every combination [T-641]', async () => {
    const { db } = context()
    await checkEach(cases, { name: title }, async (situation) => {
      const { id, reblogId, authorId } = made.get(kindKey(situation)) ?? { id: 0, reblogId: 0, authorId: 0 }
      const viewer = viewers.get(pairKey(situation)) ?? null
      const ref = viewer === null ? anonymousViewer : viewerById(viewer)
      const found = await db.all<{ id: number }>(
        sql`select s.id as id from statuses s where s.id in (${id}, ${reblogId}) and ${visibleTo(ref)}`,
      )
      const pure = canSee(
        viewer,
        {
          accountId: authorId,
          visibility: situation.visibility,
          localOnly: situation.localOnly,
        },
        {
          authorSuspended: situation.suspended,
          blockedByAuthor: situation.blocked,
          followsAuthor: situation.relation.includes('follower'),
          mentioned: situation.relation.includes('mentioned'),
          isLocal: situation.relation !== 'anonymous' && !situation.relation.includes('remote'),
        },
      )
      const inSql = found.map((row) => row.id).sort()
      expect({ pure, inSql }).toEqual({
        pure: expected(situation),
        inSql: expected(situation) ? [id, reblogId].sort() : [],
      })
    })
  })
})
