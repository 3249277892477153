// Calls of wrangler for a deployment, with its failures as sentences that an operator can act on.
import { spawn } from 'node:child_process'
import { stripVTControlCharacters } from 'node:util'
import { Problem } from '../problem.mjs'
import { quiet, wrangler } from '../server.mjs'
import { configurationFile } from './configuration.mjs'

/** Errors of wrangler or of the account, and what to do about them. */
const advice = [
  [
    /\b11002\b|to use Queues, you must enable/i,
    'Switch queues on: dashboard, "Queues". Or do without: npm run deploy -- --without queues',
  ],
  [/not authenticated|not logged in|non-interactive/i, 'Sign in: npx wrangler login'],
  [
    /\b10042\b|enable R2/i,
    'Switch R2 on: dashboard, "R2 object storage". Cloudflare asks for a payment method; the free share is 10 GB.',
  ],
  [
    /\b10000\b|\b9109\b|authentication error|permission/i,
    'Your token may not do this. It needs to edit Workers scripts, Workers routes, D1, R2, Queues and DNS of the zone.',
  ],
  [
    /\b100117\b|externally managed DNS records/i,
    'Remove that DNS record: dashboard, your domain, "DNS". Records that were not made for a Worker are never replaced.',
  ],
  [
    /\b100116\b|in use by other custom domain/i,
    'Take the address away from that Worker: dashboard, "Workers & Pages", the Worker, "Domains".',
  ],
  [
    /zone|custom domain|\b10013\b/i,
    'Add the domain as a zone of this account: dashboard, "Add a domain". Misspelt? npm run deploy -- --domain HOST corrects it, as long as the server has no accounts.',
  ],
]

/** Runs wrangler in `folder`. Returns { code, output, stdout }. */
export function runWrangler(folder, args, { input } = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [wrangler, ...args], {
      cwd: folder,
      env: { ...process.env, ...quiet },
    })
    let [output, stdout] = ['', '']
    child.stdout.on('data', (chunk) => {
      output += chunk
      stdout += chunk
    })
    child.stderr.on('data', (chunk) => (output += chunk))
    child.on('error', reject)
    child.on('close', (code) =>
      resolve({ code, output: stripVTControlCharacters(output), stdout: stripVTControlCharacters(stdout) }),
    )
    child.stdin.end(input)
  })
}

/**
 * Wrangler in `folder`, or another command in its place: { run, demand }. `demand` uses the configuration of the deployment,
 * and throws a `Problem` where the command fails.
 */
export function wranglerIn(folder, command = runWrangler) {
  const run = (args) => command(folder, args)
  const demand = async (title, args) => {
    const result = await run([...args, '--config', configurationFile])
    if (result.code !== 0) throw failureOf(title, result)
    return result
  }
  return { run, demand }
}

export function failureOf(title, { output }) {
  const lines = output
    .split('\n')
    .filter((line) => !/If you think this is a bug|Logs were written/.test(line))
  const words = lines
    .join('\n')
    .replaceAll(/\n{3,}/g, '\n\n')
    .trim()
  const [, hint] = advice.find(([pattern]) => pattern.test(words)) ?? []
  return new Problem([`${title} failed:`, words, ...(hint === undefined ? [] : ['', hint])].join('\n'))
}

/** JSON in the output of wrangler, which may print lines before it. */
export function jsonOf({ stdout }) {
  const start = stdout.search(/^[[{]/m)
  return start < 0 ? null : JSON.parse(stdout.slice(start))
}
