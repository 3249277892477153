// `npm run rollback`: back to the version before the last `npm run deploy`.
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { rollBack } from './lib/deploy/roll-back.mjs'
import { terminal } from './lib/deploy/terminal.mjs'
import { fail, Problem } from './lib/problem.mjs'
import { root } from './lib/server.mjs'

const usage = `npm run rollback -- [--data] [--yes] [--dry-run]

  --data     takes the database back too: everything written since the last deployment is lost
  --yes      does not ask
  --dry-run  prints what would be done`

try {
  await rollBack({ folder: root, options: readOptions(), pause: sleep, ...terminal() })
} catch (failure) {
  fail(failure)
}

function readOptions() {
  const flag = { type: 'boolean', default: false }
  try {
    return parseArgs({ options: { data: flag, yes: flag, 'dry-run': flag } }).values
  } catch (failure) {
    throw new Problem(`${failure.message}\n\n${usage}`)
  }
}
