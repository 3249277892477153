// A restore that is killed in the middle: DIR FOLDER RUNS, with its runtime, after so many round trips to the database.
import { openLocalTarget } from '../../../scripts/lib/backups/local-target.mjs'
import { planRestore, restore } from '../../../scripts/lib/backups/restore.mjs'
import { childrenOf, killNow } from '../../../scripts/lib/processes.mjs'

const [folder, into, runs] = process.argv.slice(2)
const target = await openLocalTarget(into)
let left = Number(runs)
const killed = {
  ...target,
  bytesAtOnce: 1,
  run: async (statements) => {
    await target.run(statements)
    left -= 1
    if (left > 0) return
    for (const pid of childrenOf(process.pid)) killNow(pid)
    process.kill(process.pid, 'SIGKILL')
  },
}
const plan = await planRestore({ folder, target: killed })
await restore({ folder, target: killed, plan, progress: () => undefined })
await target.close()
