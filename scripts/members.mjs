// `npm run members -- list`: who is here and who waits for approval, and what to do about them.
import { parseArgs } from 'node:util'
import { order, stop, targetOptions } from './lib/target.mjs'

const usage = `npm run members -- COMMAND [--url https://...]

  list             everybody, newest first
  list waiting     who waits for approval, with their reasons
  approve NAME     lets them in
  reject NAME      removes the account, which must be waiting for approval
  disable NAME     locks them out; enable NAME lets them in again
  role NAME ROLE   moderator, admin, owner, or none

Elsewhere than on this machine, SETUP_TOKEN must hold the set-up token of the instance.`

const said = { approve: 'approved', reject: 'rejected', disable: 'disabled', enable: 'enabled' }

const { values, positionals } = parseArgs({ options: targetOptions, allowPositionals: true })
const [command, name, role, ...more] = positionals

if (command === 'list' && role === undefined && (name === undefined || name === 'waiting'))
  await list(name === 'waiting')
else if (command === 'role' && role !== undefined && more.length === 0) {
  await order(values, 'POST', 'members/role', { username: name, role: role === 'none' ? null : role })
  console.log(role === 'none' ? `${name} has no role.` : `${name} has the role ${role}.`)
} else if (Object.hasOwn(said, command ?? '') && name !== undefined && role === undefined) {
  await order(values, 'POST', `members/${command}`, { username: name })
  console.log(`${name} is ${said[command]}.`)
} else stop(usage)

async function list(onlyWaiting) {
  let count = 0
  let before = null
  do {
    const { members, next } = await order(values, 'POST', 'members/list', {
      only_waiting: onlyWaiting,
      before,
    })
    for (const member of members) console.log(lineOf(member))
    count += members.length
    before = next
  } while (before !== null)
  if (count === 0) console.log(onlyWaiting ? 'Nobody waits for approval.' : 'Nobody is here.')
}

function lineOf({ username, email, state, role: given, reason, created_at: since }) {
  const facts = [username, email, state, since.slice(0, 10), ...(given === null ? [] : [given])]
  return plain([...facts, ...(reason === null ? [] : [`“${reason}”`])].join('  '))
}

/** People write their own reasons: nothing of them may steer the terminal. */
function plain(text) {
  return text.replaceAll(/\p{C}/gu, ' ')
}
