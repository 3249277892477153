import { type SQL, sql } from 'drizzle-orm'
import { parseHandle } from '../../contract/handle'
import {
  execute,
  first,
  inList,
  limitTo,
  map,
  optionalPrefixedColumns,
  prefixedColumns,
  type Query,
  rows,
} from '../../db/query'
import { accounts, remoteActors, statuses, users } from '../../db/schema'
import { Conflict, Forbidden, NotFound } from '../../errors'
import type { AccountId, StatusId } from '../../lib/ids'
import type { Ctx } from '../../ports/ctx'
import { Changes } from '../core/changes'
import { type Moderator, viewerById } from '../core/viewer'
import { outranks, requireRankAbove, rolePosition } from '../policy/permissions'
import { visibleTo } from '../policy/visibility'

/** Account that a moderator acts on. */
export interface ModeratedAccount {
  readonly id: AccountId
  readonly username: string
  /** Null for local accounts. */
  readonly domain: string | null
  /** Actor id; null for local accounts. */
  readonly uri: string | null
  readonly suspendedAt: Date | null
  readonly silencedAt: Date | null
  readonly sensitizedAt: Date | null
  /** Suspended by its own server, not by this one's moderators. */
  readonly suspendedAtHome: boolean
  /** Position of its role. */
  readonly position: number
  /** Null for remote accounts and deleted ones. */
  readonly user: {
    readonly email: string
    readonly locale: string
    readonly approved: boolean
    readonly confirmedAt: Date | null
    readonly disabledAt: Date | null
  } | null
}

/** The account with this id, or null. One statement. */
export function accountToModerate(ctx: Ctx, id: AccountId): Query<ModeratedAccount | null> {
  return moderatedAccount(ctx, sql`${accounts.id} = ${id} and ${accounts.id} > 0`)
}

/** The id of the account with this handle, `name` or `name@domain`; `NotFound` without one. */
export async function idOfHandle(ctx: Ctx, text: string): Promise<AccountId> {
  const found = await execute(ctx.db, first(accountNamed(ctx, text)))
  if (found === null) throw new NotFound('unknown_name', { name: text })
  return found.id
}

/** Selects (id, cursor) of the account with this handle. */
export function selectByHandle(ctx: Ctx, text: string): SQL {
  return sql`select named.id as id, 0 as cursor from (${accountNamed(ctx, text)}) named`
}

function accountNamed(ctx: Ctx, text: string) {
  const handle = parseHandle(text, ctx.config.ownDomains)
  // Verbatim as in the unique index, so that it is used. An invalid handle matches no account.
  return ctx.db
    .select({ id: accounts.id })
    .from(accounts)
    .where(sql`lower(${accounts.username}) = ${handle?.username.toLowerCase() ?? ''}
      and coalesce(${accounts.domain}, '') = ${handle?.domain ?? ''} and ${accounts.id} > 0`)
}

function moderatedAccount(ctx: Ctx, condition: ReturnType<typeof sql>): Query<ModeratedAccount | null> {
  const { id, username, domain, uri, suspendedAt, silencedAt, sensitizedAt } = accounts
  const { accountId, email, locale, approved, confirmedAt, disabledAt } = users
  const found = ctx.db
    .select({
      account: prefixedColumns('a', { id, username, domain, uri, suspendedAt, silencedAt, sensitizedAt }),
      user: optionalPrefixedColumns('u', { accountId, email, locale, approved, confirmedAt, disabledAt }),
      home: optionalPrefixedColumns('r', { suspendedAtHome: remoteActors.suspendedAtHome }),
      position: rolePosition(sql`${accounts.id}`).as('position'),
    })
    .from(accounts)
    .leftJoin(users, sql`${users.accountId} = ${accounts.id}`)
    .leftJoin(remoteActors, sql`${remoteActors.accountId} = ${accounts.id}`)
    .where(condition)
  return map(first(found), (row) => {
    if (row === null) return null
    const { account, user, home, position } = row
    const isMember = user.accountId !== null && user.email !== null && user.approved !== null
    return {
      ...account,
      position,
      suspendedAtHome: home.suspendedAtHome === true,
      user: isMember
        ? {
            email: user.email ?? '',
            locale: user.locale ?? '',
            approved: user.approved === true,
            confirmedAt: user.confirmedAt,
            disabledAt: user.disabledAt,
          }
        : null,
    }
  })
}

/** Newest reports about an account that are looked through for a status. */
const reportsSeen = 100

/**
 * Statuses among `ids` by the account that the moderator may name: those visible to every member, reported ones, and what
 * the moderator sees as any member. Others stay private, because evidence shows the reported ones. One statement.
 */
export function statusesAmong(
  ctx: Ctx,
  { accountId }: Moderator,
  { by, ids }: { readonly by: AccountId; readonly ids: readonly StatusId[] },
) {
  const isReported = sql`exists (select 1 from (select status_ids from reports where target_account_id = ${by}
      order by id desc ${limitTo(reportsSeen)}) r cross join json_each(r.status_ids) named
    where named.value = ${statuses.id})`
  const isSeen = accountId === null ? sql`true` : visibleTo(viewerById(accountId), 'statuses')
  const mayBeNamed = sql`(${statuses.visibility} in ('public', 'unlisted') or ${isReported} or ${isSeen})`
  return rows(
    ctx.db
      .select({ id: statuses.id })
      .from(statuses)
      .where(sql`${inList(statuses.id, ids)} and ${statuses.accountId} = ${by} and ${mayBeNamed}`),
  )
}

/** The account, once the moderator's role is known to stand above it. `NotFound`, `Forbidden`. */
export function requireTarget(moderator: Moderator, found: ModeratedAccount | null): ModeratedAccount {
  if (found === null) throw new NotFound()
  if (!outranks(moderator, found.position)) throw new Forbidden()
  return found
}

/** The changes of one act on the account, which fail where the account got a higher role meanwhile. */
export function changesOn(moderator: Moderator, { id }: Pick<ModeratedAccount, 'id'>): Changes {
  return requireRankAbove(new Changes(), moderator, id)
}

/** Refusal of acts that would leave the server without an owner. */
export function lastOwnerConflict({ username }: ModeratedAccount): Conflict {
  return new Conflict('last_owner', { handle: username })
}

/** Target of an entry of the audit log. */
export function auditTarget(account: ModeratedAccount) {
  return { type: 'account' as const, id: account.id, label: handleOf(account) }
}

/** `name`, or `name@domain` of a remote account. */
export function handleOf({ username, domain }: Pick<ModeratedAccount, 'username' | 'domain'>): string {
  return domain === null ? username : `${username}@${domain}`
}

/** Whether the account is a member whose existence is public: confirmed and approved. */
export function isPublicMember({ user }: ModeratedAccount): boolean {
  return user?.approved === true && user.confirmedAt !== null
}
