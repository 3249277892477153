// `npm run invites -- list`: invitations of all members, and their end.
import { parseArgs } from 'node:util'
import { order, stop, targetOptions } from './lib/target.mjs'

const usage = `npm run invites -- COMMAND [--url https://...]

  list           invitations of all members with ids, newest first
  expire ID      nobody signs up with it any more; who did stays
  expire-all     the same for every invitation

Elsewhere than on this machine, SETUP_TOKEN must hold the set-up token of the instance.`

const { values, positionals } = parseArgs({ options: targetOptions, allowPositionals: true })
const [command, subject, ...more] = positionals

if (more.length > 0) stop(usage)
else if (command === 'list' && subject === undefined) await list()
else if (command === 'expire' && subject !== undefined) {
  await order(values, 'POST', 'invites/expire', { id: subject })
  console.log(`${subject} is expired.`)
} else if (command === 'expire-all' && subject === undefined) {
  const { expired } = await order(values, 'POST', 'invites/expire-all', {})
  console.log(`${expired} expired.`)
} else stop(usage)

async function list() {
  let [before, count] = [null, 0]
  do {
    const { invites, next } = await order(values, 'POST', 'invites/list', { before })
    for (const { id, username, state, uses, max_uses: most, expires_at: until, url } of invites)
      console.log([id, username, state, `${uses} of ${most ?? 'any'}`, until ?? 'no end', url].join('  '))
    before = next
    count += invites.length
  } while (before !== null)
  if (count === 0) console.log('Nobody was invited yet.')
}
