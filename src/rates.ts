import type { RateFamily } from './context'

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
}
