import { type DailyLimits, pausedAt, shareOfDay } from '../contract/usage'
import { dayOf } from '../lib/days'
import type { Clock, Log } from '../ports/ctx'
import type { JobBacklog } from '../ports/services'
import { invocationLimits, statementsKept, type Usage } from '../ports/usage'
import type { UsageMeter } from './usage-meter'

interface Metered {
  readonly clock: Clock
  /** Time of the invocation, to which all of its uses are counted. */
  readonly startedAt: Date
  /** Limits of a day, by the plan that the isolate knows of by then. */
  readonly limits: () => DailyLimits
  /** Stores the counts of the isolate after this invocation. */
  readonly store: () => void
}

/** Usage port of one invocation, on the counts of its isolate. */
export function usageOf(meter: UsageMeter, { clock, startedAt, limits, store }: Metered): Usage {
  let [statements, reserved] = [0, 0]
  const paused = () => pausedAt(shareOfDay(meter.knownOf(dayOf(clock.now())), limits()))
  return {
    add(kind, amount) {
      if (kind === 'statements') statements += amount
      meter.add(startedAt, kind, amount)
      if (!meter.isDue(startedAt)) return
      meter.beginGap(startedAt)
      store()
    },
    noteDatabaseBytes: (bytes) => meter.noteDatabaseBytes(bytes),
    statementsLeft: () => invocationLimits.statements - statementsKept - statements - reserved,
    reserveStatements(count) {
      reserved += count
      return () => {
        reserved -= count
      }
    },
    paused,
    isPaused: (work) => paused().includes(work),
    unstored: (day) => meter.unstored(day),
    take: () => meter.take(clock.now()),
    putBack: (taken) => meter.putBack(clock.now(), taken),
    recordStored: (day, counts) => meter.recordStored(day, counts),
    notePlan: (plan) => {
      meter.plan = plan
    },
  }
}

/**
 * Reads the backlog of a queue: messages that are due and not delivered. Null where the platform does not report it, which
 * must not keep health and metrics from being reported.
 */
export async function readJobBacklog(
  queue: Pick<Queue, 'metrics'> | undefined,
  log: Log,
): Promise<JobBacklog | null> {
  if (queue === undefined) return null
  try {
    const { backlogCount, oldestMessageTimestamp: oldest } = await queue.metrics()
    // An empty queue reports 1970.
    const oldestAt = oldest === undefined || oldest.getTime() === 0 ? null : oldest
    return { count: backlogCount, oldestAt: backlogCount === 0 ? null : oldestAt }
  } catch (cause) {
    log.info('The backlog of the queue cannot be read', { cause })
    return null
  }
}
