// Configuration of one deployment: wrangler.full.toml with the values of its operator, in a file that git does not track.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Problem } from '../problem.mjs'
import { sourceUrl } from '../source-url.mjs'

export const configurationFile = 'wrangler.local.toml'

/** Writes the configuration of a deployment into `folder`. Returns its text. */
export function writeConfiguration(folder, deployment) {
  const source = sourceUrl(folder)
  const variables = { ...(source === null ? {} : { SOURCE_URL: source }), ...deployment.variables }
  const text = configurationOf(readFileSync(join(folder, 'wrangler.full.toml'), 'utf8'), {
    ...deployment,
    variables,
  })
  writeFileSync(join(folder, configurationFile), text)
  return text
}

/** wrangler.full.toml as one deployment needs it; without `isAddressed` no address leads to the Worker. */
export function configurationOf(
  text,
  { worker, domain, accountId, databaseId, plan, variables, without = [], lacking = [], isAddressed = true },
) {
  const quoted = (value) => JSON.stringify(value)
  const account = accountId === null ? [] : [`account_id = ${quoted(accountId)}`]
  const head = [
    '# Written by `npm run deploy` from wrangler.full.toml and deployment.local.json: change those.',
    ...account,
    ...(isAddressed ? [`routes = [{ pattern = ${quoted(domain)}, custom_domain = true }]`] : []),
  ]
  const vars = Object.entries({ ...variables, ORIGIN: `https://${domain}`, PLAN: plan })
  const database = databaseId === null ? [] : [`database_id = ${quoted(databaseId)}`]
  const changed = [
    ['name = "fieldfare"', `name = ${quoted(worker)}`],
    [
      'ORIGIN = "http://localhost:8787"',
      vars.map(([name, value]) => `${name} = ${quoted(value)}`).join('\n'),
    ],
    ['database_name = "fieldfare"', [`database_name = ${quoted(worker)}`, ...database].join('\n')],
    ['bucket_name = "fieldfare-media"', `bucket_name = ${quoted(`${worker}-media`)}`],
  ].reduce((before, [line, value]) => replaceOnce(before, line, value), text)
  const unbound = missingServices({ plan, without, lacking })
  const bound = unbound.reduce((before, service) => withoutTables(before, tables[service]), changed)
  return `${head.join('\n')}\n\n${bound.replaceAll('"fieldfare-jobs', `"${worker}-jobs`)}`
}

const address = `# A server has one address, ORIGIN: under any other its links and signatures would be wrong.
workers_dev = false`
const firstAddress = `# Set-up begins there: it asks for the domain of the server.
workers_dev = true
# Variables that were set on the dashboard stay with each deployment.
keep_vars = true`

/**
 * wrangler.full.toml as the button deploys it: without services that an account may lack, and without variables, since set-up
 * in the browser asks for these. `npm run button` writes it to wrangler.toml.
 */
export function buttonConfigurationOf(text) {
  const head = `# For the "Deploy to Cloudflare" button. Written by \`npm run button\` from wrangler.full.toml: change that.`
  const bound = [...Object.values(tables), '[vars]'].reduce(withoutTables, text)
  return `${head}\n\n${replaceOnce(bound, address, firstAddress)}`
}

/** Services of which a deployment has no binding. */
export function missingServices({ plan, without = [], lacking = [] }) {
  // Mail to any address is part of the paid plan only.
  return [...new Set([...(plan === 'free' ? ['email'] : []), ...without, ...lacking])].toSorted()
}

/** Tables of wrangler.full.toml that bind a service. */
const tables = { images: '[images]', email: '[[send_email]]', queues: '[[queues.' }

/** The text without the paragraphs of these tables, and the comments above them. */
function withoutTables(text, beginning) {
  const paragraphs = text.split('\n\n')
  const left = paragraphs.filter(
    (paragraph) => !paragraph.split('\n').some((line) => line.startsWith(beginning)),
  )
  if (left.length === paragraphs.length) throw new Problem(`wrangler.full.toml has to hold ${beginning}`)
  return left.join('\n\n')
}

/** Replaces whole lines that stand in a text once. */
function replaceOnce(text, lines, value) {
  const parts = `\n${text}`.split(`\n${lines}\n`)
  if (parts.length !== 2) throw new Problem(`wrangler.full.toml has to hold this once: ${lines}`)
  return parts.join(`\n${value}\n`).slice(1)
}

/** The migrations of Durable Objects that a configuration names: code from before the last of them cannot come back. */
export function durableObjectsOf(text) {
  return [...text.matchAll(/^tag = "(.+)"$/gm)].map(([, tag]) => tag).join(',')
}
