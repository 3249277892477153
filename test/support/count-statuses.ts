import { countServers } from '../../src/domain/servers/count'
import { context } from './test-app'

/** Runs of the task until no status is left to count for its server and author. A run counts statuses of one day. */
export async function countStatuses(): Promise<void> {
  const mark = async () => (await context().db.all(`select counted_before from status_counting`))[0]
  for (let before: unknown = null; ; ) {
    await countServers(context())
    const now = JSON.stringify(await mark())
    if (now === before) return
    before = now
  }
}
