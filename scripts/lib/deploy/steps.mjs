// Steps of a deployment. Each finds what an earlier run made, so that a run which failed is started again as a whole.
import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Problem } from '../problem.mjs'
import { setup } from '../server.mjs'
import { durableObjectsOf, writeConfiguration } from './configuration.mjs'
import { admitDomain } from './domain.mjs'
import { optionalServices, saveDeployment } from './record.mjs'
import { restoreInto } from './restore.mjs'
import { secretsFile, secretsWithToken } from './secrets.mjs'
import { report, verify } from './verify.mjs'
import { failureOf, jsonOf } from './wrangler.mjs'

/** A server that is rarely down, for a first request to another one. */
const otherServer = 'mastodon.social'
/** 100129: not on this plan. */
const queuesUnavailable = /\b100129\b|queues are unavailable/i
const imagesUnavailable = /images[^\n]{0,80}(not (enabled|available|entitled)|unavailable)|\b9432\b/i
const notThere = /\b(10007|7404|10006|11009)\b|does not exist|not found|could not find/i

/**
 * The steps in order. `plan` says what a dry run prints; `run` takes the deployment and what the run knows
 * ({ folder, log, question, options, backup, wrangler, versionBefore, bookmark, migrations }), and returns what changed in the deployment. Steps with
 * `needsBackup` are left out without one.
 */
export const steps = [
  {
    title: 'Check the sign-in',
    plan: () => 'wrangler whoami',
    run: chooseAccount,
  },
  {
    title: 'Write the configuration',
    plan: ({ domain }) => `wrangler.local.toml: wrangler.full.toml for https://${domain}`,
    run: async (deployment, run) => void writeConfiguration(run.folder, deployment),
  },
  {
    title: 'Find or make the database',
    plan: ({ worker }) => `wrangler d1 create ${worker}`,
    run: findDatabase,
  },
  {
    title: 'Find or make the bucket of media',
    plan: ({ worker }) => `wrangler r2 bucket create ${worker}-media`,
    run: ({ worker }, { wrangler }) =>
      findOrMake(wrangler, {
        find: ['r2', 'bucket', 'info', `${worker}-media`],
        make: ['r2', 'bucket', 'create', `${worker}-media`, '--update-config=false'],
      }),
  },
  {
    title: 'Find or make the queues',
    plan: ({ worker, without = [] }) =>
      without.includes('queues')
        ? 'not wanted: Durable Objects run the jobs'
        : `wrangler queues create ${worker}-jobs, ${worker}-jobs-dead`,
    run: findQueues,
  },
  {
    title: 'Find or make the secrets',
    plan: () => `${secretsFile}: INSTANCE_SECRET and SETUP_TOKEN`,
    run: findSecrets,
  },
  {
    title: 'Ask what the domain leads to now',
    plan: ({ domain }) => `a DNS record or another Worker at ${domain} is taken over only with a yes`,
    run: async (deployment, run) => {
      run.isDomainAdmitted = await admitDomain(deployment, run)
    },
  },
  {
    title: 'Restore the backup',
    needsBackup: true,
    plan: ({ restoring }) => `rows and objects of ${restoring}`,
    run: restoreInto,
  },
  {
    title: 'Mark where the database can go back to',
    plan: ({ isOpen }) =>
      isOpen ? 'wrangler d1 time-travel info' : 'not needed before the first deployment',
    run: mark,
  },
  {
    title: 'Apply migrations',
    plan: () => 'wrangler d1 migrations apply DB --remote',
    run: migrate,
  },
  {
    title: 'Deploy the Worker',
    plan: () => 'wrangler deploy',
    run: deploy,
  },
  {
    title: 'Make the owner',
    plan: ({ owner }) => `the account ${owner}, unless the server has an owner`,
    run: makeOwner,
  },
  {
    title: 'Check it from outside',
    plan: ({ domain }) =>
      `health, NodeInfo, WebFinger, actor, signatures and media of https://${domain}, and a request to ${otherServer}`,
    run: check,
  },
]

async function chooseAccount({ accountId }, { wrangler, ask, options }) {
  const result = await wrangler.run(['whoami', '--json'])
  const found = result.code === 0 ? jsonOf(result) : null
  if (found === null) throw new Problem('You are not signed in to Cloudflare: npx wrangler login')
  const { accounts } = found
  if (accountId !== null) {
    if (accounts.some(({ id }) => id === accountId)) return {}
    throw new Problem(`You are signed in, but not to the account of this deployment (${accountId}).`)
  }
  if (accounts.length === 1 && options.account === undefined) return { accountId: accounts[0].id }
  const list = accounts.map(({ id, name }) => `  ${id}  ${name}`).join('\n')
  const chosen = await ask('account', `Your accounts:\n${list}\nWhich one? (its id)`)
  if (accounts.some(({ id }) => id === chosen)) return { accountId: chosen }
  throw new Problem(`${chosen} is none of your accounts:\n${list}`)
}

