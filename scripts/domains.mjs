// `npm run domains -- list`: which servers are limited, and limits to put on them or to lift.
import { parseArgs } from 'node:util'
import { blocklistCommands, blocklistUsage } from './lib/blocklists.mjs'
import { confirm } from './lib/confirm.mjs'
import { order, stop, targetOptions } from './lib/target.mjs'

const usage = `npm run domains -- COMMAND [--url https://...]

  list                      limits and allowed servers
  preview DOMAIN            accounts and follows that a limit would affect
  limit DOMAIN SEVERITY     suspend: exchange nothing, end all follows; silence: show to followers only;
                            noop: neither. A limit holds for subdomains too
        [--reject-media]    show none of its pictures
        [--reject-reports]  take none of its reports
        [--obfuscate]       hide part of its name where limits are published
        [--comment TEXT]    published reason
        [--note TEXT]       reason for moderators only
        [--yes]             ask nothing
                            On a limited server, what is left out stays; --no-reject-media ends that
  lift DOMAIN               ends a limit
  ended                     follows that suspensions ended
  restore ID                restores them, for 30 days: members' follows are requested again
  allow DOMAIN              lets a server in while LIMITED_FEDERATION is on; disallow DOMAIN ends that
${blocklistUsage}

Elsewhere than on this machine, SETUP_TOKEN must hold the set-up token of the instance.`

const options = {
  ...targetOptions,
  'reject-media': { type: 'boolean' },
  'reject-reports': { type: 'boolean' },
  obfuscate: { type: 'boolean' },
  comment: { type: 'string' },
  note: { type: 'string' },
  yes: { type: 'boolean', default: false },
  overwrite: { type: 'boolean' },
  lift: { type: 'boolean' },
}
const { values, positionals } = parseArgs({ options, allowPositionals: true, allowNegative: true })
const [command, ...rest] = positionals

/** Commands by name, with the least and the greatest number of words each takes. */
const commands = {
  list: [0, 0, list],
  preview: [1, 1, preview],
  limit: [2, 2, limit],
  lift: [1, 1, (domain) => decide('lift', domain, 'no longer limited')],
  allow: [1, 1, (domain) => decide('allow', domain, 'allowed')],
  disallow: [1, 1, (domain) => decide('disallow', domain, 'no longer allowed')],
  ended: [0, 0, ended],
  restore: [1, 1, restore],
  ...blocklistCommands(ask, values, effectsOf),
}

const [least, most, run] = Object.hasOwn(commands, command ?? '') ? commands[command] : [1, 0, null]
if (rest.length < least || rest.length > most) stop(usage)
await run(...rest)

function ask(path, body = {}) {
  return order(values, 'POST', `domains/${path}`, body)
}

async function list() {
  const { limits, allowed } = await ask('list')
  for (const one of limits) console.log(lineOf(one))
  for (const name of allowed) console.log(`${name}  allowed`)
  if (limits.length + allowed.length === 0)
    console.log('No server is limited, and none is on the list of allowed ones.')
}

function lineOf(one) {
  const more = ['reject_media', 'reject_reports', 'obfuscate'].filter((name) => one[name])
  const { suspending } = one
  if (suspending !== null) more.push(`(${suspending.done} of ${suspending.of} accounts so far)`)
  const comments = [one.public_comment, one.private_comment].filter((text) => text !== '')
  return [one.domain, one.severity, ...more, ...comments.map((text) => `“${text}”`)].join('  ')
}

async function preview(domain) {
  const effects = await ask('preview', { domain })
  console.log(`${effects.domain}: ${effectsOf(effects)}.`)
  for (const existing of effects.existing)
    console.log(`Limited already: ${existing.domain}  ${existing.severity}`)
  return effects
}

function effectsOf({ accounts_count, following_count, followers_count, complete }) {
  const most = complete ? '' : 'at least '
  return `${most}${accounts_count} accounts known here, ${following_count} follows by members, ${followers_count} of members`
}

async function limit(domain, severity) {
  await preview(domain)
  const consequence = { suspend: 'All these follows end.', silence: 'Only followers go on seeing them.' }[
    severity
  ]
  if (consequence !== undefined && !(await confirm(`${consequence} Go on?`, values))) process.exit(1)
  await ask('limit', {
    domain,
    severity,
    reject_media: values['reject-media'],
    reject_reports: values['reject-reports'],
    obfuscate: values.obfuscate,
    public_comment: values.comment,
    private_comment: values.note,
  })
  console.log(`${domain} is limited: ${severity}.`)
}

async function decide(what, domain, said) {
  await ask(what, { domain })
  console.log(`${domain} is ${said}.`)
}

async function ended() {
  const { severances } = await ask('severances')
  for (const one of severances) console.log(severanceLine(one))
  if (severances.length === 0) console.log('No suspension of a server ended follows.')
}

function severanceLine(one) {
  const state =
    one.restored_at === null
      ? `restorable until ${one.restorable_until.slice(0, 10)}`
      : `${one.restored_count} restored`
  return `${one.id}  ${one.domain}  ${one.following_count} by members, ${one.followers_count} of members  ${state}`
}

async function restore(id) {
  const one = await ask('restore', { id: Number(id) })
  console.log(`The follows of ${one.domain} are being restored in the background.`)
}
