// The way back from an upgrade: the code of before, and with --data the database of before.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Problem } from '../problem.mjs'
import { durableObjectsOf } from './configuration.mjs'
import { readDeployment } from './record.mjs'
import { report, verify } from './verify.mjs'
import { wranglerIn } from './wrangler.mjs'

/** Goes back to the version before the last deployment of `folder`. `runWrangler` stands in for the command. */
export async function rollBack({ folder, options, log, question, runWrangler }) {
  const deployment = readDeployment(folder)
  if (deployment === null)
    throw new Problem('There is no deployment.local.json: nothing was deployed from here.')
  const last = deployment.upgrades.at(-1)
  if (last === undefined || last.versionBefore === null)
    throw new Problem('There was one deployment so far: there is no version to go back to.')
  refuseLostObjects(folder, last)
  for (const line of planOf(last, options)) log(line)
  if (options['dry-run']) return
  if (!options.yes) await confirm(deployment, options, question)
  const { demand } = wranglerIn(folder, runWrangler)
  await demand('Going back', ['rollback', last.versionBefore, '--yes', '--message', 'npm run rollback'])
  if (options.data)
    await demand('Restoring the database', [
      'd1',
      'time-travel',
      'restore',
      'DB',
      '--bookmark',
      last.bookmark,
    ])
  const { domain, owner } = deployment
  const results = await verify({ origin: `https://${domain}`, owner, secrets: null })
  if (!report(results, log)) throw new Problem('The version before does not work either.')
  log(`https://${domain} runs the version of before. npm run deploy brings this one back.`)
}

/** Cloudflare does not run code of before a migration of Durable Objects. */
function refuseLostObjects(folder, { durableObjects }) {
  const now = durableObjectsOf(readFileSync(join(folder, 'wrangler.full.toml'), 'utf8'))
  if (durableObjects !== '' && durableObjects !== now)
    throw new Problem(`This version migrated Durable Objects (${durableObjects} to ${now}): Cloudflare cannot go back behind that.
Deploy a version that mends what is wrong.`)
}

function planOf({ time, versionBefore, bookmark, migrations }, { data }) {
  return [
    `Back to the version before ${time}: ${versionBefore}`,
    migrations.length === 0
      ? 'The database did not change with that deployment.'
      : `${migrations.join(', ')} stay applied: they only added to the database, and the version before works with them.`,
    ...(data ? [`The database goes back to ${bookmark}: ALL THAT WAS WRITTEN SINCE ${time} IS LOST.`] : []),
  ]
}

async function confirm({ domain }, { data }, question) {
  if (question === null) throw new Problem('Nobody can answer here: add --yes.')
  const expected = data ? domain : 'yes'
  const answer = await question(data ? `Type ${domain} to lose what was written since:` : 'Go back? (yes)')
  if (answer !== expected) throw new Problem('Nothing was changed.')
}
