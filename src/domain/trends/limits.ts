import type { InstanceSettings } from '../instance/settings'

/** As in Mastodon. */
const usual = 5
/** On a small server so many are a trend: few of its members use one hashtag on one day. */
const amongFew = 2
/** People active within 30 days below which a server is small. */
const fewPeople = 50

type TrendSettings = Pick<
  InstanceSettings,
  'trendMinimumAccounts' | 'trendMinimumTagAccounts' | 'trendMinimumInteractions'
>

/** Accounts that make a hashtag or page trend, and favourites and reblogs that make a status trend. */
export interface TrendLimits {
  readonly tags: number
  readonly links: number
  readonly statuses: number
}

/** The limits of a server with so many people active within 30 days. Pure. */
export function trendLimits(settings: TrendSettings, activePeople: number): TrendLimits {
  const standard = activePeople < fewPeople ? amongFew : usual
  return {
    tags: settings.trendMinimumTagAccounts ?? standard,
    links: settings.trendMinimumAccounts,
    statuses: settings.trendMinimumInteractions ?? standard,
  }
}
