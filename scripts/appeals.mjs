// `npm run appeals -- list`: who appeals against a decision of the moderators, and the decision about it.
import { parseArgs } from 'node:util'
import { order, stop, targetOptions } from './lib/target.mjs'

const usage = `npm run appeals -- COMMAND [--url https://...]

  list         appeals that wait for a decision, newest first; list all shows decided ones as well
  approve ID   undoes the action
  reject ID    leaves it as it is

Elsewhere than on this machine, SETUP_TOKEN must hold the set-up token of the instance.`

const { values, positionals } = parseArgs({ options: targetOptions, allowPositionals: true })
const [command, what, ...more] = positionals

if (command === 'list' && more.length === 0 && (what === undefined || what === 'all'))
  await list(what === 'all')
else if ((command === 'approve' || command === 'reject') && /^\d+$/.test(what ?? '') && more.length === 0) {
  await order(values, 'POST', 'appeals/decide', { id: what, verdict: command })
  console.log(`Appeal ${what} is ${command === 'approve' ? 'approved' : 'rejected'}.`)
} else stop(usage)

async function list(all) {
  let count = 0
  let before = null
  do {
    const { appeals, next } = await order(values, 'POST', 'appeals/list', { all, before })
    for (const { id, created_at: at, state, strike, text } of appeals)
      console.log(
        plain([id, at.slice(0, 10), state, strike.target_acct, strike.action, `“${text}”`].join('  ')),
      )
    count += appeals.length
    before = next
  } while (before !== null)
  if (count === 0) console.log('No appeal waits.')
}

/** Members write their appeals: nothing of them may steer the terminal. */
function plain(text) {
  return text.replaceAll(/\p{C}/gu, ' ')
}
