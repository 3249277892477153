// `npm run deploy`: from a clone to a server, and from one version to the next. Run again after a failure, it continues.
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { outliveReaders } from './lib/closed-pipes.mjs'
import { deploy } from './lib/deploy/deploy.mjs'
import { terminal } from './lib/deploy/terminal.mjs'
import { deployUnattended, isUnattended } from './lib/deploy/unattended.mjs'
import { fail, Problem } from './lib/problem.mjs'
import { root } from './lib/server.mjs'

const usage = `npm run deploy -- [--domain HOST] [--name NAME] [--owner NAME] [--email ADDRESS] [--plan free|paid] [--dry-run]

  --domain   address of the server, which stays for ever once it has accounts
  --name     name of the Worker and of what it keeps (fieldfare)
  --owner    user name of the owner
  --email    e-mail address of the owner
  --plan     plan of the Cloudflare account: free or paid
  --account  id of the Cloudflare account, where you have several
  --account-domain
             domain of handles, where it is not that of the server
  --without  services of the account to do without, separated by commas: images, email, queues; none takes that back
  --restore  folder of a downloaded backup, which a new, empty deployment begins with
  --secrets  file with the INSTANCE_SECRET of that backup, where secrets.local.json is not here
  --take-over-domain
             lets the server have its domain where a DNS record or another Worker has it
  --dry-run  prints the steps and changes nothing

What is not given is asked for, the first time. Values are kept in deployment.local.json; given later, they are applied, or
refused with the reason.`

outliveReaders()
try {
  const { help, ...options } = readOptions()
  if (help) console.log(usage)
  else if (isUnattended(process.env)) await deployUnattended({ folder: root, log: console.log })
  else await deploy({ folder: root, options, pause: sleep, ...terminal() })
} catch (failure) {
  fail(failure)
}

function readOptions() {
  const text = { type: 'string' }
  try {
    const { values } = parseArgs({
      options: {
        help: { type: 'boolean', default: false },
        domain: text,
        name: text,
        owner: text,
        email: text,
        plan: text,
        account: text,
        'account-domain': text,
        without: text,
        restore: text,
        secrets: text,
        'take-over-domain': { type: 'boolean', default: false },
        'dry-run': { type: 'boolean', default: false },
      },
    })
    return values
  } catch (failure) {
    throw new Problem(`${failure.message}\n\n${usage}`)
  }
}
