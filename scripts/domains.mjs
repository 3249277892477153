// `npm run domains -- list`: which servers are limited, and limits to put on them or to lift.
import { parseArgs } from 'node:util'
import { order, stop, targetOptions } from './lib/target.mjs'

const usage = `npm run domains -- COMMAND [--url https://...]

  list                      limits and allowed servers
  limit DOMAIN SEVERITY     suspend: exchange nothing, end all follows; silence: show to followers only;
                            noop: neither. A limit holds for subdomains too
        [--reject-media]    show none of its pictures
        [--reject-reports]  take none of its reports
        [--obfuscate]       hide part of its name where limits are published
        [--comment TEXT]    published reason
        [--note TEXT]       reason for moderators only
                            On a limited server, what is left out stays; --no-reject-media ends that
  lift DOMAIN               ends a limit; what it ended does not return
  allow DOMAIN              lets a server in while LIMITED_FEDERATION is on; disallow DOMAIN ends that

Elsewhere than on this machine, SETUP_TOKEN must hold the set-up token of the instance.`

const options = {
  ...targetOptions,
  'reject-media': { type: 'boolean' },
  'reject-reports': { type: 'boolean' },
  obfuscate: { type: 'boolean' },
  comment: { type: 'string' },
  note: { type: 'string' },
}
const { values, positionals } = parseArgs({ options, allowPositionals: true, allowNegative: true })
const [command, domain, severity, ...more] = positionals
const said = { lift: 'no longer limited', allow: 'allowed', disallow: 'no longer allowed' }

if (command === 'list' && domain === undefined) await list()
else if (command === 'limit' && severity !== undefined && more.length === 0) {
  await order(values, 'POST', 'domains/limit', {
    domain,
    severity,
    reject_media: values['reject-media'],
    reject_reports: values['reject-reports'],
    obfuscate: values.obfuscate,
    public_comment: values.comment,
    private_comment: values.note,
  })
  console.log(`${domain} is limited: ${severity}.`)
} else if (Object.hasOwn(said, command ?? '') && domain !== undefined && severity === undefined) {
  await order(values, 'POST', `domains/${command}`, { domain })
  console.log(`${domain} is ${said[command]}.`)
} else stop(usage)

async function list() {
  const { limits, allowed } = await order(values, 'POST', 'domains/list', {})
  for (const limit of limits) console.log(lineOf(limit))
  for (const name of allowed) console.log(`${name}  allowed`)
  if (limits.length + allowed.length === 0)
    console.log('No server is limited, and none is on the list of allowed ones.')
}

function lineOf(limit) {
  const more = ['reject_media', 'reject_reports', 'obfuscate'].filter((name) => limit[name])
  const { suspending } = limit
  if (suspending !== null) more.push(`(${suspending.done} of ${suspending.of} accounts so far)`)
  const comments = [limit.public_comment, limit.private_comment].filter((text) => text !== '')
  return [limit.domain, limit.severity, ...more, ...comments.map((text) => `“${text}”`)].join('  ')
}
