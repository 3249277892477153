// `npm run blocks -- add network 192.0.2.0/24`: what may not be used to sign up.
import { parseArgs } from 'node:util'
import { order, stop, targetOptions } from './lib/target.mjs'

const usage = `npm run blocks -- COMMAND [--url https://...]

  list                    blocks with their kinds and ids, the newest 500 of each kind
  add network NETWORK     an address, or a range like 192.0.2.0/24 or 2001:db8::/32
      [--severity NAME]   sign_up_block (as usual), sign_up_requires_approval, or no_access: refuses every request
      [--days NUMBER]     ends by itself
      [--comment TEXT]    reason for moderators
  add domain DOMAIN       e-mail addresses of a domain, and those whose mail it receives
      [--approval]        sign-ups need approval instead of being refused
  add email ADDRESS       an e-mail address in every spelling, or the hash of one
  add username NAME       every username that contains NAME
      [--exact]           this username only
      [--approval]        sign-ups need approval instead of being refused
  remove KIND ID          lifts a block

Elsewhere than on this machine, SETUP_TOKEN must hold the set-up token of the instance.`

const options = {
  ...targetOptions,
  severity: { type: 'string' },
  days: { type: 'string' },
  comment: { type: 'string' },
  approval: { type: 'boolean' },
  exact: { type: 'boolean' },
}
const kinds = {
  network: ['severity', 'days', 'comment'],
  domain: ['approval'],
  email: [],
  username: ['exact', 'approval'],
}

const { values, positionals } = parseArgs({ options, allowPositionals: true })
const [command, kind, subject, ...more] = positionals
const named = Object.keys(options).filter((name) => !Object.hasOwn(targetOptions, name) && name in values)
const send = (verb, body) => order(values, 'POST', `blocks/${verb}`, body)

if (command === 'list' && kind === undefined) await list()
else if (subject === undefined || more.length > 0 || !Object.hasOwn(kinds, kind)) stop(usage)
else if (command === 'add') await add()
else if (command === 'remove' && named.length === 0) {
  await send('remove', { kind, id: subject })
  console.log(`Lifted: ${kind} ${subject}.`)
} else stop(usage)

async function list() {
  const { blocks } = await send('list', {})
  for (const one of blocks) console.log([one.kind, one.id, one.of, ...one.words].join('  '))
  if (blocks.length === 0) console.log('Nothing is blocked.')
}

async function add() {
  const { days, ...given } = Object.fromEntries(named.map((name) => [name, values[name]]))
  if (named.some((name) => !kinds[kind].includes(name))) stop(usage)
  if (days !== undefined && !(Number(days) > 0)) stop(`${days} is no number of days.\n\n${usage}`)
  const { id } = await send('add', {
    kind,
    of: subject,
    ...given,
    ...(days === undefined ? {} : { days: Number(days) }),
  })
  console.log(`Blocked: ${kind} ${subject}, with the id ${id}.`)
}
