// Present uses of the domain of a deployment. Wrangler without a terminal takes a domain over from other Workers and
// DNS records without asking, so it is asked for here, before anything changes.
import { Problem } from '../problem.mjs'
import { failureOf, jsonOf } from './wrangler.mjs'

/** Cloudflare's API, or the one that WRANGLER is configured to use. */
const apiOf = () => process.env.CLOUDFLARE_API_BASE_URL ?? 'https://api.cloudflare.com/client/v4'

/**
 * Names the service that uses the domain, and requires an explicit yes: by `--take-over-domain`, or on the terminal.
 * Returns whether the account knew it: before the first upload it may know no Worker of that name.
 */
export async function admitDomain(deployment, { log, question, options, wrangler }) {
  const conflicts = await findConflicts(deployment, wrangler)
  if (conflicts === null) return false
  const { taken, removed } = conflicts
  for (const hostname of removed)
    log(
      `  note    ${hostname} leads to this Worker too. The deployment ends that: its address is ${deployment.domain}.`,
    )
  if (taken.length > 0) await demandYes(deployment, taken, { log, question, options })
  return true
}

async function demandYes({ domain }, taken, { log, question, options }) {
  const list = taken.map((sentence) => `    - ${sentence}`).join('\n')
  const found = `${domain} is in use:\n${list}`
  if (options['take-over-domain'])
    return log(`  note    ${found}\n  It is taken over, as --take-over-domain says.`)
  if (question === null)
    throw new Problem(`${found}
Nothing was changed there. Nobody can answer here: if the server is to have that address, add --take-over-domain.`)
  log(`  note    ${found}`)
  const answer = await question(`Lead ${domain} to your server instead? (yes)`)
  if (answer !== 'yes')
    throw new Problem(
      `Nothing was changed at ${domain}. Free it, or choose another: npm run deploy -- --domain HOST`,
    )
}

/**
 * What `wrangler deploy` would change: { taken, removed }, sentences about what loses the domain, and other hosts that lead
 * to the Worker. Null where the account knows no such Worker.
 */
async function findConflicts({ worker, domain, accountId }, wrangler) {
  const call = await accountCalls(wrangler)
  const script = `/accounts/${accountId}/workers/scripts/${worker}`
  const origins = [{ hostname: domain }]
  const changeset = await call('POST', `${script}/domains/changeset?replace_state=true`, origins)
  if (changeset === null) return null
  const { updated = [], conflicting = [], removed = [] } = changeset
  const taken = conflicting.map(
    ({ hostname }) => `a DNS record of the zone leads ${hostname} elsewhere, and would be replaced`,
  )
  for (const { id, hostname } of updated.filter(({ modified }) => modified)) {
    const record = await call('GET', `/accounts/${accountId}/workers/domains/records/${id}`)
    if (record?.service === worker) continue
    taken.push(
      `the Worker "${record?.service ?? 'unknown'}" answers at ${hostname}, and would lose that address`,
    )
  }
  return { taken, removed: removed.map(({ hostname }) => hostname) }
}

/** A function that calls the API as wrangler is signed in. It returns the result, and null for what is not there. */
async function accountCalls(wrangler) {
  const found = await wrangler.run(['auth', 'token', '--json'])
  const credentials = found.code === 0 ? jsonOf(found) : null
  if (credentials === null) throw new Problem('You are not signed in to Cloudflare: npx wrangler login')
  const headers =
    credentials.type === 'api_key'
      ? { 'x-auth-key': credentials.key, 'x-auth-email': credentials.email }
      : { authorization: `Bearer ${credentials.token}` }
  return async (method, path, body) => {
    const request = { method, headers: { ...headers, 'content-type': 'application/json' } }
    const response = await fetch(apiOf() + path, {
      ...request,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(30_000),
    }).catch((failure) => {
      throw new Problem(`Cloudflare's API does not answer: ${failure.cause?.message ?? failure.message}`)
    })
    if (response.status === 404) return null
    const { success, result, errors = [] } = await response.json().catch(() => ({ success: false }))
    if (success) return result
    const reasons = errors.map(({ code, message }) => `${message} [code: ${code}]`)
    const output = reasons.join('\n') || `Cloudflare's API answered with ${response.status}`
    throw failureOf('Asking about the domain', { output })
  }
}
