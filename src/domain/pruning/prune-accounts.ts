import { type SQL, sql } from 'drizzle-orm'
import * as z from 'zod'
import { metaOf } from '../../db/observed-binding'
import { inList, limitTo, map, type Query, rawResults } from '../../db/query'
import { accounts } from '../../db/schema'
import { type AccountId, firstIdAt } from '../../lib/ids'
import type { Ctx } from '../../ports/ctx'
import type { Changes } from '../core/changes'
import { settingKey } from '../instance/settings'
import { blockText } from '../policy/block-predicates'
import { anyOf } from './find-kept-statuses'
import { PartChanged } from './prune-statuses'

/** Part of the accounts, in the order of their ids. */
interface AccountPart {
  readonly after: number
  /** Accounts stored or fetched since stay. */
  readonly before: Date
  /** Accounts inspected. */
  readonly most: number
}

interface FoundAccounts {
  readonly inspected: number
  readonly last: number | null
  readonly ids: readonly AccountId[]
  readonly rowsRead: number
}

const Result = z.object({
  results: z.array(z.object({ id: z.number(), goes: z.number() })),
})

/** Loads the accounts among a part that nothing keeps. One statement. */
export function findPrunableAccounts(ctx: Ctx, { after, before, most }: AccountPart): Query<FoundAccounts> {
  const since = before.getTime()
  const found = ctx.db.run(sql`with part(id) as materialized (
      select id from accounts where id > ${after} and id < ${firstIdAt(before)} order by id ${limitTo(most)})
    select a.id as id, iif(a.updated_at >= ${since} or exists (select 1 from remote_actors fetched
      where fetched.account_id = a.id and fetched.fetched_at >= ${since}) or ${isAccountKept}, 0, 1) as goes
    from part cross join accounts a on a.id = part.id order by a.id`)
  return map(rawResults([found]), ([result]) => {
    const { results } = Result.parse(result)
    return {
      inspected: results.length,
      last: results.at(-1)?.id ?? null,
      ids: results.filter(({ goes }) => goes === 1).map(({ id }) => id),
      rowsRead: metaOf(result).rows_read,
    }
  })
}

/**
 * Adds the deletion of remote accounts with their keys and addresses. `PartChanged` where one of them is to be kept by
 * now. Not federated: the account is fetched again on the next lookup or activity.
 */
export function deletePrunedAccounts(ctx: Ctx, changes: Changes, ids: readonly AccountId[]): void {
  changes
    .require(
      sql`not exists (select 1 from accounts a where ${inList(sql`a.id`, ids)} and ${isAccountKept})
        and (select count(*) from accounts a where ${inList(sql`a.id`, ids)}) = ${ids.length}`,
      new PartChanged('accounts_changed'),
    )
    .add(ctx.db.delete(accounts).where(inList(accounts.id, ids)))
}

/**
 * Columns that keep a remote account while a row names it, whatever the other account. The only list of them:
 * test/domain/pruning/kept-accounts.test.ts holds that each reference to accounts is among them, or has another rule.
 */
export const accountRelations = [
  // Statuses are pruned first; what they name, quote, pin or ask stays with them.
  'statuses.account_id',
  'status_mentions.account_id',
  'status_pins.account_id',
  'polls.account_id',
  'quotes.account_id',
  'quotes.quoted_account_id',
  // Marks on statuses, which counters include.
  'favourites.account_id',
  'emoji_reactions.account_id',
  'poll_votes.account_id',
  // Relationships, either way.
  'follows.account_id',
  'follows.target_account_id',
  'follow_requests.account_id',
  'follow_requests.target_account_id',
  'blocks.account_id',
  'blocks.target_account_id',
  'mutes.target_account_id',
  'account_notes.target_account_id',
  'endorsements.target_account_id',
  'list_accounts.account_id',
  'suggestion_dismissals.target_account_id',
  'severed_follows.account_id',
  'severed_follows.other_account_id',
  'account_moves.account_id',
  'account_moves.target_account_id',
  'accounts.moved_to_account_id',
  // Collections of local accounts, and its own, which may feature local accounts.
  'collections.account_id',
  'collection_items.account_id',
  // Notifications from it, and the decision to be notified.
  'notifications.from_account_id',
  'notification_permissions.from_account_id',
  // Moderation.
  'reports.account_id',
  'reports.target_account_id',
  'account_warnings.target_account_id',
  'moderation_notes.target_account_id',
  'account_deletions.account_id',
  'trend_authors.account_id',
] as const

/** Reasons for which pruning keeps the remote account `a` besides. */
const ownReasons = [
  // Local.
  'a.domain is null',
  // Limited by moderators; what remains of an account deleted by its server has no address, and may go.
  `((a.suspended_at is not null and a.uri not glob '*/#gone-*') or a.silenced_at is not null or a.sensitized_at is not null)`,
  // A rule of moderators or of a local account about its server.
  'exists (select 1 from domain_limits l where l.domain = a.domain)',
  blockText.isDomainBlocked('a.domain'),
  // Recommended by administrators.
  `lower(a.username || '@' || a.domain) in (select lower(named.value) from settings, json_each(settings.value) named
    where settings.key = '${settingKey('featuredAccounts')}')`,
]

/** Condition: pruning keeps the account `a`. */
const isAccountKept: SQL = anyOf([
  ...ownReasons,
  ...accountRelations.map((relation) => {
    const [table, column] = relation.split('.')
    return `exists (select 1 from ${table} r where r.${column} = a.id)`
  }),
])
