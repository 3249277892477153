import * as z from 'zod'
import { IdString, Url } from '../scalars'
import { Account } from './account'
import { Status } from './status'

const AccountCount = z.strictObject({ account_id: IdString, count: z.int() })
const NameCount = z.strictObject({ name: z.string(), count: z.int() })

export const AnnualReport = z
  .strictObject({
    year: z.int(),
    data: z.strictObject({
      archetype: z.enum(['lurker', 'booster', 'pollster', 'replier', 'oracle']),
      top_statuses: z.strictObject({
        by_reblogs: IdString.nullable(),
        by_favourites: IdString.nullable(),
        by_replies: IdString.nullable(),
      }),
      time_series: z.array(
        z.strictObject({
          month: z.int(),
          statuses: z.int(),
          following: z.int().exactOptional(),
          followers: z.int().exactOptional(),
        }),
      ),
      top_hashtags: z.array(NameCount),
      // The remaining keys belong to schema version 1 only.
      type_distribution: z
        .strictObject({ total: z.int(), reblogs: z.int(), replies: z.int(), standalone: z.int() })
        .exactOptional(),
      most_used_apps: z.array(NameCount).exactOptional(),
      commonly_interacted_with_accounts: z.array(AccountCount).exactOptional(),
      most_reblogged_accounts: z.array(AccountCount).exactOptional(),
      percentiles: z.number().exactOptional(),
    }),
    schema_version: z.int(),
    share_url: Url.nullable(),
    account_id: IdString,
  })
  .meta({ id: 'AnnualReport' })
export type AnnualReport = z.infer<typeof AnnualReport>

export const WrappedAnnualReports = z
  .strictObject({
    annual_reports: z.array(AnnualReport),
    accounts: z.array(Account),
    statuses: z.array(Status),
  })
  .meta({ id: 'WrappedAnnualReports' })
