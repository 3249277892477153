import { and, desc, eq, sql } from 'drizzle-orm'
import { first, limitTo, type Query, rows } from '../../db/query'
import { drafts } from '../../db/schema'
import { Invalid } from '../../errors'
import type { Ctx } from '../../ports/ctx'
import { Changes, commit } from '../core/changes'
import type { Viewer, ViewerRef } from '../core/viewer'

/** Most drafts of an account: of more the oldest goes. */
export const mostDrafts = 50

/** Most characters of a draft, as JSON. */
const mostCharacters = 60_000

/** Subject of a draft: a new post, the answer to, quote of or edit of a status by its id, or a scheduled status. */
export type DraftContext = 'new' | `${'reply' | 'quote' | 'edit' | 'scheduled'}:${number}`

/** Fields of the composer by name; empty ones are left out. */
export type DraftFields = Readonly<Record<string, string>>

export type DraftRow = typeof drafts.$inferSelect

/** The viewer's draft about one thing; null if none is kept. */
export function draftOf(ctx: Ctx, viewer: ViewerRef, context: DraftContext): Query<DraftRow | null> {
  return first(
    ctx.db
      .select()
      .from(drafts)
      .where(sql`${drafts.accountId} = ${viewer.id} and ${drafts.context} = ${context}`),
  )
}

/** The viewer's drafts, the latest first. */
export function draftsOf(ctx: Ctx, viewer: ViewerRef): Query<DraftRow[]> {
  return rows(
    ctx.db
      .select()
      .from(drafts)
      .where(sql`${drafts.accountId} = ${viewer.id}`)
      .orderBy(desc(drafts.updatedAt)),
  )
}

/** Keeps a draft in place of the one about the same thing. `Invalid` if it is too long. */
export async function saveDraft(
  ctx: Ctx,
  viewer: Viewer,
  { context, fields }: { readonly context: DraftContext; readonly fields: DraftFields },
): Promise<void> {
  if (JSON.stringify(fields).length > mostCharacters)
    throw new Invalid('too_long', { field: 'status', max: mostCharacters })
  const updatedAt = ctx.clock.now()
  const kept = sql`(select "latest".${sql.identifier(drafts.context.name)} from ${drafts} as "latest"
    where "latest".${sql.identifier(drafts.accountId.name)} = ${viewer.id}
    order by "latest".${sql.identifier(drafts.updatedAt.name)} desc ${limitTo(mostDrafts)})`
  const changes = new Changes()
    .add(
      ctx.db
        .insert(drafts)
        .values({ accountId: viewer.id, context, fields, updatedAt })
        .onConflictDoUpdate({ target: [drafts.accountId, drafts.context], set: { fields, updatedAt } }),
    )
    .add(
      ctx.db
        .delete(drafts)
        .where(sql`${drafts.accountId} = ${viewer.id} and ${drafts.context} not in ${kept}`),
    )
  await commit(ctx, changes)
}

/** Deletes a draft, if there is one. */
export async function deleteDraft(ctx: Ctx, viewer: Viewer, context: DraftContext): Promise<void> {
  const isIt = and(eq(drafts.accountId, viewer.id), eq(drafts.context, context))
  await commit(ctx, new Changes().add(ctx.db.delete(drafts).where(isIt)))
}
