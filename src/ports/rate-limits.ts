export type RateFamily =
  | 'statuses'
  | 'follows'
  | 'reports'
  | 'media'
  | 'deletions'
  | 'archives'
  | 'translations'
  | 'encryption'
  | 'signUps'
  | 'apps'
  | 'signInsByIp'
  | 'signInsByName'
  | 'secondFactors'
  | 'confirmations'
  | 'confirmationsByIp'
  | 'remoteInteractions'
  | 'remoteServers'
  | 'remoteActors'
  | 'relays'
  | 'newRemoteActors'
  | 'fetchedPosts'
  | 'remoteReports'
  | 'evidencePictures'

/** Scope of the flood gate: one caller, or a whole network. */
export type FloodScope = 'caller' | 'network'

/**
 * Requests per minute that the flood gate admits; `wrangler.full.toml` configures the same.
 *
 * A caller is one token (as many as Mastodon allows in five minutes), or an address without one: an IPv6 /64 counts
 * as one address. A network is one address, or an IPv6 /48, with all its clients, signed in or not: fifty a second
 * are a school or office of some hundred users who read at once, a relay, or a large server with a popular status.
 * The same holds for other servers that run on Workers, which all share one address.
 */
export const floodLimits: Readonly<Record<FloodScope, number>> = { caller: 300, network: 3_000 }

/** Mastodon's limits per family: uses per window of so many seconds, aligned to the epoch. */
export const rateWindows: Readonly<
  Record<RateFamily, { readonly limit: number; readonly periodSeconds: number }>
> = {
  statuses: { limit: 300, periodSeconds: 10_800 },
  follows: { limit: 400, periodSeconds: 86_400 },
  reports: { limit: 400, periodSeconds: 86_400 },
  media: { limit: 30, periodSeconds: 1_800 },
  deletions: { limit: 30, periodSeconds: 1_800 },
  // Own limit: files and parts of archives, each of twenty statuses at most.
  archives: { limit: 3_000, periodSeconds: 3_600 },
  // Own limit: each may cost the operator money.
  translations: { limit: 60, periodSeconds: 300 },
  // Own limit: a message to several devices counts as one, and so does claiming their keys.
  encryption: { limit: 600, periodSeconds: 3_600 },
  signUps: { limit: 5, periodSeconds: 1_800 },
  apps: { limit: 5, periodSeconds: 600 },
  signInsByIp: { limit: 25, periodSeconds: 300 },
  signInsByName: { limit: 25, periodSeconds: 3_600 },
  // Six digits, of which three codes are valid at a time: a password in wrong hands allows 30 guesses in a million an hour.
  secondFactors: { limit: 10, periodSeconds: 3_600 },
  confirmations: { limit: 5, periodSeconds: 1_800 },
  confirmationsByIp: { limit: 25, periodSeconds: 300 },
  // Own limit: each makes this server ask another one that an anonymous visitor names.
  remoteInteractions: { limit: 25, periodSeconds: 300 },
  // Own limits, for remote servers (`src/activitypub/budgets.ts`): by registrable domain, or by actor.
  remoteServers: { limit: 200_000, periodSeconds: 86_400 },
  remoteActors: { limit: 10_000, periodSeconds: 86_400 },
  relays: { limit: 50_000, periodSeconds: 86_400 },
  newRemoteActors: { limit: 20_000, periodSeconds: 86_400 },
  fetchedPosts: { limit: 200_000, periodSeconds: 86_400 },
  // By registrable domain. Moderators are notified of each report, and have to read it.
  remoteReports: { limit: 100, periodSeconds: 86_400 },
  // By reporter: each picture is fetched and stored.
  evidencePictures: { limit: 200, periodSeconds: 86_400 },
}
