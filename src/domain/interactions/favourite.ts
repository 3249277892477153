import { and, eq, sql } from 'drizzle-orm'
import { combineQueries, execute, first, type Query } from '../../db/query'
import { bookmarks, favouriteRequests, favourites, statuses } from '../../db/schema'
import type { Approval } from '../../db/values'
import { Conflict, Forbidden, NotFound } from '../../errors'
import type { AccountId, StatusId } from '../../lib/ids'
import type { Ctx } from '../../ports/ctx'
import { Changes, commit, commitStep, ignored, type Outcome } from '../core/changes'
import { type Viewer, viewerById } from '../core/viewer'
import { notify } from '../notifications/notify'
import { decideApproval } from '../policy/interaction'
import type { VisibleStatus } from '../policy/visibility'
import {
  findLocalInteraction,
  findOriginalStatus,
  isStillVisible,
  type LocalInteraction,
  originalOf,
  visibleOriginal,
} from '../statuses/find'
import { authorRelationOf } from '../statuses/find-author'
import { approvalIn, isBetterProof, type ReceivedApproval } from '../statuses/receive-request'
import { favouritesChangedBy } from '../statuses/store'
import { withdrawNotification } from '../statuses/withdraw-notification'

/**
 * Makes `viewer` favourite the status `id`, or its original, and notifies a local author. Idempotent. `NotFound`
 * for a status the viewer may not see, `Forbidden` where its remote author does not allow favourites of theirs. Where that
 * author approves each, the favourite is a request until then (`favourite.requested`). Emits `favourite.created` for a
 * remote status.
 */
export async function favouriteStatus(ctx: Ctx, viewer: Viewer, id: StatusId): Promise<void> {
  const status = await findOriginalStatus(ctx, viewer, id)
  const consent = await decideFavourite(ctx, viewer.id, status)
  if (consent === 'refused') throw favouritesRefused()
  const mark = ctx.ids.next()
  const changes = new Changes().require(isStillVisible(viewerById(viewer.id), status.id), new NotFound())
  if (consent === 'asked') addFavouriteRequest(ctx, changes, { id: mark, by: viewer.id, status })
  else addFavourite(ctx, changes, { id: mark, by: viewer.id, status, uri: null })
  const kind = consent === 'asked' ? 'favourite.requested' : 'favourite.created'
  if (!status.local) changes.emit({ kind, accountId: viewer.id, statusId: status.id, favouriteId: mark })
  await commit(ctx, changes)
}

/** Error for favourites and reactions that the author of a status does not allow. */
export function favouritesRefused(): Forbidden {
  return new Forbidden('favourite_refused')
}

/** Decides as `decideApproval`. One round trip where favourites of the status are restricted, else none. */
export async function decideFavourite(
  ctx: Ctx,
  account: AccountId,
  status: VisibleStatus,
): Promise<ReturnType<typeof decideApproval>> {
  if (status.likePolicy === 'public') return 'given'
  const standing = await execute(ctx.db, authorRelationOf(ctx, account, sql<StatusId>`${status.id}`))
  return standing === null ? 'refused' : decideApproval('favourite', account, { status, standing })
}

/** Adds a request for a favourite, where there is neither yet. */
function addFavouriteRequest(
  ctx: Ctx,
  changes: Changes,
  { id, by, status }: Pick<NewFavourite, 'id' | 'by' | 'status'>,
): void {
  changes.add(
    ctx.db.run(sql`insert into ${favouriteRequests} (id, account_id, status_id) select ${id}, ${by}, ${status.id}
      where not exists (select 1 from ${favourites} where status_id = ${status.id} and account_id = ${by})
      on conflict do nothing`),
  )
}

interface NewFavourite {
  readonly id: number
  readonly by: AccountId
  readonly status: Pick<VisibleStatus, 'id' | 'accountId' | 'local'>
  /** Id of the remote Like activity; null for a local favourite. */
  readonly uri: string | null
  /** By the remote author of the status. */
  readonly approval?: Approval
}

/** Adds a favourite, where there is none yet, with its count and its notification. */
export function addFavourite(ctx: Ctx, changes: Changes, favourite: NewFavourite): void {
  const { id, by, status, uri, approval = null } = favourite
  changes.add(
    ctx.db
      .insert(favourites)
      .values({ id, accountId: by, statusId: status.id, uri, approval })
      .onConflictDoNothing({ target: [favourites.statusId, favourites.accountId] }),
    // Only the statement above can have made this id: the count moves exactly when it did.
    ctx.db
      .update(statuses)
      .set(favouritesChangedBy(1))
      .where(and(eq(statuses.id, status.id), sql`exists (select 1 from ${favourites} f where f.id = ${id})`)),
  )
  if (status.local)
    notify(ctx, changes, [{ to: status.accountId, from: by, type: 'favourite', statusId: status.id }])
}

/** Deletes the favourite `mark` with its count and its notification. */
export function removeFavourite(
  ctx: Ctx,
  changes: Changes,
  { mark, by }: { readonly mark: FavouriteRow; readonly by: AccountId },
): void {
  const isMark = eq(favourites.id, mark.id)
  changes.add(
    // Counter first: after the delete nothing shows whether the row existed.
    ctx.db
      .update(statuses)
      .set(favouritesChangedBy(-1))
      .where(and(eq(statuses.id, mark.statusId), sql`exists (select 1 from ${favourites} where ${isMark})`)),
    ctx.db.delete(favourites).where(isMark),
    withdrawNotification(ctx, { from: by, type: 'favourite', statusId: mark.statusId }),
  )
}

/** Deletes a request for a favourite. */
export function removeFavouriteRequest(ctx: Ctx, id: number) {
  return ctx.db.delete(favouriteRequests).where(eq(favouriteRequests.id, id))
}

