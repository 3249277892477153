import { and, eq, sql } from 'drizzle-orm'
import { listLimits } from '../../contract/limits'
import { combineQueries, execute, orNotFound } from '../../db/query'
import { lists } from '../../db/schema'
import type { RepliesPolicy } from '../../db/schema/lists'
import { Invalid, NotFound } from '../../errors'
import type { ListId } from '../../lib/ids'
import type { DomainEvent } from '../../messages/events'
import type { Ctx } from '../../ports/ctx'
import { Changes, commit } from '../core/changes'
import { type Viewer, viewerById } from '../core/viewer'
import { type ListRow, ownList } from './find'
import { hasManyMembers, withdrawList } from './remove-in-parts'

/** The properties of a list set by its owner. */
export interface ListFacts {
  readonly title: string
  readonly repliesPolicy: RepliesPolicy
  readonly exclusive: boolean
}

/** Creates an empty list. `Invalid` for a title that is empty or too long, and beyond fifty lists. */
export async function createList(
  ctx: Ctx,
  viewer: Pick<Viewer, 'id'>,
  { title, repliesPolicy = 'list', exclusive = false }: Partial<ListFacts>,
): Promise<ListRow> {
  const row = {
    id: ctx.ids.next(),
    accountId: viewer.id,
    title: checkTitle(title),
    repliesPolicy,
    exclusive,
    createdAt: ctx.clock.now(),
  }
  const changes = new Changes()
    .require(
      sql`(select count(*) from lists where account_id = ${viewer.id}) < ${listLimits.perAccount}`,
      new Invalid('too_many_lists'),
    )
    .add(ctx.db.insert(lists).values(row))
  await commit(ctx, changes)
  return row
}

/** Changes the given properties of the viewer's list. `NotFound` for another account's, `Invalid` for a bad title. */
export async function updateList(
  ctx: Ctx,
  viewer: Pick<Viewer, 'id'>,
  { id, ...given }: Partial<ListFacts> & { readonly id: ListId },
): Promise<ListRow> {
  const found = await execute(ctx.db, orNotFound(ownList(ctx, viewerById(viewer.id), id)))
  const patch = given.title === undefined ? given : { ...given, title: checkTitle(given.title) }
  if (Object.keys(patch).length === 0) return found
  const changes = new Changes().add(ctx.db.update(lists).set(patch).where(isOwn(viewer, id)))
  const { exclusive = found.exclusive } = patch
  if (exclusive !== found.exclusive) changes.emit(listChangedEvent(viewer, id, true))
  await commit(ctx, changes)
  return { ...found, ...patch }
}

/** Deletes the viewer's list with its feed; its members stay followed. `NotFound` for another account's. */
export async function deleteList(ctx: Ctx, viewer: Pick<Viewer, 'id'>, id: ListId): Promise<void> {
  const { found, isLong } = await execute(
    ctx.db,
    combineQueries({
      found: ownList(ctx, viewerById(viewer.id), id),
      isLong: hasManyMembers(ctx, id),
    }),
  )
  if (found === null) throw new NotFound()
  const changes = new Changes()
  if (isLong) withdrawList(ctx, changes, isOwn(viewer, id), id)
  // Members go with it.
  else changes.add(ctx.db.delete(lists).where(isOwn(viewer, id)))
  // Statuses of an exclusive list return to the home feed before its own feed is deleted.
  changes.emit(listChangedEvent(viewer, id, found.exclusive))
  await commit(ctx, changes)
}

function listChangedEvent(viewer: Pick<Viewer, 'id'>, listId: ListId, concernsHome: boolean): DomainEvent {
  return { kind: 'list.changed', accountId: viewer.id, listId, joinedIds: [], concernsHome }
}

function isOwn(viewer: Pick<Viewer, 'id'>, id: ListId) {
  return and(eq(lists.id, id), eq(lists.accountId, viewer.id))
}

function checkTitle(title = ''): string {
  if (title.trim() === '') throw new Invalid('blank', { field: 'title' })
  const { titleCharacters } = listLimits
  if ([...title].length > titleCharacters)
    throw new Invalid('too_long', { field: 'title', max: titleCharacters })
  return title
}
