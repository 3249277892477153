import type { Config } from '../../config'
import { annualReportUrl } from '../../contract/addresses'
import type { AnnualReport } from '../../contract/entities/annual-report'
import type { AnnualStats } from '../../db/values'

interface AnnualReportFacts {
  readonly accountId: number
  readonly year: number
  readonly data: AnnualStats
  readonly shareKey: string
}

/** Schema version of the report: 2 is Mastodon 4.6's. */
const schemaVersion = 2

/** Presents a report of the account `username`. Deleted statuses are left out. */
export function presentReport(
  { origin }: Config,
  { accountId, year, data, shareKey }: AnnualReportFacts,
  { username, hasStatus }: { readonly username: string; hasStatus(id: number): boolean },
): AnnualReport {
  const { topStatusId, topTag } = data
  const isThere = topStatusId !== null && hasStatus(topStatusId)
  return {
    year,
    data: {
      archetype: data.archetype,
      time_series: data.months.map((month) => ({ ...month })),
      top_hashtags: topTag === null ? [] : [{ ...topTag }],
      top_statuses: {
        by_reblogs: isThere ? String(topStatusId) : null,
        by_favourites: null,
        by_replies: null,
      },
    },
    schema_version: schemaVersion,
    share_url: annualReportUrl(origin, { username, year, key: shareKey }),
    account_id: String(accountId),
  }
}
