// Deployment where Cloudflare builds a copy of the repository: signed in, with nobody to answer, and with wrangler.toml, into
// which Cloudflare wrote what it made. The server does the rest by itself: secrets, migrations and set-up.
import { sourceUrl } from '../source-url.mjs'
import { failureOf, runWrangler } from './wrangler.mjs'

/** Whether a build of Cloudflare runs this, as its variable says. */
export function isUnattended({ WORKERS_CI }) {
  return WORKERS_CI === '1'
}

/** Deploys the Worker of `folder`. Throws a `Problem` with advice where Cloudflare refuses. */
export async function deployUnattended({ folder, log, command = runWrangler }) {
  const source = sourceUrl(folder)
  const variables = source === null ? [] : ['--var', `SOURCE_URL:${source}`]
  const result = await command(folder, ['deploy', '--minify', '--config', 'wrangler.toml', ...variables])
  if (result.code !== 0) throw failureOf('Deploying', result)
  log(result.output.trim())
  log('Open the address above with /setup at its end, and enter the SETUP_SECRET that you chose.')
}
