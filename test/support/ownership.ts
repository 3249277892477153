import * as z from 'zod'
import type { Row, RowChange, Snapshot } from './snapshot'

/**
 * Finds changes that `host` had no right to make. A server may change rows of its own actors and their consequences;
 * every other row that came, went or changed is foreign.
 */
export function foreignChanges(
  host: string,
  changes: readonly RowChange[],
  { before, after }: { readonly before: Snapshot; readonly after: Snapshot },
): readonly RowChange[] {
  const reach = reachOf(host, [before, after])
  return withoutFigures(changes).filter((change) => !isOwn(change, reach, before))
}

interface OwnedRows {
  readonly host: string
  readonly accounts: ReadonlySet<unknown>
  readonly statuses: ReadonlySet<unknown>
  readonly polls: ReadonlySet<unknown>
  readonly reports: ReadonlySet<unknown>
  readonly allStatuses: ReadonlySet<unknown>
}

function reachOf(host: string, snapshots: readonly Snapshot[]): OwnedRows {
  const idsOf = (table: string, isTheirs: (row: Row) => boolean) =>
    new Set(snapshots.flatMap((one) => (one.get(table) ?? []).filter(isTheirs).map(({ id }) => id)))
  const accounts = idsOf('accounts', ({ domain }) => domain === host)
  const byThem = (row: Row) => accounts.has(row['account_id'])
  const [statuses, polls] = [idsOf('statuses', byThem), idsOf('polls', byThem)]
  const reports = idsOf('reports', byThem)
  return { host, accounts, statuses, polls, reports, allStatuses: idsOf('statuses', () => true) }
}

function isOwn({ table, kind, row }: RowChange, reach: OwnedRows, before: Snapshot): boolean {
  const { accounts, statuses } = reach
  const by = (...columns: readonly string[]) => columns.some((column) => accounts.has(row[column]))
  const onTheirs = statuses.has(row['status_id']) || reach.polls.has(row['poll_id'])
  switch (table) {
    case 'accounts':
    case 'followed_accounts':
      return row['domain'] === reach.host
    case 'instances':
    case 'domain_days':
    case 'domain_day_blocks':
      return row['domain'] === reach.host
    case 'inboxes':
      return URL.parse(String(row['url']))?.host === reach.host
    case 'received_activities':
    case 'tombstones':
      return URL.parse(String(row['uri']))?.host === reach.host
    // Words and addresses of pages belong to nobody; nor does what is to be shown of one.
    case 'tags':
    case 'preview_pages':
      return kind === 'added'
    case 'counters':
    case 'activity_weeks':
    case 'active_days':
    case 'active_blocks':
    case 'tag_counts':
    case 'tag_blocks':
      return true
    // An entry that points to nothing belonged to a deleted status; readers skip it.
    case 'home_entries':
    case 'list_entries':
      return onTheirs || !reach.allStatuses.has(row['status_id'])
    case 'status_mentions':
    case 'status_tags':
    case 'status_edits':
    case 'search_stale':
      return onTheirs
    // Snapshots of what they report.
    case 'moderation_evidence':
      return reach.reports.has(row['report_id'])
    // Files of that evidence.
    case 'evidence_files':
      return kind === 'added'
    // Conversations begin with a status and end with the last that is left.
    case 'conversations':
      return participantsOf(row).some((id) => accounts.has(id))
    case 'notifications':
      return by('from_account_id') || (kind === 'removed' && onTheirs)
    // The quoted author accepts, rejects and revokes.
    case 'quotes':
      return by('account_id', 'quoted_account_id')
    case 'follows':
      if (kind === 'added' && !by('account_id')) return by('target_account_id') && wasAsked(row, before)
      return by('account_id', 'target_account_id')
    case 'follow_requests':
      return by('account_id') || (kind === 'removed' && by('target_account_id'))
    default:
      return by('account_id') || (kind === 'removed' && onTheirs)
  }
}

function participantsOf({ participants }: Row): readonly unknown[] {
  return z.array(z.number()).parse(JSON.parse(String(participants)))
}

function wasAsked(row: Row, before: Snapshot): boolean {
  return (before.get('follow_requests') ?? []).some(
    (one) => one['account_id'] === row['account_id'] && one['target_account_id'] === row['target_account_id'],
  )
}

/** Columns on rows of others that interactions change: counters, and the time of the last fetch from their server. */
const figures: Readonly<Record<string, readonly string[]>> = {
  accounts: ['followers_count', 'following_count', 'statuses_count', 'last_status_at'],
  statuses: ['replies_count', 'reblogs_count', 'favourites_count', 'quotes_count', 'reactions'],
  remote_actors: ['fetched_at'],
  polls: ['tallies', 'votes_count', 'voters_count'],
}

/** Leaves out rows of which nothing but figures changed. */
function withoutFigures(changes: readonly RowChange[]): readonly RowChange[] {
  const textOf = ({ table, row }: RowChange) => {
    const left = Object.entries(row).filter(([column]) => figures[table]?.includes(column) !== true)
    return JSON.stringify([table, left])
  }
  const texts = (kind: RowChange['kind']) =>
    new Set(changes.filter((change) => change.kind === kind).map(textOf))
  const other = { added: texts('removed'), removed: texts('added') }
  return changes.filter((change) => !other[change.kind].has(textOf(change)))
}
