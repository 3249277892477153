import type { SQL } from 'drizzle-orm'
import { settingKey } from '../instance/settings'
import { blockText } from '../policy/block-predicates'
import { anyOf } from './find-kept-statuses'

/**
 * Columns that keep a remote account while a row names it, whoever the other side is. The only list of them:
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
  // Recommended to everybody by administrators.
  `lower(a.username || '@' || a.domain) in (select lower(named.value) from settings, json_each(settings.value) named
    where settings.key = '${settingKey('featuredAccounts')}')`,
]

/** Condition: pruning keeps the account `a`. */
export const isAccountKept: SQL = anyOf([
  ...ownReasons,
  ...accountRelations.map((relation) => {
    const [table, column] = relation.split('.')
    return `exists (select 1 from ${table} r where r.${column} = a.id)`
  }),
])
