import { and, eq, type SQL, sql } from 'drizzle-orm'
import { limitTo, map, type Query, rows } from '../../db/query'
import { savedReplies } from '../../db/schema'
import { Invalid, InvalidFields, NotFound } from '../../errors'
import { type Problem, problem, tooLong } from '../../errors/sentences'
import type { SavedReplyId } from '../../lib/ids'
import type { Ctx } from '../../ports/ctx'
import { Changes, commit } from '../core/changes'
import type { Viewer, ViewerRef } from '../core/viewer'

/** Limits of saved replies: their number for each account, and code points. */
export const savedReplyLimits = { perAccount: 30, nameCharacters: 40, textCharacters: 500 } as const

/** A short text that a member answers with again and again. */
export interface SavedReply {
  readonly id: SavedReplyId
  readonly name: string
  readonly text: string
}

/** The viewer's saved replies by their names. */
export function savedRepliesOf(ctx: Ctx, viewer: ViewerRef): Query<SavedReply[]> {
  const { id, name, text, accountId } = savedReplies
  return rows(
    ctx.db
      .select({ id, name, text })
      .from(savedReplies)
      .where(sql`${accountId} = ${viewer.id}`)
      .orderBy(sql`${name} collate nocase`),
  )
}

/** Whether the viewer keeps a saved reply: a row read. */
export function hasSavedReplies(ctx: Ctx, viewer: ViewerRef): Query<boolean> {
  const { id, accountId } = savedReplies
  const found = ctx.db
    .select({ id })
    .from(savedReplies)
    .where(sql`${accountId} = ${viewer.id} ${limitTo(1)}`)
  return map(rows(found), (some) => some.length > 0)
}

interface ReplyFacts {
  readonly name: string
  readonly text: string
}

/** Keeps a text under a name. `Invalid` where one of them is empty, too long or the name is taken, and beyond thirty. */
export async function addSavedReply(ctx: Ctx, viewer: Pick<Viewer, 'id'>, given: ReplyFacts): Promise<void> {
  const { perAccount } = savedReplyLimits
  const row = { id: ctx.ids.next(), ...checked(given) }
  const changes = new Changes()
    .require(
      sql`(select count(*) from ${savedReplies} where ${savedReplies.accountId} = ${viewer.id}) < ${perAccount}`,
      new Invalid('too_many_saved_replies', { max: perAccount }),
    )
    .require(isFreeName(viewer, row), nameTaken())
    .add(ctx.db.insert(savedReplies).values({ accountId: viewer.id, ...row }))
  await commit(ctx, changes)
}

/** Changes a saved reply of the viewer. `NotFound` for another account's, `Invalid` as above. */
export async function changeSavedReply(
  ctx: Ctx,
  viewer: Pick<Viewer, 'id'>,
  { id, ...given }: ReplyFacts & { readonly id: SavedReplyId },
): Promise<void> {
  const facts = checked(given)
  const changes = new Changes()
    .require(isOwn(viewer, id), new NotFound())
    .require(isFreeName(viewer, { id, ...facts }), nameTaken())
    .add(ctx.db.update(savedReplies).set(facts).where(isIt(viewer, id)))
  await commit(ctx, changes)
}

/** Deletes a saved reply of the viewer. `NotFound` for another account's. */
export async function deleteSavedReply(
  ctx: Ctx,
  viewer: Pick<Viewer, 'id'>,
  id: SavedReplyId,
): Promise<void> {
  const changes = new Changes()
    .require(isOwn(viewer, id), new NotFound())
    .add(ctx.db.delete(savedReplies).where(isIt(viewer, id)))
  await commit(ctx, changes)
}

function isIt(viewer: Pick<Viewer, 'id'>, id: SavedReplyId) {
  return and(eq(savedReplies.accountId, viewer.id), eq(savedReplies.id, id))
}

function isOwn(viewer: Pick<Viewer, 'id'>, id: SavedReplyId): SQL {
  return sql`exists (select 1 from ${savedReplies} where ${isIt(viewer, id)})`
}

function isFreeName(viewer: Pick<Viewer, 'id'>, { id, name }: Pick<SavedReply, 'id' | 'name'>): SQL {
  const { accountId } = savedReplies
  return sql`not exists (select 1 from ${savedReplies} where ${accountId} = ${viewer.id}
    and ${savedReplies.id} <> ${id} and ${savedReplies.name} = ${name} collate nocase)`
}

function nameTaken(): InvalidFields {
  return new InvalidFields([problem('taken', { field: 'name' })])
}

/** The facts as they are stored. `Invalid` with each problem. */
function checked(given: ReplyFacts): ReplyFacts {
  const name = given.name.replaceAll(/\s+/g, ' ').trim()
  const text = given.text.replaceAll('\r\n', '\n').trim()
  const problems = [
    ...problemsOf('name', name, savedReplyLimits.nameCharacters),
    ...problemsOf('text', text, savedReplyLimits.textCharacters),
  ]
  if (problems.length > 0) throw new InvalidFields(problems)
  return { name, text }
}

function problemsOf(field: string, text: string, max: number): readonly Problem[] {
  return text === '' ? [problem('blank', { field })] : tooLong(field, text, max)
}
