/**
 * A believable instance of 1,000, 30,000 or 1,000,000 statuses, two years old, with the cases that are hard to serve.
 * Made of statements alone, the same in every run: a database on disk takes them as well as one in a test.
 */

import { accountStatements, accountsOf, followStatements, hostOf, remoteRanges, roles } from './accounts.ts'
import { type Timeline, timelineUntil } from './expressions.ts'
import { type Scale, type ScaleFigures, scales } from './figures.ts'
import {
  countStatements,
  hardCaseStatements,
  hardStatuses,
  hardTags,
  linkedPage,
  rareWord,
} from './hard-cases.ts'
import { interactionStatements } from './interactions.ts'
import {
  hardAuthors,
  openPoll,
  ordinaryCount,
  planStatements,
  planTable,
  statusStatements,
} from './statuses.ts'

export interface ScaleOptions {
  readonly now: Date
  /** Key pair of every local account; without it nothing can be delivered. */
  readonly localKey?: { readonly publicKey: string; readonly privateKey: string }
}

export interface ScaledInstance {
  readonly figures: ScaleFigures
  /** To be run between the deletion of all triggers and their return, in this order. */
  readonly statements: readonly string[]
  readonly facts: ReturnType<typeof factsOf>
}

/** Describes the instance of a size. Pure. */
export function scaledInstance(scale: Scale, { now, localKey }: ScaleOptions): ScaledInstance {
  const figures = scales[scale]
  const timeline = timelineUntil(now)
  const accounts = accountsOf(figures, timeline)
  const key = localKey ?? { publicKey: '', privateKey: '' }
  return {
    figures,
    facts: factsOf(scale, now),
    statements: [
      ...accountStatements(figures, timeline, accounts, key),
      ...followStatements(figures, timeline, accounts),
      ...planStatements(figures, timeline, accounts),
      ...statusStatements(figures, timeline),
      ...hardCaseStatements(figures, timeline, accounts),
      ...interactionStatements(figures, timeline, accounts),
      ...countStatements(timeline),
      `drop table ${planTable}`,
    ],
  }
}

/** Key of the group of a notification of the reader: see interactions.ts. */
function groupKeyOf(timeline: Timeline, figures: ScaleFigures, index: number): string {
  const count = ordinaryCount(figures)
  const subject = timeline.at((index * 5) % (Math.floor(count / 5) * 5), count, 0)
  const instant = timeline.instant(timeline.at(index, figures.notifications, 1))
  return `favourite-${subject}-${Math.floor(instant / 43_200_000)}`
}

/** Ids and names of what a measurement asks for. */
function factsOf(scale: Scale, now: Date) {
  const figures = scales[scale]
  const timeline = timelineUntil(now)
  const accounts = accountsOf(figures, timeline)
  const count = ordinaryCount(figures)
  const { crowded } = remoteRanges(figures)
  return {
    accounts: {
      star: accounts.local(roles.star),
      crowded: accounts.local(roles.crowded),
      reader: accounts.local(roles.reader),
      ...hardAuthors(figures, accounts),
      /** Local and remote accounts like most. */
      member: accounts.local(roles.viral + 2),
      remote: accounts.remote(figures.remoteAccounts - 1),
      pending: accounts.local(figures.localAccounts),
      owner: accounts.local(roles.viral + 1),
    },
    statuses: {
      ...hardStatuses(figures, timeline),
      /** A public status like most, in the middle. */
      ordinary: timeline.at(Math.floor(count / 10) * 5, count, 0),
      newest: timeline.at(Math.floor((count - 1) / 5) * 5, count, 0),
    },
    tags: hardTags(figures),
    list: timeline.at(1, 10, 5),
    /** Remote account that asks to follow the reader. */
    requester: accounts.remote(5),
    /** The only open one. */
    poll: timeline.at(openPoll(figures), count, 9),
    /** The latest of the reader, a favourite or the like, and the key of its group. */
    notification: timeline.at(figures.notifications - 5, figures.notifications, 1),
    groupKey: groupKeyOf(timeline, figures, figures.notifications - 5),
    rareWord,
    linkedPage: linkedPage.url,
    commonWord: 'morning',
    /** Domain whose known accounts follow the account `crowded`, every one. */
    crowdedDomain: hostOf(figures.starHosts),
    firstOfCrowdedDomain: accounts.remote(crowded),
  }
}
