// Options of the command on a deployment that exists: applied, or refused with a sentence.
import { Problem } from '../problem.mjs'
import { writeConfiguration } from './configuration.mjs'
import { readAnswer } from './record.mjs'
import { failureOf, jsonOf } from './wrangler.mjs'

/** Consequences of a plan, for the operator who changes to it. */
const planWords = {
  paid: 'mail can be sent (MAIL_FROM), the server backs itself up every day, prunes from 8 GB on, and gives up no work near the quotas of a day',
  free: 'no mail is sent, the server backs itself up every week, prunes from 400 MB on, and gives up work near the quotas of a day',
}

/** The deployment with what `options` change, each said to `log`. A `Problem` for what cannot change any more. */
export async function withOptions(before, options, { folder, wrangler, log }) {
  refuseName(before, options)
  refuseAccount(before, options)
  const given = givenAnswers(options)
  const handles = options['account-domain']
  const accountDomain = handles === undefined ? undefined : readAnswer('domain', handles)
  const isOther = (name) => given[name] !== undefined && given[name] !== before[name]
  const lasting = ['domain', 'owner', 'email'].filter(isOther)
  const hasOtherHandles = accountDomain !== undefined && accountDomain !== before.variables.ACCOUNT_DOMAIN
  if ((lasting.length > 0 || hasOtherHandles) && (await hasAccounts(before, { folder, wrangler })))
    throw new Problem(whyNot(hasOtherHandles ? 'account-domain' : lasting[0], before))
  for (const name of [...lasting, ...(isOther('plan') ? ['plan'] : [])])
    log(
      `${name}: ${given[name]} from now on, and no longer ${before[name]}${name === 'plan' ? `: ${planWords[given.plan]}` : ''}.`,
    )
  const variables = hasOtherHandles
    ? { ...before.variables, ACCOUNT_DOMAIN: accountDomain }
    : before.variables
  const accountId = before.databaseId === null && options.account !== undefined ? null : before.accountId
  return { ...before, ...given, variables, accountId }
}

/** Variables that the command writes itself. */
export function refuseOwnVariables({ variables = {}, plan, domain }) {
  if (variables.PLAN !== undefined && variables.PLAN !== plan)
    throw new Problem(
      `PLAN among the variables of deployment.local.json has no effect: the plan is ${plan}. Take it out, and run npm run deploy -- --plan ${variables.PLAN}`,
    )
  if (variables.ORIGIN !== undefined && variables.ORIGIN !== `https://${domain}`)
    throw new Problem(
      `ORIGIN among the variables of deployment.local.json has no effect: the address is https://${domain}. Take it out.`,
    )
}

function givenAnswers({ domain, owner, email, plan }) {
  const given = Object.entries({ domain, owner, email, plan }).filter(([, text]) => text !== undefined)
  return Object.fromEntries(given.map(([name, text]) => [name, readAnswer(name, text)]))
}

/** The data are under the name of the Worker. */
function refuseName({ worker }, { name }) {
  if (name !== undefined && name !== worker)
    throw new Problem(`This Worker is ${worker}: under another name it would have no data.`)
}

function refuseAccount({ accountId, databaseId }, { account }) {
  if (account === undefined || databaseId === null || account === accountId) return
  throw new Problem(`This deployment is in the account ${accountId}, with its database and its files. Another account begins with its
backup, in another clone: docs/operate/back-up.md, "Into an account of Cloudflare".`)
}

/** Whether the database has accounts: all that they wrote holds the address. */
async function hasAccounts(before, { folder, wrangler }) {
  if (before.databaseId === null) return false
  writeConfiguration(folder, before)
  const sql = 'select count(*) as accounts from users'
  const order = ['d1', 'execute', 'DB', '--remote', '--json', '--command', sql]
  const result = await wrangler.run([...order, '--config', 'wrangler.local.toml'])
  if (result.code === 0) return (jsonOf(result)?.[0]?.results?.[0]?.accounts ?? 0) > 0
  // Before the migrations.
  if (/no such table/i.test(result.output)) return false
  throw failureOf('Looking for accounts', result)
}

function whyNot(name, { domain, owner }) {
  const reasons = {
    domain: `This server is ${domain}, and has accounts. All ids and links hold that domain, so it cannot change.`,
    'account-domain': `This server has accounts, and other servers know their handles: the domain of handles cannot change.`,
    owner: `The owner is ${owner}, and was made. Others become owners by a role: npx fieldfare accounts role NAME owner --url https://${domain}`,
    email: `The account of ${owner} was made with the address of then. It is changed in the settings of that account on https://${domain}`,
  }
  return reasons[name]
}
