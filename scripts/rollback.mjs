// `npm run rollback`: back to the version before the last `npm run deploy`.
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { outliveReaders } from './lib/closed-pipes.mjs'
import { rollBack } from './lib/deploy/roll-back.mjs'
import { terminal } from './lib/deploy/terminal.mjs'
import { fail, Problem } from './lib/problem.mjs'
import { root } from './lib/server.mjs'

const usage = `npm run rollback -- [--data] [--yes] [--dry-run]

  --data     takes the database back too: everything written since the last deployment is lost
  --yes      does not ask
  --dry-run  prints what would be done`

outliveReaders()
try {
  const { help, ...options } = readOptions()
  if (help) console.log(usage)
  else await rollBack({ folder: root, options, pause: sleep, ...terminal() })
} catch (failure) {
  fail(failure)
}

function readOptions() {
  const flag = { type: 'boolean', default: false }
  try {
    return parseArgs({ options: { help: flag, data: flag, yes: flag, 'dry-run': flag } }).values
  } catch (failure) {
    throw new Problem(`${failure.message}\n\n${usage}`)
  }
}