async function findDatabase(deployment, { folder, backup, wrangler }) {
  const { worker } = deployment
  const find = async () => {
    const listed = jsonOf(await wrangler.demand('Listing databases', ['d1', 'list', '--json'])) ?? []
    return listed.find(({ name }) => name === worker)?.uuid ?? null
  }
  const existing = await find()
  // Restoring a backup is for a lost database.
  const databaseId = backup === null || existing === deployment.databaseId ? deployment.databaseId : null
  // Another database under the same name would be empty: all accounts and posts would seem lost.
  if (databaseId !== null && existing !== databaseId)
    throw new Problem(`The database of this deployment (${databaseId}) is not in your account any more.`)
  if (existing !== null) return known(folder, { ...deployment, databaseId: existing })
  await wrangler.demand('Making the database', ['d1', 'create', worker, '--update-config=false'])
  const made = await find()
  if (made === null)
    throw new Problem(`The database ${worker} was made, but is not in the list of databases yet.`)
  return known(folder, { ...deployment, databaseId: made })
}

function known(folder, deployment) {
  writeConfiguration(folder, deployment)
  return { databaseId: deployment.databaseId }
}

async function findOrMake(wrangler, { find, make }) {
  const found = await wrangler.run([...find, '--config', 'wrangler.local.toml'])
  if (found.code === 0) return
  if (!notThere.test(found.output)) throw failureOf(`wrangler ${find.join(' ')}`, found)
  await wrangler.demand(`wrangler ${make.join(' ')}`, make)
}

/** Queues that the account has no access to are done without, and looked for again with the next deployment. */
async function findQueues(deployment, { folder, log, wrangler }) {
  const lacking = deployment.lacking.filter((service) => service !== 'queues')
  const write = (services) => {
    writeConfiguration(folder, { ...deployment, lacking: services })
    return { lacking: services }
  }
  if (deployment.without.includes('queues')) return write(lacking)
  // On the free plan messages live for a day, and wrangler may ask for more.
  const retention = deployment.plan === 'free' ? ['--message-retention-period-secs', '86400'] : []
  try {
    for (const name of [`${deployment.worker}-jobs`, `${deployment.worker}-jobs-dead`])
      await findOrMake(wrangler, {
        find: ['queues', 'info', name],
        make: ['queues', 'create', name, ...retention],
      })
  } catch (failure) {
    if (!queuesUnavailable.test(failure.message)) throw failure
    log(`  note    Your account has no queues: ${optionalServices.queues}.`)
    return write([...lacking, 'queues'])
  }
  return write(lacking)
}

/** Secrets are made once. Without their file, those that the Worker has stay as they are. */
async function findSecrets({ isOpen, worker }, { folder, log, wrangler }) {
  const file = join(folder, secretsFile)
  if (existsSync(file)) return
  if (isOpen) return log(`  ${secretsFile} is not here: the Worker keeps the secrets it has.`)
  await refuseServerOfButton(worker, wrangler)
  const random = () => randomBytes(32).toString('base64url')
  const secrets = { INSTANCE_SECRET: random(), SETUP_TOKEN: random() }
  writeFileSync(file, `${JSON.stringify(secrets, null, 2)}\n`, { mode: 0o600, flag: 'wx' })
  log(`
  The secrets of your server are in ${file}.
  Copy that file to a safe place now, such as a password manager: without it nothing can be restored elsewhere.
`)
}

/** A server that was set up in the browser has made a secret: under another one its keys would not open. */
async function refuseServerOfButton(worker, wrangler) {
  const found = await wrangler.run(['secret', 'list', '--name', worker, '--config', 'wrangler.local.toml'])
  if (found.code !== 0 && notThere.test(found.output)) return
  if (found.code !== 0) throw failureOf('Listing the secrets of the Worker', found)
  if (!(jsonOf(found) ?? []).some(({ name }) => name === 'SETUP_SECRET')) return
  throw new Problem(
    `The Worker ${worker} was set up in the browser, and has a secret of its own. Write ${secretsFile} first, with INSTANCE_SECRET of the file that set-up offered and a SETUP_TOKEN: docs/operate/deploy-by-button.md`,
  )
}

/** Notes the running version and the state of the database, to which a failed upgrade goes back. */
async function mark({ isOpen }, run) {
  if (!isOpen) return
  const deployments = await run.wrangler.run([
    'deployments',
    'list',
    '--json',
    '--config',
    'wrangler.local.toml',
  ])
  if (deployments.code !== 0) throw failureOf('Listing deployments', deployments)
  run.versionBefore = (jsonOf(deployments) ?? []).at(-1)?.versions?.[0]?.version_id ?? null
  const info = await run.wrangler.demand('Marking the database', [
    'd1',
    'time-travel',
    'info',
    'DB',
    '--json',
  ])
  run.bookmark = jsonOf(info)?.bookmark ?? null
}

