import { sql } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { blocks, follows, statuses, statusMentions } from '../../../src/db/schema'
import { type Visibility, visibilities } from '../../../src/db/schema/statuses'
import { anonymousViewer, viewerById } from '../../../src/domain/core/viewer'
import { canSee, visibleTo } from '../../../src/domain/policy/visibility'
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

/** Builds the case in the database: a status, and a reblog of it by somebody harmless. */
async function build({ visibility, relation, blocked, suspended, localOnly }: Case) {
  const ctx = context()
  const now = clock.now()
  const author = await given.account(suspended ? { suspendedAt: now } : {})
  const sharer = await given.account()
  const stranger = relation.includes('remote') ? await given.remoteAccount() : await given.account()
  const viewer = relation === 'author' ? author : stranger
  const id = ctx.ids.next()
  const reblogId = ctx.ids.next()
  const base = { local: true, conversationId: id, createdAt: now }
  await ctx.db.insert(statuses).values({ ...base, id, accountId: author.id, visibility, localOnly })
  await ctx.db
    .insert(statuses)
    .values({ ...base, id: reblogId, accountId: sharer.id, visibility: 'public', reblogOfId: id })
  const pair = (accountId: number, targetAccountId: number) => ({
    id: ctx.ids.next(),
    accountId,
    targetAccountId,
    createdAt: now,
  })
  if (relation.includes('follower')) await ctx.db.insert(follows).values(pair(viewer.id, author.id))
  if (relation.includes('mentioned'))
    await ctx.db.insert(statusMentions).values({ statusId: id, accountId: viewer.id })
  if (blocked) await ctx.db.insert(blocks).values(pair(author.id, viewer.id))
  return { ctx, author, viewer: relation === 'anonymous' ? null : viewer, id, reblogId }
}

describe('visibility of a status', () => {
  it('is asked for every combination', () => {
    expect(cases.length).toBe(256)
  })

  for (const situation of cases)
    it(`agrees in SQL, in code and in words for ${title(situation)} [T-641]`, async () => {
      const { ctx, author, viewer, id, reblogId } = await build(situation)
      const ref = viewer === null ? anonymousViewer : viewerById(viewer.id)
      const found = await ctx.db.all<{ id: number }>(
        sql`select s.id as id from statuses s where s.id in (${id}, ${reblogId}) and ${visibleTo(ref)}`,
      )
      const pure = canSee(
        viewer?.id ?? null,
        {
          accountId: author.id,
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
