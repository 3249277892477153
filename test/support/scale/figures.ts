/** Sizes of generated instances, by statuses. The hard cases of the smaller ones are smaller, and still hard. */

export interface ScaleFigures {
  /** Number of statuses, those of the hard cases included. */
  readonly statuses: number
  readonly localAccounts: number
  /** Of a thousand statuses, those written here. */
  readonly localShare: number
  readonly remoteAccounts: number
  readonly hosts: number
  readonly tags: number
  /** Remote followers of the star, one of the local accounts. */
  readonly starFollowers: number
  /** Different inboxes of those followers, some of them not shared. */
  readonly starInboxes: number
  readonly starHosts: number
  /** Accounts of one server that follow one local account. */
  readonly crowdedDomain: number
  readonly threadAnswers: number
  readonly viralFavourites: number
  readonly viralReblogs: number
  /** Statuses of one remote actor, of which few have attachments. */
  readonly prolificStatuses: number
  /** Statuses of a local author for followers only, and few for everybody. */
  readonly privateStatuses: number
  readonly connected: number
  /** Of the reader. */
  readonly notifications: number
  readonly follows: number
  /** Accounts followed by each other local account, at most. */
  readonly followsOfOthers: number
}

const small: ScaleFigures = {
  statuses: 1_000,
  localAccounts: 80,
  localShare: 350,
  remoteAccounts: 900,
  hosts: 150,
  tags: 150,
  starFollowers: 500,
  starInboxes: 90,
  starHosts: 70,
  crowdedDomain: 150,
  threadAnswers: 160,
  viralFavourites: 250,
  viralReblogs: 120,
  prolificStatuses: 150,
  privateStatuses: 100,
  connected: 60,
  notifications: 400,
  follows: 400,
  followsOfOthers: 60,
}

const medium: ScaleFigures = {
  statuses: 30_000,
  localAccounts: 300,
  localShare: 120,
  remoteAccounts: 5_000,
  hosts: 700,
  tags: 2_000,
  starFollowers: 3_000,
  starInboxes: 560,
  starHosts: 440,
  crowdedDomain: 1_000,
  threadAnswers: 800,
  viralFavourites: 2_500,
  viralReblogs: 1_200,
  prolificStatuses: 2_000,
  privateStatuses: 1_000,
  connected: 200,
  notifications: 3_000,
  follows: 500,
  followsOfOthers: 100,
}

/** A few people who follow many. */
const grown: ScaleFigures = {
  ...medium,
  statuses: 200_000,
  localShare: 30,
  remoteAccounts: 20_000,
  tags: 6_000,
}

const large: ScaleFigures = {
  statuses: 1_000_000,
  localAccounts: 1_200,
  localShare: 50,
  remoteAccounts: 31_000,
  hosts: 3_000,
  tags: 20_000,
  starFollowers: 20_000,
  starInboxes: 3_735,
  starHosts: 2_948,
  crowdedDomain: 4_166,
  threadAnswers: 2_760,
  viralFavourites: 15_000,
  viralReblogs: 8_000,
  prolificStatuses: 10_000,
  privateStatuses: 5_000,
  connected: 1_000,
  notifications: 12_000,
  follows: 800,
  followsOfOthers: 250,
}

export const scales = { '1000': small, '30000': medium, '200000': grown, '1000000': large } as const

export type Scale = keyof typeof scales

/** Throws for any other number of statuses. */
export function scaleOf(statuses: string | number): Scale {
  const asked = String(statuses)
  if (asked === '1000' || asked === '30000' || asked === '200000' || asked === '1000000') return asked
  throw new Error(`${asked} statuses: an instance has ${Object.keys(scales).join(', ')}`)
}
