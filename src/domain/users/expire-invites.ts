import { eq, getTableColumns, sql } from 'drizzle-orm'
import { execute, first, map, oneRow, orNotFound, prefixedColumns, type Query, rows } from '../../db/query'
import { accounts, invites } from '../../db/schema'
import { Conflict } from '../../errors'
import type { InviteId } from '../../lib/ids'
import type { Ctx } from '../../ports/ctx'
import { recordAudit } from '../core/audit'
import { Changes, commit } from '../core/changes'
import { idPage, newestFirst, type Page } from '../core/page'
import type { Moderator } from '../core/viewer'
import { type InviteRow, inviteState, isUnexpired, type ListedInvite } from './invites'

/** An invitation as staff sees it. */
export interface AnyInvite extends Omit<ListedInvite, 'comment'> {
  readonly inviter: string
}

/** A page of the invitations of all members, newest first; two rows for each. */
export function findInvites(ctx: Ctx, page: Page): Query<AnyInvite[]> {
  const { bounds, order } = idPage(page, sql`${invites.id}`)
  const found = rows(selection(ctx).where(bounds).orderBy(order))
  return map(found, (list) => newestFirst(list.map((row) => anyInvite(row, ctx.clock.now()))))
}

/** The invitation with this id, of whatever member. */
export function findInviteById(ctx: Ctx, id: InviteId): Query<AnyInvite | null> {
  const found = first(selection(ctx).where(eq(invites.id, id)))
  return map(found, (row) => (row === null ? null : anyInvite(row, ctx.clock.now())))
}

/** Expires an invitation now; users who signed up with it stay. An expired one is left as it is. */
export async function expireInvite(ctx: Ctx, moderator: Moderator, id: InviteId): Promise<void> {
  const invite = await execute(ctx.db, orNotFound(findInviteById(ctx, id)))
  if (invite.state === 'expired') return
  const now = ctx.clock.now()
  const isOpen = sql`exists (select 1 from invites where id = ${id} and ${isUnexpired(now)})`
  const changes = new Changes()
    .require(isOpen, new Conflict('invitation_ended'))
    .add(ctx.db.update(invites).set({ expiresAt: now }).where(eq(invites.id, id)))
  recordAudit(ctx, changes, moderator, {
    action: 'expire',
    target: { type: 'invite', id, label: invite.inviter },
    before: { expires_at: invite.expiresAt },
    after: { expires_at: now },
  })
  await commit(ctx, changes)
}

/** Expires every invitation of every member now. Returns how many there were. */
export async function expireAllInvites(ctx: Ctx, moderator: Moderator): Promise<number> {
  const now = ctx.clock.now()
  const open = ctx.db
    .select({ count: sql<number>`(select count(*) from invites where ${isUnexpired(now)})`.as('count') })
    .from(oneRow)
  const count = (await execute(ctx.db, first(open)))?.count ?? 0
  if (count === 0) return 0
  const changes = new Changes().add(ctx.db.update(invites).set({ expiresAt: now }).where(isUnexpired(now)))
  recordAudit(ctx, changes, moderator, {
    action: 'expire_all',
    target: { type: 'invite', id: null, label: '' },
    after: { count },
  })
  await commit(ctx, changes)
  return count
}

const { comment: _comment, ...columns } = getTableColumns(invites)

/** Comments are for the inviter only. */
function selection(ctx: Ctx) {
  return ctx.db
    .select({
      invite: prefixedColumns('i', columns),
      inviter: sql<string>`${accounts.username}`.as('inviter'),
    })
    .from(invites)
    .innerJoin(accounts, eq(accounts.id, invites.accountId))
}

function anyInvite(
  { invite, inviter }: { readonly invite: Omit<InviteRow, 'comment'>; readonly inviter: string },
  now: Date,
): AnyInvite {
  return { ...invite, inviter, state: inviteState(invite, now) }
}
