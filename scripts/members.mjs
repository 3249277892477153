// `npm run members -- list`: who is here and who waits for approval, and what to do about them.
import { parseArgs } from 'node:util'
import { order, stop, targetOptions } from './lib/target.mjs'

const usage = `npm run members -- COMMAND [--url https://...]

  list                  everybody, newest first
  list waiting          who waits for approval, with their reasons
  approve NAME          lets them in
  reject NAME           removes the account, which must be waiting for approval
  role NAME ROLE        moderator, admin, owner, or none
  disable-2fa NAME      removes the second factors of somebody who lost them
  skip-sign-in-token NAME on|off
                        on: no code by mail is asked of them when a sign-in looks new

Of accounts here (NAME) and elsewhere (NAME@HOST):

  warn NAME TEXT        a warning, among their notifications
  disable NAME [TEXT]   no sign-in; posts stay. Only here. Undo: enable NAME
  sensitive NAME [TEXT] all their media are marked as sensitive. Undo: unsensitive NAME
  silence NAME [TEXT]   shown to their followers only. Undo: unsilence NAME
  suspend NAME [TEXT]   hidden everywhere; removed after 30 days. Undo until then: unsuspend NAME
  delete-posts NAME IDS [TEXT]
                        deletes posts of theirs (ids, separated by commas), for good
  mark-posts NAME IDS [TEXT]
                        marks posts of theirs as sensitive
  delete NAME           removes a suspended account at once, for good

With --quiet nobody is notified of it. With --keep-email the e-mail address of a suspended member may sign up again.

Elsewhere than on this machine, SETUP_TOKEN must hold the set-up token of the instance.`

const said = {
  approve: 'approved',
  reject: 'rejected',
  enable: 'enabled',
  unsensitive: 'no longer marked as sensitive',
  unsilence: 'no longer limited',
  unsuspend: 'no longer suspended',
  delete: 'deleted',
  warn: 'warned',
  disable: 'disabled',
  sensitive: 'marked as sensitive',
  silence: 'limited',
  suspend: 'suspended',
}
/** Acts on posts. */
const onPosts = {
  'delete-posts': ['delete', 'deleted'],
  'mark-posts': ['mark_as_sensitive', 'marked as sensitive'],
}
/** Actions that need a text, and actions that may have a text. */
const needing = ['warn']
const taking = ['warn', 'disable', 'sensitive', 'silence', 'suspend']

const { values, positionals } = parseArgs({
  options: {
    ...targetOptions,
    quiet: { type: 'boolean', default: false },
    'keep-email': { type: 'boolean', default: false },
  },
  allowPositionals: true,
})
const [command = '', name, word, ...more] = positionals
const isDecision =
  Object.hasOwn(said, command) && (word === undefined ? !needing.includes(command) : taking.includes(command))

if (command === 'list' && word === undefined && (name === undefined || name === 'waiting'))
  await list(name === 'waiting')
else if (command === 'role' && word !== undefined && more.length === 0) {
  await order(values, 'POST', 'members/role', { username: name, role: word === 'none' ? null : word })
  console.log(word === 'none' ? `${name} has no role.` : `${name} has the role ${word}.`)
} else if (command === 'disable-2fa' && name !== undefined && word === undefined) {
  await order(values, 'POST', 'members/disable-2fa', { username: name })
  console.log(`${name} has no second factor.`)
} else if (command === 'skip-sign-in-token' && ['on', 'off'].includes(word) && more.length === 0) {
  await order(values, 'POST', 'members/skip-sign-in-token', { username: name, skip: word === 'on' })
  console.log(
    word === 'on' ? `${name} is asked for no code by mail.` : `${name} is asked for a code by mail.`,
  )
} else if (Object.hasOwn(onPosts, command) && /^\d+(,\d+)*$/.test(word ?? '') && more.length <= 1) {
  const [type, done] = onPosts[command]
  await order(values, 'POST', `members/statuses/${type}`, {
    username: name,
    status_ids: word.split(','),
    ...(more.length === 1 && { text: more[0] }),
    ...(values.quiet && { send_email: false }),
  })
  console.log(`Posts of ${name} are ${done}.`)
} else if (isDecision && name !== undefined && more.length === 0) {
  await order(values, 'POST', `members/${command}`, {
    username: name,
    ...(word && { text: word }),
    ...(values.quiet && { send_email: false }),
    ...(values['keep-email'] && { block_email: false }),
  })
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
