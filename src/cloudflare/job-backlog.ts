import type { JobBacklog } from '../lib/job-backlog'
import type { Log } from '../ports/ctx'

/**
 * Reads the backlog of a queue: messages that are due and not delivered. Null where the platform does not tell, which
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
