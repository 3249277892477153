import { eq, sql } from 'drizzle-orm'
import { execute, first, map, orNotFound, type Query, rows } from '../../db/query'
import { usernameBlocks } from '../../db/schema'
import { Conflict, Invalid, NotFound } from '../../errors'
import type { Ctx } from '../../ports/ctx'
import { changedValues, recordAudit } from '../core/audit'
import { Changes, commit } from '../core/changes'
import { idPage, newestFirst, type Page } from '../core/page'
import type { Moderator } from '../core/viewer'

export type UsernameBlockRow = typeof usernameBlocks.$inferSelect

/** Fields of a block that moderators set. */
export interface UsernameBlockOrder {
  readonly username: string
  /** Equal names only, instead of names that contain it. */
  readonly exact: boolean
  readonly allowWithApproval: boolean
}

/** Upper bound of the rows that a sign-up reads. */
export const mostUsernameBlocks = 1_000

const lookalikes: ReadonlyMap<string, string> = new Map([
  ['0', 'o'],
  ['1', 'i'],
  ['2', 'z'],
  ['3', 'e'],
  ['4', 'a'],
  ['5', 's'],
  ['7', 't'],
  ['8', 'b'],
  ['9', 'g'],
])

/** Form in which names are compared: lower case, digits read as the letters they look like. Source: Mastodon. */
export function normalizeUsername(name: string): string {
  return name.toLowerCase().replace(/\d/g, (digit) => lookalikes.get(digit) ?? digit)
}

/** A page of blocks, newest first. One statement. */
export function findUsernameBlocks(ctx: Ctx, page: Page): Query<readonly UsernameBlockRow[]> {
  const { bounds, order } = idPage(page, sql`${usernameBlocks.id}`)
  return map(rows(ctx.db.select().from(usernameBlocks).where(bounds).orderBy(order)), newestFirst)
}

export function findUsernameBlock(ctx: Ctx, id: number): Query<UsernameBlockRow | null> {
  return first(ctx.db.select().from(usernameBlocks).where(eq(usernameBlocks.id, id)))
}

/** Blocks a name. `Invalid` for a name that cannot be registered, and for one that is already blocked. */
export async function createUsernameBlock(
  ctx: Ctx,
  moderator: Moderator,
  order: UsernameBlockOrder,
): Promise<UsernameBlockRow> {
  const now = ctx.clock.now()
  const row = { id: ctx.ids.next(), ...checked(order), createdAt: now, updatedAt: now }
  const changes = new Changes()
    .require(isFree(row), taken())
    .require(
      sql`(select count(*) from username_blocks) < ${mostUsernameBlocks}`,
      new Invalid('too_many_username_blocks', { max: mostUsernameBlocks }),
    )
    .add(ctx.db.insert(usernameBlocks).values(row))
  recordAudit(ctx, changes, moderator, { action: 'create', target: targetOf(row), after: auditValues(row) })
  await commit(ctx, changes)
  return row
}

/** Changes the fields given. Errors as for creating; `Conflict` where another moderator changed it meanwhile. */
export async function updateUsernameBlock(
  ctx: Ctx,
  moderator: Moderator,
  id: number,
  patch: Partial<UsernameBlockOrder>,
): Promise<UsernameBlockRow> {
  const current = await execute(ctx.db, orNotFound(findUsernameBlock(ctx, id)))
  const { username, exact, allowWithApproval } = current
  const fields = checked({ username, exact, allowWithApproval, ...patch })
  const row = { ...current, ...fields, updatedAt: ctx.clock.now() }
  const changed = changedValues(auditValues(current), auditValues(row))
  if (Object.keys(changed.after ?? {}).length === 0) return current
  const changes = new Changes()
    .require(isUnchanged(current), new Conflict('block_changed'))
    .require(isFree(row), taken())
    .add(ctx.db.update(usernameBlocks).set(row).where(eq(usernameBlocks.id, id)))
  recordAudit(ctx, changes, moderator, { action: 'update', target: targetOf(row), ...changed })
  await commit(ctx, changes)
  return row
}

/** Lifts a block. `NotFound` where there is none. */
export async function deleteUsernameBlock(ctx: Ctx, moderator: Moderator, id: number): Promise<void> {
  const current = await execute(ctx.db, orNotFound(findUsernameBlock(ctx, id)))
  const changes = new Changes()
    .require(sql`exists (select 1 from username_blocks where id = ${id})`, new NotFound())
    .add(ctx.db.delete(usernameBlocks).where(eq(usernameBlocks.id, id)))
  recordAudit(ctx, changes, moderator, {
    action: 'delete',
    target: targetOf(current),
    before: auditValues(current),
  })
  await commit(ctx, changes)
}

function checked({ username: name, exact, allowWithApproval }: UsernameBlockOrder) {
  const username = name.trim()
  if (username === '') throw new Invalid('blank', { field: 'username' })
  if (!/^\w{1,30}$/.test(username)) throw new Invalid('invalid_username_block', { field: 'username' })
  return { username, normalized: normalizeUsername(username), exact, allowWithApproval }
}

function isFree({ id, username, normalized, exact }: UsernameBlockRow) {
  return sql`not exists (select 1 from username_blocks where id <> ${id}
    and (username = ${username} or normalized = ${normalized} and exact = ${exact ? 1 : 0}))`
}

function isUnchanged({ id, username, exact, allowWithApproval }: UsernameBlockRow) {
  return sql`exists (select 1 from username_blocks where id = ${id} and username = ${username}
    and exact = ${exact ? 1 : 0} and allow_with_approval = ${allowWithApproval ? 1 : 0})`
}

function taken() {
  return new Invalid('taken', { field: 'username' })
}

function auditValues({ username, exact, allowWithApproval }: UsernameBlockOrder) {
  return { username, exact, allowWithApproval }
}

function targetOf({ id, username }: Pick<UsernameBlockRow, 'id' | 'username'>) {
  return { type: 'username_block' as const, id, label: username }
}
