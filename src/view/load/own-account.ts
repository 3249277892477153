import { eq, sql } from 'drizzle-orm'
import { combineQueries, first, map, type Query } from '../../db/query'
import { accounts, roles, users } from '../../db/schema'
import type { UserSettings } from '../../db/schema/accounts'
import { limitTo, prefixedColumns } from '../../db/sql'
import type { ViewerRef } from '../../domain/core/viewer'
import { basePermissions, baseRole } from '../../domain/policy/permissions'
import type { Ctx } from '../../ports/ctx'
import { type AccountBundle, loadAccounts } from './accounts'
import { type FeaturedTagFacts, featuredTagsOf } from './tags'

/** The private part of the viewer's own account: source texts, posting defaults, role. */
export interface OwnFacts {
  readonly note: string
  readonly settings: UserSettings
  readonly locale: string
  readonly role: Pick<
    typeof roles.$inferSelect,
    'id' | 'name' | 'color' | 'permissions' | 'highlighted' | 'collectionLimit'
  >
  /** Permissions that every user has, whatever the role. */
  readonly basicPermissions: number
  readonly followRequests: number
}

export interface OwnAccount {
  readonly accounts: AccountBundle
  readonly own: OwnFacts | null
}

/** Upper bound of the follow requests counted. */
const mostRequests = 1_000

/** Loads the viewer's own account as they edit it: two statements. */
export function loadOwnAccount(ctx: Ctx, viewer: ViewerRef): Query<OwnAccount> {
  const { id, name, color, permissions, highlighted, collectionLimit } = roles
  const own = first(
    ctx.db
      .select({
        note: accounts.note,
        settings: users.settings,
        locale: users.locale,
        role: prefixedColumns('r', { id, name, color, permissions, highlighted, collectionLimit }),
        basicPermissions: basePermissions.as('basic'),
        followRequests: sql<number>`(select count(*) from (select 1 from follow_requests q
          where q.target_account_id = ${accounts.id} ${limitTo(mostRequests)}))`.as('requests'),
      })
      .from(users)
      .innerJoin(accounts, eq(accounts.id, users.accountId))
      .innerJoin(roles, sql`${roles.id} = coalesce(${users.roleId}, ${baseRole})`)
      .where(sql`${users.accountId} = ${viewer.id}`),
  )
  return combineQueries({ accounts: loadAccounts(ctx, sql`select ${viewer.id} as id, 0 as cursor`), own })
}

/** The viewer's own account with the other fields of the profile. */
export interface OwnProfile extends OwnAccount {
  readonly featuredTags: readonly FeaturedTagFacts[]
}

/** Loads the viewer's own profile as they edit it: three statements. */
export function loadOwnProfile(ctx: Ctx, viewer: ViewerRef): Query<OwnProfile> {
  const parts = combineQueries({ account: loadOwnAccount(ctx, viewer), tags: featuredTagsOf(ctx, viewer.id) })
  return map(parts, ({ account, tags }) => ({ ...account, featuredTags: tags }))
}
