import { and, desc, eq, getTableColumns, sql } from 'drizzle-orm'
import { execute, first, map, oneRow, orNotFound, prefixedColumns, type Query, rows } from '../../db/query'
import { accounts, invites, users } from '../../db/schema'
import { Conflict, Forbidden, Invalid } from '../../errors'
import type { AccountId, InviteId } from '../../lib/ids'
import type { Ctx } from '../../ports/ctx'
import { recordAudit } from '../core/audit'
import { Changes, commit } from '../core/changes'
import { idPage, newestFirst, type Page } from '../core/page'
import type { Moderator } from '../core/viewer'
import { basePermissions, hasPermission } from '../policy/permissions'

export const inviteLimits = { commentCharacters: 420 } as const

/** Signed-in user who wants to invite; the permission is not checked yet. */
interface Inviter {
  readonly accountId: AccountId
  readonly confirmed: boolean
  readonly approved: boolean
  readonly permissions: number
}

interface InviteOrder {
  /** Null: unlimited. */
  readonly maxUses: number | null
  /** Null: no expiry. */
  readonly expiresInSeconds: number | null
  /** Whether users who sign up with it follow the inviter. */
  readonly autofollow: boolean
  /** Shown to the inviter only. */
  readonly comment: string
}

export function mayInvite({ confirmed, approved, permissions }: Inviter): boolean {
  return confirmed && approved && hasPermission(permissions, 'inviteUsers')
}

/** Whether the base role has the permission to invite. */
export function mayEverybodyInvite(ctx: Ctx): Query<boolean> {
  const base = first(ctx.db.select({ held: basePermissions.as('held') }).from(oneRow))
  return map(base, (row) => hasPermission(row?.held ?? 0, 'inviteUsers'))
}

/** Creates an invitation. `Forbidden` without the permission to invite. */
export async function createInvite(ctx: Ctx, inviter: Inviter, order: InviteOrder): Promise<void> {
  if (!mayInvite(inviter)) throw new Forbidden('may_not_invite')
  const comment = order.comment.trim()
  if ([...comment].length > inviteLimits.commentCharacters)
    throw new Invalid('too_long', { field: 'comment', max: inviteLimits.commentCharacters })
  const now = ctx.clock.now()
  const { maxUses, expiresInSeconds, autofollow } = order
  const row = {
    id: ctx.ids.next(),
    code: newCode(ctx),
    accountId: inviter.accountId,
    maxUses,
    autofollow,
    comment,
    expiresAt: expiresInSeconds === null ? null : new Date(now.getTime() + expiresInSeconds * 1000),
    createdAt: now,
  }
  await commit(ctx, new Changes().add(ctx.db.insert(invites).values(row)))
}

/** Short enough to be read out, and of 59 bits, which cannot be guessed. */
function newCode(ctx: Ctx): string {
  return ctx.random.token().replaceAll(/[-_]/g, '').slice(0, 10)
}

/** Expires an invitation of this account now; users who signed up with it stay. Another account's is left alone. */
export async function revokeInvite(ctx: Ctx, inviter: AccountId, id: InviteId): Promise<void> {
  const now = ctx.clock.now()
  const own = and(eq(invites.id, id), eq(invites.accountId, inviter), isUnexpired(now))
  await commit(ctx, new Changes().add(ctx.db.update(invites).set({ expiresAt: now }).where(own)))
}

type InviteRow = typeof invites.$inferSelect

export interface ListedInvite extends InviteRow {
  readonly state: 'usable' | 'used up' | 'expired'
}

/** Invitations of an account, newest first. */
export function listInvites(ctx: Ctx, inviter: AccountId): Query<readonly ListedInvite[]> {
  const now = ctx.clock.now()
  const own = ctx.db.select().from(invites).where(eq(invites.accountId, inviter)).orderBy(desc(invites.id))
  return map(rows(own.limit(100)), (list) =>
    list.map((invite) => ({ ...invite, state: inviteState(invite, now) })),
  )
}

/** Whether an invitation can still be used, its inviter aside. Pure. */
function inviteState(
  { expiresAt, maxUses, uses }: Pick<InviteRow, 'expiresAt' | 'maxUses' | 'uses'>,
  now: Date,
): ListedInvite['state'] {
  if (expiresAt !== null && expiresAt <= now) return 'expired'
  return maxUses !== null && uses >= maxUses ? 'used up' : 'usable'
}

export interface FoundInvite {
  readonly id: InviteId
  readonly code: string
  readonly inviter: string
  readonly isUsable: boolean
}

/** Invitation with this code and the name of its inviter, or null. */
export function findInvite(ctx: Ctx, code: string): Query<FoundInvite | null> {
  const found = first(
    ctx.db
      .select({
        invite: prefixedColumns('i', { id: invites.id, code: invites.code }),
        inviter: sql<string>`${accounts.username}`.as('inviter'),
        usable: sql<number>`${isUsable(ctx.clock.now())}`.as('usable'),
      })
      .from(invites)
      .innerJoin(users, eq(users.accountId, invites.accountId))
      .innerJoin(accounts, eq(accounts.id, invites.accountId))
      .where(eq(invites.code, code)),
  )
  return map(found, (row) =>
    row === null ? null : { ...row.invite, inviter: row.inviter, isUsable: row.usable === 1 },
  )
}

/** Counts one use in `changes`, which fail with `Forbidden` when another sign-up took the last one. */
export function claimInvite(ctx: Ctx, changes: Changes, id: InviteId): void {
  const usable = sql`exists (select 1 from invites join users on users.account_id = invites.account_id
    join accounts on accounts.id = invites.account_id
    where invites.id = ${id} and ${isUsable(ctx.clock.now())})`
  changes
    .require(usable, new Forbidden('invitation_used_up'))
    .add(ctx.db.update(invites).set({ uses: sql`uses + 1` }).where(eq(invites.id, id)))
}

function isUnexpired(now: Date) {
  return sql`(invites.expires_at is null or invites.expires_at > ${now.getTime()})`
}

/** An invitation is valid while its inviter could still invite: suspended, disabled and moved accounts cannot. */
function isUsable(now: Date) {
  return sql`(${isUnexpired(now)} and (invites.max_uses is null or invites.uses < invites.max_uses)
    and users.confirmed_at is not null and users.approved = 1 and users.disabled_at is null
    and accounts.suspended_at is null and accounts.moved_to_account_id is null and accounts.memorial = 0)`
}

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
