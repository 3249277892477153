import { type SQL, sql } from 'drizzle-orm'
import { readCollectionUri, readStatusUri, usernameIn } from '../../contract/addresses'
import {
  combineQueries,
  constant,
  execute,
  first,
  jsonRows,
  limitTo,
  map,
  oneRow,
  type Query,
  rows,
} from '../../db/query'
import { reports } from '../../db/schema'
import { dayMilliseconds } from '../../lib/days'
import { type AccountId, type CollectionId, firstIdAt } from '../../lib/ids'
import { registrableDomain } from '../../lib/registrable-domain'
import type { Ctx } from '../../ports/ctx'
import { keepCollectionEvidence } from '../collections/keep-evidence'
import { Changes, commit, done, ignored, type Outcome, rejected } from '../core/changes'
import type { Viewer } from '../core/viewer'
import { emitToWebhooks } from '../core/webhook-events'
import { ownStatusesAmong } from '../statuses/find-author'
import { keepEvidence } from '../statuses/keep-evidence'
import { findReportRecipients, notifyStaffOfReports } from './notify-staff'

/** A report from a remote server: the URIs of accounts and objects. */
export interface ReceivedReport {
  readonly uri: string | null
  readonly uris: readonly string[]
  readonly comment: string
}

/** Daily limit of a reporter, which is the instance actor of most servers, and of a registrable domain. */
const maxReportsPerDay = 100

/**
 * Stores a report from a remote server about local accounts: one for each account named, or whose status or collection is
 * named, with its statuses and collections among those named. The same report again changes nothing. Rejected beyond a hundred a day, of one
 * reporter and of one registrable domain: moderators are notified, and have to read them.
 */
export async function receiveReport(
  ctx: Ctx,
  reporter: Pick<Viewer, 'id'> & { readonly domain: string },
  report: ReceivedReport,
): Promise<Outcome> {
  const { origin } = ctx.config
  const usernames = report.uris.flatMap((uri) => usernameIn(origin, uri) ?? [])
  const namedStatusIds = report.uris.flatMap((uri) => readStatusUri(origin, uri) ?? [])
  const { people, statuses, collections, recentCount } = await execute(
    ctx.db,
    combineQueries({
      people: localPeople(ctx, usernames),
      statuses: ownStatusesAmong(ctx, namedStatusIds, reporter.domain),
      collections: localCollectionsAmong(ctx, report.uris),
      recentCount: countRecentReports(ctx, reporter.id),
    }),
  )
  const named = [...statuses, ...collections]
  const targets = new Set([...people.map(({ id }) => id), ...named.map(({ accountId }) => accountId)])
  if (targets.size === 0) return ignored('reports no local account')
  if (recentCount + targets.size > maxReportsPerDay) return rejected('reporter exceeds the daily limit')
  // A server can have as many actors as its operator wants.
  const domain = registrableDomain(reporter.domain)
  if ((await ctx.throttle.spend('remoteReports', domain, targets.size)) !== null)
    return rejected('domain exceeds the daily limit')
  const changes = new Changes()
  const stored = [...targets].map((targetAccountId) => ({
    id: ctx.ids.next(),
    accountId: reporter.id,
    targetAccountId,
    statusIds: idsBy(targetAccountId, statuses),
    collectionIds: idsBy(targetAccountId, collections),
    comment: report.comment,
    forwarded: null,
    uri: report.uri,
    createdAt: ctx.clock.now(),
    updatedAt: ctx.clock.now(),
  }))
  for (const row of stored) {
    changes.add(ctx.db.insert(reports).values(row).onConflictDoNothing())
    emitToWebhooks(changes, { kind: 'report.created', reportId: row.id }, isStored(row.id))
    keepEvidence(ctx, changes, { reportId: row.id }, row.statusIds)
    keepCollectionEvidence(ctx, changes, { reportId: row.id }, row.collectionIds)
  }
  const staff = await execute(ctx.db, findReportRecipients(ctx, [...targets]))
  notifyStaffOfReports(ctx, changes, { reports: stored, staff })
  await commit(ctx, changes)
  return done
}

function isStored(id: number): SQL {
  return sql`exists (select 1 from reports where id = ${id})`
}

function idsBy<T extends number>(
  target: AccountId,
  objects: readonly { readonly id: T; readonly accountId: AccountId }[],
): readonly T[] {
  return objects.filter(({ accountId }) => accountId === target).map(({ id }) => id)
}

/** Local collections with these URIs. Visible to anyone with their address. */
function localCollectionsAmong(
  ctx: Ctx,
  uris: readonly string[],
): Query<{ id: CollectionId; accountId: AccountId }[]> {
  const named = uris.flatMap((uri) => readCollectionUri(ctx.config.origin, uri) ?? [])
  if (named.length === 0) return constant([])
  return rows(
    ctx.db
      .select({ id: sql<CollectionId>`c.id`.as('id'), accountId: sql<AccountId>`a.id`.as('account_id') })
      .from(
        sql`${jsonRows(named)} cross join collections c on c.id = item.value ->> 'id'
          cross join accounts a on a.id = c.account_id`,
      )
      .where(sql`c.uri is null and lower(a.username) = lower(item.value ->> 'username')`),
  )
}

function localPeople(ctx: Ctx, usernames: readonly string[]): Query<{ id: AccountId }[]> {
  const lowercased = usernames.map((name) => name.toLowerCase())
  return rows(
    ctx.db.select({ id: sql<AccountId>`a.id`.as('id') }).from(
      sql`${jsonRows(lowercased)} cross join accounts a
          on lower(a.username) = item.value and coalesce(a.domain, '') = ''`,
    ),
  )
}

function countRecentReports(ctx: Ctx, reporter: AccountId): Query<number> {
  const since = firstIdAt(new Date(ctx.clock.now().getTime() - dayMilliseconds))
  const count = sql<number>`(select count(*) from (select 1 from reports
    where account_id = ${reporter} and id >= ${since} ${limitTo(maxReportsPerDay)}))`
  return map(first(ctx.db.select({ count: count.as('count') }).from(oneRow)), (row) => row?.count ?? 0)
}
