// The deployment as a whole: answers first, then step after step, each of which a later run finds done.

import { nameUnknown } from '../known-variables.mjs'
import { Problem } from '../problem.mjs'
import { refuseOwnVariables, withOptions } from './changes.mjs'
import { missingServices } from './configuration.mjs'
import { expectedBill } from './expected-bill.mjs'
import { answers, optionalServices, readAnswer, readDeployment, saveDeployment } from './record.mjs'
import { releaseOf } from './release.mjs'
import { keepSecrets, readBackup } from './restore.mjs'
import { steps } from './steps.mjs'
import { wranglerIn } from './wrangler.mjs'

const questions = {
  domain: 'Domain of the server, such as social.example.org. It stays for ever:',
  owner: 'Your user name:',
  email: 'Your e-mail address:',
  plan: 'Plan of your Cloudflare account (free or paid):',
}
const tries = 60
const pauseMilliseconds = 5_000

/**
 * Deploys the clone in `folder`. `options` are those of the command; `log` takes lines, `question` asks the operator and
 * is null without a terminal, `pause` waits milliseconds, `runWrangler` stands in for the command.
 */
export async function deploy({ folder, options, log, question, pause, runWrangler }) {
  refuseIdleOptions(options)
  const ask = asking(options, question)
  const without = readWithout(options.without)
  const known = readDeployment(folder)
  const before = known === null ? null : { ...known, ...without }
  const backup = readBackup({ folder, options, before })
  const wrangler = wranglerIn(folder, runWrangler)
  const given =
    before === null
      ? { ...(await firstAnswers(withAddress(options, backup), ask)), ...without }
      : await withOptions(before, options, { folder, wrangler, log })
  refuseOwnVariables(given)
  nameUnknown(given.variables ?? {}, { file: 'deployment.local.json', log })
  const todo = steps.filter(({ needsBackup }) => needsBackup !== true || backup !== null)
  if (options['dry-run'])
    return printSteps(todo, backup === null ? given : { ...given, restoring: backup.manifest.name }, log)
  const release = releaseOf(folder)
  log(`Fieldfare ${release}`)
  let deployment = begin(folder, { before, given: { ...given, release }, backup })
  if (backup !== null) keepSecrets({ folder, given: options.secrets })
  const isUpgrade = deployment.isOpen
  const run = {
    folder,
    log,
    question,
    options,
    ask,
    backup,
    wrangler,
    patient: (work) => patiently(work, { log, pause }),
  }
  for (const [index, { title, run: perform }] of todo.entries()) {
    log(`${index + 1}/${todo.length}  ${title}`)
    try {
      deployment = saveDeployment(folder, { ...deployment, ...(await perform(deployment, run)) })
    } catch (failure) {
      throw explained(failure, { title, isUpgrade, run })
    }
  }
  printEnd(deployment, log)
}

function refuseIdleOptions({ secrets, restore }) {
  if (secrets !== undefined && restore === undefined)
    throw new Problem('--secrets names the secrets of a backup: it goes with --restore.')
}

/** The deployment with which the steps begin: what a lost server was, is not open any more. */
function begin(folder, { before, given, backup }) {
  if (backup === null || before?.restored === backup.manifest.name) return saveDeployment(folder, given)
  return saveDeployment(folder, { ...given, isOpen: false })
}

/** The options, with the address of the server that was backed up. */
function withAddress(options, backup) {
  if (backup === null) return options
  const { host, handleDomain } = backup
  return { domain: host, ...(handleDomain === null ? {} : { 'account-domain': handleDomain }), ...options }
}

function asking(options, question) {
  return async (name, words) => {
    if (options[name] !== undefined) return options[name]
    if (question === null) throw new Problem(`${words}\nNobody can answer here: give it as --${name}.`)
    return question(words)
  }
}

async function firstAnswers(options, askOperator) {
  const ask = async (name, words) => options[name] ?? askOperator(name, words)
  const given = { worker: options.name ?? 'fieldfare' }
  const accountDomain = options['account-domain']
  if (accountDomain !== undefined) given.variables = { ACCOUNT_DOMAIN: readAnswer('domain', accountDomain) }
  for (const [name, words] of Object.entries(questions)) given[name] = await ask(name, words)
  for (const name of Object.keys(answers)) given[name] = readAnswer(name, given[name])
  if (!/^[a-z][a-z0-9-]{0,40}$/.test(given.worker))
    throw new Problem('name has to be of small letters, digits and hyphens, 41 at most.')
  return given
}

/** Names of services, separated by commas; `none` for none. Nothing where the option is not given. */
function readWithout(text) {
  if (text === undefined) return {}
  const names = text === 'none' ? [] : text.split(',').map((name) => name.trim())
  const unknown = names.find((name) => !Object.hasOwn(optionalServices, name))
  if (unknown === undefined) return { without: names }
  throw new Problem(
    `${unknown} is no service: --without takes ${Object.keys(optionalServices).join(', ')} or none.`,
  )
}

function printSteps(todo, deployment, log) {
  log(`What npm run deploy does for https://${deployment.domain}:`)
  for (const [index, { title, plan }] of todo.entries())
    log(`${String(index + 1).padStart(2)}  ${title}: ${plan({ isOpen: false, ...deployment })}`)
}

/** Domains and certificates of a new server take minutes. */
async function patiently(work, { log, pause }) {
  for (let attempt = 1; ; attempt += 1) {
    try {
      const result = await work()
      const isPending = Array.isArray(result) && result.some(({ problem }) => problem !== null)
      if (!isPending || attempt >= tries) return result
    } catch (failure) {
      // Refused or unknown, as long as the address is new.
      const isNetwork = failure instanceof TypeError || failure instanceof SyntaxError
      if (!isNetwork) throw failure
      if (attempt >= tries) throw new Problem(`No answer: ${failure.cause?.message ?? failure.message}`)
    }
    if (attempt === 1) log('  Waiting until the address answers ...')
    await pause(pauseMilliseconds)
  }
}

function explained(failure, { title, isUpgrade, run }) {
  if (!(failure instanceof Problem)) return failure
  const wayBack = `The version before: npm run rollback. ${
    run.migrations?.length > 0
      ? `It works with the database as it is now: ${run.migrations.join(', ')} only added to it.`
      : 'The database did not change.'
  }`
  const next = 'Run npm run deploy again when that is mended: it goes on from here.'
  const hasChanged = isUpgrade && run.migrations !== undefined
  return new Problem(
    [`"${title}" did not succeed. ${failure.message}`, '', next, ...(hasChanged ? [wayBack] : [])].join('\n'),
  )
}

function printEnd(deployment, log) {
  const { domain, plan } = deployment
  const missing = missingServices(deployment)
  const hasWayBack = (deployment.upgrades.at(-1)?.versionBefore ?? null) !== null
  log(`
Your server is open: https://${domain}

  Expected bill: ${expectedBill(plan)}
    docs/operate/limits-and-costs.md has the figures; npx fieldfare usage --url https://${domain} tells what your server uses.
${missing.map((service) => `  Without ${service}: ${optionalServices[service]}.\n`).join('')}  Left by hand:
    - let other servers in, where bot protection is on: docs/operate/deploy.md
${
  missing.includes('images') ? '' : '    - previews of pictures need Images: dashboard, "Images"\n'
}    - write the rules and a description: docs/operate/configure.md${
    missing.includes('email')
      ? ''
      : '\n    - mail: dashboard, "Email sending", then MAIL_FROM in deployment.local.json'
  }
  Later: git pull && npm run deploy.${hasWayBack ? ' Back to the version before: npm run rollback.' : ''}`)
}