interface FavouriteRow {
  readonly id: number
  readonly statusId: StatusId
}

/** The viewer's favourite of the status `id`, or the request for it. One statement. */
function favouriteOrRequest(
  ctx: Ctx,
  viewer: AccountId,
  id: StatusId,
): Query<(FavouriteRow & { readonly isRequest: number }) | null> {
  const own = sql`account_id = ${viewer} and status_id = ${originalOf(id)}`
  return first(
    ctx.db
      .select({
        id: sql<number>`m.id`.as('id'),
        statusId: sql<StatusId>`m.status_id`.as('status_id'),
        isRequest: sql<number>`m.is_request`.as('is_request'),
      })
      .from(sql`(select id, status_id, 0 as is_request from favourites where ${own}
        union all select id, status_id, 1 from favourite_requests where ${own}) m`),
  )
}

/**
 * Removes a favourite with its notification, or the request for it, also after the author hid the status from `viewer`.
 * Without a favourite a hidden status is `NotFound`, and a visible one stays as it is.
 */
export async function unfavouriteStatus(ctx: Ctx, viewer: Viewer, id: StatusId): Promise<void> {
  const { mark, visible } = await execute(
    ctx.db,
    combineQueries({
      mark: favouriteOrRequest(ctx, viewer.id, id),
      visible: visibleOriginal(ctx, viewerById(viewer.id), id),
    }),
  )
  if (mark === null && visible === null) throw new NotFound()
  if (mark === null) return
  const changes = new Changes()
  if (mark.isRequest === 1) changes.add(removeFavouriteRequest(ctx, mark.id))
  else removeFavourite(ctx, changes, { mark, by: viewer.id })
  // A status hidden by now may be remote or local.
  if (visible?.local !== true)
    changes.emit({
      kind: 'favourite.removed',
      accountId: viewer.id,
      statusId: mark.statusId,
      favouriteId: mark.id,
    })
  await commit(ctx, changes)
}

/** Bookmarks the status `id`, or its original, for the viewer. Publishes and federates nothing. */
export async function bookmarkStatus(ctx: Ctx, viewer: Pick<Viewer, 'id'>, id: StatusId): Promise<void> {
  const status = await findOriginalStatus(ctx, viewer, id)
  const changes = new Changes().require(isStillVisible(viewerById(viewer.id), status.id), new NotFound()).add(
    ctx.db
      .insert(bookmarks)
      .values({ id: ctx.ids.next(), accountId: viewer.id, statusId: status.id })
      .onConflictDoNothing({ target: [bookmarks.statusId, bookmarks.accountId] }),
  )
  await commit(ctx, changes)
}

/**
 * Removes a bookmark, also after the author hid the status from `viewer`. Without a bookmark a hidden status is
 * `NotFound`, and a visible one stays as it is.
 */
export async function unbookmarkStatus(ctx: Ctx, viewer: Pick<Viewer, 'id'>, id: StatusId): Promise<void> {
  const own = and(eq(bookmarks.accountId, viewer.id), eq(bookmarks.statusId, originalOf(id)))
  const { mark, visible } = await execute(
    ctx.db,
    combineQueries({
      mark: first(ctx.db.select({ id: bookmarks.id }).from(bookmarks).where(own)),
      visible: visibleOriginal(ctx, viewerById(viewer.id), id),
    }),
  )
  if (mark === null && visible === null) throw new NotFound()
  if (mark === null) return
  await commit(ctx, new Changes().add(ctx.db.delete(bookmarks).where(eq(bookmarks.id, mark.id))))
}

/**
 * Receives a remote author's approval of a local favourite. A request becomes the favourite it asks for; otherwise the
 * address of the proof is stored. Repeating it changes nothing. Emits `favourite.created` for a request.
 */
export async function receiveFavouriteApproval(
  ctx: Ctx,
  author: { readonly id: AccountId },
  approved: ReceivedApproval,
): Promise<Outcome> {
  const { request, favourite, held } = await execute(
    ctx.db,
    combineQueries({
      request: findLocalInteraction(ctx, author.id, approved, 'favourite_requests'),
      favourite: findLocalInteraction(ctx, author.id, approved, 'favourites'),
      held: first(
        ctx.db
          .select({ approval: favourites.approval })
          .from(favourites)
          .where(eq(favourites.id, approved.id)),
      ),
    }),
  )
  const approval = approvalIn(approved)
  const changes = new Changes()
  if (request !== null) grantRequest(ctx, changes, { request, approval, author: author.id })
  else if (favourite === null)
    return ignored('approves an unknown favourite, or one of another author’s status')
  else if (!isBetterProof(approval, held?.approval ?? null))
    return ignored('needs no approval, or has it already')
  else changes.add(ctx.db.update(favourites).set({ approval }).where(eq(favourites.id, favourite.id)))
  return commitStep(ctx, changes)
}

interface Grant {
  readonly request: LocalInteraction
  readonly approval: Approval
  readonly author: AccountId
}

/** Turns the request into the favourite, under the same id. */
function grantRequest(ctx: Ctx, changes: Changes, { request, approval, author }: Grant): void {
  const { id, accountId, statusId } = request
  changes.require(
    sql`exists (select 1 from favourite_requests where id = ${id})`,
    new Conflict('answered_meanwhile'),
  )
  const status = { id: statusId, accountId: author, local: false }
  addFavourite(ctx, changes, { id, by: accountId, status, uri: null, approval })
  changes.add(removeFavouriteRequest(ctx, id))
  changes.emit({ kind: 'favourite.created', accountId, statusId, favouriteId: id })
}