async function migrate(deployment, run) {
  const listed = await run.wrangler.demand('Listing migrations', [
    'd1',
    'migrations',
    'list',
    'DB',
    '--remote',
  ])
  run.migrations = [...new Set(listed.output.match(/\b\d{4}_[\w-]+\.sql\b/g) ?? [])]
  // Kept before anything changes: a run that fails from here on can be undone.
  const upgrades = deployment.isOpen ? withUpgrade(deployment, run) : deployment.upgrades
  saveDeployment(run.folder, { ...deployment, upgrades })
  if (run.migrations.length > 0)
    await run.wrangler.demand('Applying migrations', ['d1', 'migrations', 'apply', 'DB', '--remote'])
  run.log(`  ${run.migrations.length} applied`)
  return { upgrades }
}

/** The upgrades with the present one. A run that failed before its code was deployed began that upgrade. */
function withUpgrade({ upgrades, durableObjects }, { versionBefore, bookmark, migrations }) {
  const last = upgrades.at(-1)
  if (last !== undefined && last.versionBefore === versionBefore)
    return [...upgrades.slice(0, -1), { ...last, migrations: [...last.migrations, ...migrations] }]
  const upgrade = {
    time: new Date().toISOString(),
    versionBefore,
    bookmark,
    migrations,
    durableObjects: durableObjects ?? '',
  }
  return [...upgrades, upgrade]
}

async function deploy(deployment, run) {
  const lacking = deployment.lacking.filter((service) => service !== 'images')
  // Without an address first, where the account did not know yet what uses that address.
  if (!run.isDomainAdmitted) {
    lacking.push(...(await upload({ ...deployment, lacking, isAddressed: false }, run)))
    await admitDomain(deployment, run)
  }
  lacking.push(...(await upload({ ...deployment, lacking }, run)))
  if (run.options.plan !== undefined && deployment.isOpen) await forgetChosenPlan(run)
  return {
    lacking,
    isOpen: true,
    durableObjects: durableObjectsOf(readFileSync(join(run.folder, 'wrangler.full.toml'), 'utf8')),
  }
}

/** Deletes the plan that was chosen in the panel or by command: the later act counts. */
async function forgetChosenPlan({ wrangler }) {
  const sql = "delete from settings where key = 'instance.plan'"
  await wrangler.demand('Applying the plan', [
    'd1',
    'execute',
    'DB',
    '--remote',
    '--yes',
    '--json',
    '--command',
    sql,
  ])
}

/** Uploads the Worker. Returns services missing from the account. */
async function upload(deployment, { folder, log, wrangler }) {
  const secrets = existsSync(join(folder, secretsFile)) ? ['--secrets-file', secretsFile] : []
  const order = ['deploy', '--minify', ...secrets]
  writeConfiguration(folder, deployment)
  try {
    await wrangler.demand('Deploying', order)
    return []
  } catch (failure) {
    const isKnown = [...deployment.without, ...deployment.lacking].includes('images')
    if (isKnown || !imagesUnavailable.test(failure.message)) throw failure
  }
  log(`  note    Your account has no Images: ${optionalServices.images}.`)
  writeConfiguration(folder, { ...deployment, lacking: [...deployment.lacking, 'images'] })
  await wrangler.demand('Deploying', order)
  return ['images']
}

async function makeOwner({ domain, owner, email }, { folder, log, patient }) {
  const secrets = secretsWithToken(folder)
  if (secrets === null) return log('  There is no set-up token here: the owner stays as it is.')
  const { status, body } = await patient(() =>
    setup({ origin: `https://${domain}`, secrets }, 'POST', 'owner', { username: owner, email }),
  )
  if (status === 409) return log('  The server has an owner.')
  if (status !== 200)
    throw new Problem(`The owner could not be made (${status}): ${body?.error ?? 'no reason given'}`)
  log(`
  The owner of your server (shown this once):
    name      ${body.username}
    password  ${body.password}
`)
}

async function check({ domain, owner }, { folder, log, patient }) {
  const results = await patient(() =>
    verify({ origin: `https://${domain}`, owner, secrets: secretsWithToken(folder) }),
  )
  if (!report(results, log)) throw new Problem('The server is deployed, but not all of it works.')
  await meet(domain, { folder, log })
}

/** Lets the server call on another one. A failure is worth a note alone: that server may be the one that is ill. */
async function meet(domain, { folder, log }) {
  const secrets = secretsWithToken(folder)
  if (secrets === null) return
  const response = await fetch(`https://${domain}/api/fieldfare/v1/admin/federation/check`, {
    method: 'POST',
    headers: { authorization: `Bearer ${secrets.SETUP_TOKEN}`, 'content-type': 'application/json' },
    body: JSON.stringify({ host: otherServer }),
    signal: AbortSignal.timeout(60_000),
  })
  const { steps = [] } = response.ok ? await response.json() : {}
  const met = steps.find(({ step }) => step === 'software')
  if (met?.outcome === 'passed') return log(`  ok      a request to another server: ${met.explanation}`)
  log(
    `  note    ${otherServer} was not reached. Try others: npx fieldfare federation check HOST --url https://${domain}`,
  )
}
