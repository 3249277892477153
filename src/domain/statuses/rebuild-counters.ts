import { gt, type SQL, sql } from 'drizzle-orm'
import { execute, inList, map, rows } from '../../db/query'
import { accounts, counters, users } from '../../db/schema'
import type { AccountId } from '../../lib/ids'
import type { Ctx } from '../../ports/ctx'
import { recordAudit } from '../core/audit'
import { Changes, commit } from '../core/changes'
import type { Moderator } from '../core/viewer'
import { requirePermission } from '../policy/permissions'

/** Members whose counters one part rebuilds: each is counted over an index of their own statuses and follows. */
const membersPerPart = 5

/** Part of a rebuild that is done. */
export interface RebuiltPart {
  readonly members: number
  /** Last member of the part; null after the last part. */
  readonly next: AccountId | null
}

/**
 * Counts statuses, followers and followed accounts of the next members behind `after` again; after the last ones also the
 * users, statuses and servers of the instance. Needs `viewDevops`; the first part is recorded in the audit log.
 */
export async function rebuildCounters(
  ctx: Ctx,
  moderator: Moderator,
  after: AccountId | null,
): Promise<RebuiltPart> {
  requirePermission(moderator, 'viewDevops')
  const members = await execute(ctx.db, nextMembers(ctx, after))
  const isLast = members.length < membersPerPart
  const changes = new Changes()
  if (members.length > 0) changes.add(countMembers(ctx, members))
  if (isLast) changes.add(...countInstance(ctx))
  if (after === null) {
    const target = { type: 'counters' as const, id: null, label: '' }
    recordAudit(ctx, changes, moderator, { action: 'rebuild', target })
  }
  await commit(ctx, changes)
  return { members: members.length, next: isLast ? null : (members.at(-1) ?? null) }
}

function nextMembers(ctx: Ctx, after: AccountId | null) {
  const found = ctx.db
    .select({ id: users.accountId })
    .from(users)
    .where(after === null ? undefined : gt(users.accountId, after))
    .orderBy(users.accountId)
    .limit(membersPerPart)
  return map(rows(found), (list) => list.map(({ id }) => id))
}

/** As `incrementCounters` counts: neither direct nor local-only statuses. */
function countMembers(ctx: Ctx, members: readonly AccountId[]) {
  return ctx.db
    .update(accounts)
    .set({
      statusesCount: countedBy(sql`accounts.id`),
      followersCount: sql`(select count(*) from follows f where f.target_account_id = accounts.id)`,
      followingCount: sql`(select count(*) from follows f where f.account_id = accounts.id)`,
    })
    .where(inList(accounts.id, members))
}

function countInstance(ctx: Ctx) {
  const set = (name: string, value: ReturnType<typeof sql>) =>
    ctx.db.update(counters).set({ value }).where(sql`${counters.name} = ${name}`)
  return [
    set(
      'users',
      sql`(select count(*) from users u cross join accounts a on a.id = u.account_id
        where a.suspended_at is null and u.approved = 1)`,
    ),
    set(
      'statuses',
      sql`(select coalesce(sum(a.statuses_count), 0) from users u
      cross join accounts a on a.id = u.account_id)`,
    ),
    set('domains', sql`(select count(*) from instances)`),
  ]
}

/** Number of statuses by an account that its counter includes: neither direct nor local-only ones. */
function countedBy(account: SQL): SQL<number> {
  return sql<number>`(select count(*) from statuses s where s.account_id = ${account}
    and s.visibility <> 'direct' and s.local_only = 0)`
}
