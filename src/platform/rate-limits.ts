import type { FloodScope, RateFamily } from './ports'

/**
 * Requests a minute that the flood gate lets pass; `wrangler.toml` configures the same.
 *
 * A caller is one token (as many as Mastodon allows in five minutes), or an address without one: an IPv6 /64 counts as
 * one address. A network is one address, or an IPv6 /48, with all who ask from there, signed in or not: fifty a second
 * are a school or office of some hundred people who read at once, a relay, or a large server with a popular post. The
 * same holds for other servers that run on Workers, which all share one address.
 */
export const floodLimits: Readonly<Record<FloodScope, number>> = { caller: 300, network: 3_000 }

/** Mastodon's limits per family: how often in a window of how many seconds, aligned to the epoch. */
export const rateWindows: Readonly<
  Record<RateFamily, { readonly limit: number; readonly periodSeconds: number }>
> = {
  statuses: { limit: 300, periodSeconds: 10_800 },
  follows: { limit: 400, periodSeconds: 86_400 },
  reports: { limit: 400, periodSeconds: 86_400 },
  media: { limit: 30, periodSeconds: 1_800 },
  deletions: { limit: 30, periodSeconds: 1_800 },
  // Ours: each may cost the operator money.
  translations: { limit: 60, periodSeconds: 300 },
  // Ours: a message to several devices counts as one, and so does taking their keys.
  encryption: { limit: 600, periodSeconds: 3_600 },
  signUps: { limit: 5, periodSeconds: 1_800 },
  apps: { limit: 5, periodSeconds: 600 },
  signInsByIp: { limit: 25, periodSeconds: 300 },
  signInsByName: { limit: 25, periodSeconds: 3_600 },
  confirmations: { limit: 5, periodSeconds: 1_800 },
  confirmationsByIp: { limit: 25, periodSeconds: 300 },
  // Ours, for other servers (`src/activitypub/budgets.ts`): by registrable domain, or by actor.
  remoteServers: { limit: 200_000, periodSeconds: 86_400 },
  remoteActors: { limit: 10_000, periodSeconds: 86_400 },
  newRemoteActors: { limit: 20_000, periodSeconds: 86_400 },
  fetchedPosts: { limit: 200_000, periodSeconds: 86_400 },
  // By registrable domain. Moderators are told of each report, and have to read it.
  remoteReports: { limit: 100, periodSeconds: 86_400 },
}
