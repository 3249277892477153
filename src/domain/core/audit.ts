import { sql } from 'drizzle-orm'
import { execute, jsonRows, limitTo, map, type Query, rows } from '../../db/query'
import { auditLog } from '../../db/schema'
import type { AuditValues } from '../../db/schema/audit'
import type { AccountId } from '../../lib/ids'
import type { Ctx } from '../../ports/ctx'
import type { Changes } from './changes'
import { idPage, newestFirst, type Page } from './page'
import type { Moderator } from './viewer'

/** Verbs of administrative acts. */
export type AuditAction =
  | 'approve'
  | 'assign'
  | 'assign_to_self'
  | 'change_password'
  | 'change_role'
  | 'check'
  | 'clean'
  | 'close_unattended'
  | 'confirm'
  | 'create'
  | 'create_token'
  | 'delete'
  | 'delete_note'
  | 'delete_statuses'
  | 'disable'
  | 'disable_2fa'
  | 'download'
  | 'drop'
  | 'enable'
  | 'expire'
  | 'expire_all'
  | 'import'
  | 'mark_statuses_as_sensitive'
  | 'move'
  | 'note'
  | 'notify'
  | 'order'
  | 'publish'
  | 'rebuild'
  | 'reject'
  | 'rename'
  | 'reopen'
  | 'replace'
  | 'reset_password'
  | 'resolve'
  | 'restore'
  | 'retry'
  | 'revoke_token'
  | 'rotate_keys'
  | 'rotate_secret'
  | 'sensitive'
  | 'silence'
  | 'suspend'
  | 'unassign'
  | 'unmark_statuses_as_sensitive'
  | 'unpublish'
  | 'unsensitive'
  | 'unsilence'
  | 'unsuspend'
  | 'update'
  | 'warn'
/** Kinds of what administrative acts are done to. */
export type AuditTargetType =
  | 'account'
  | 'announcement'
  | 'appeal'
  | 'archive_import'
  | 'backup'
  | 'blocklist'
  | 'blocklist_exception'
  | 'canonical_email_block'
  | 'counters'
  | 'custom_emoji'
  | 'custom_emoji_category'
  | 'dead_letter'
  | 'deliveries'
  | 'domain_allow'
  | 'domain_block'
  | 'email_domain_block'
  | 'invite'
  | 'ip_block'
  | 'link'
  | 'media'
  | 'outbox'
  | 'publisher'
  | 'relay'
  | 'report'
  | 'role'
  | 'rule'
  | 'search_index'
  | 'settings'
  | 'severance'
  | 'status'
  | 'tag'
  | 'terms_of_service'
  | 'username_block'
  | 'warning_preset'
  | 'webhook'

/** An administrative act. */
export interface AuditEntry {
  readonly action: AuditAction
  readonly target: {
    readonly type: AuditTargetType
    readonly id: number | null
    /** Name for readers: a handle, a domain, a title. */
    readonly label: string
  }
  /** Fields that changed, before and after. Never secrets. */
  readonly before?: AuditValues
  readonly after?: AuditValues
}

/** Adds an entry to the audit log, in the batch of the act itself. */
export function recordAudit(ctx: Ctx, changes: Changes, moderator: Moderator, entry: AuditEntry): Changes {
  return changes.add(ctx.db.insert(auditLog).values(rowOf(ctx, moderator, entry)))
}

function rowOf(ctx: Ctx, moderator: Moderator, { action, target, before = {}, after = {} }: AuditEntry) {
  return {
    id: ctx.ids.next(),
    accountId: moderator.accountId,
    username: moderator.username,
    action,
    targetType: target.type,
    targetId: target.id,
    targetLabel: target.label,
    oldValues: before,
    newValues: after,
    ip: moderator.ip,
    createdAt: ctx.clock.now(),
  }
}

/** Adds several entries by one statement. */
export function recordAudits(
  ctx: Ctx,
  changes: Changes,
  moderator: Moderator,
  entries: readonly AuditEntry[],
): Changes {
  if (entries.length === 0) return changes
  const found = entries.map((entry) => {
    const { createdAt, ...row } = rowOf(ctx, moderator, entry)
    return { ...row, createdAt: createdAt.getTime() }
  })
  return changes.add(
    ctx.db.run(sql`insert into audit_log (id, account_id, username, action, target_type, target_id, target_label,
        old_values, new_values, ip, created_at)
      select item.value ->> 'id', item.value ->> 'accountId', item.value ->> 'username', item.value ->> 'action',
        item.value ->> 'targetType', item.value ->> 'targetId', item.value ->> 'targetLabel',
        item.value -> 'oldValues', item.value -> 'newValues', item.value ->> 'ip', item.value ->> 'createdAt'
      from ${jsonRows(found)}`),
  )
}

/** The fields of `after` that differ from `before`, on both sides, for an audit entry. */
export function changedValues<T extends AuditValues>(
  before: T,
  after: Partial<T>,
): Pick<AuditEntry, 'before' | 'after'> {
  const names = Object.keys(after).filter(
    (name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]),
  )
  const pick = (values: AuditValues) => Object.fromEntries(names.map((name) => [name, values[name] ?? null]))
  return { before: pick(before), after: pick(after) }
}

/** Days for which an entry keeps the moderator's address. */
const addressDays = 365

/** Rows changed in one run, so that a long pause does not make one run expensive. */
const addressesPerRun = 500

/** Removes addresses older than a year from the audit log: a periodic task. */
export async function pruneAuditAddresses(ctx: Ctx): Promise<void> {
  const before = ctx.clock.now().getTime() - addressDays * 86_400_000
  const old = sql`${auditLog.id} in (select id from audit_log where ip is not null and created_at < ${before}
    order by created_at ${limitTo(addressesPerRun)})`
  const statement = ctx.db.update(auditLog).set({ ip: null }).where(old)
  await execute(ctx.db, { statements: [statement], decode: () => undefined })
}

export type AuditLogRow = typeof auditLog.$inferSelect

/** Narrowing of the audit log: to the acts of one moderator, or to those on one target. */
export type AuditFilter =
  | { readonly by: AccountId }
  | { readonly targetType: string; readonly targetId: number | undefined }
  | null

/** A page of the audit log, newest first. One statement; each filter has an index. */
export function findAuditLog(ctx: Ctx, filter: AuditFilter, page: Page): Query<readonly AuditLogRow[]> {
  const { bounds, order } = idPage(page, sql`${auditLog.id}`)
  const found = ctx.db
    .select()
    .from(auditLog)
    .where(sql`${conditionOf(filter)} and ${bounds}`)
    .orderBy(order)
  return map(rows(found), newestFirst)
}

function conditionOf(filter: AuditFilter) {
  if (filter === null) return sql`1`
  if ('by' in filter) return sql`${auditLog.accountId} = ${filter.by}`
  const { targetType, targetId } = filter
  const isOfType = sql`${auditLog.targetType} = ${targetType}`
  return targetId === undefined ? isOfType : sql`${isOfType} and ${auditLog.targetId} = ${targetId}`
}
