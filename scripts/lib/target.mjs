// Which instance a command speaks to: the one of `npm start`, or one elsewhere by --url and SETUP_TOKEN.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { instanceSecrets, root, setup } from './server.mjs'

/** Options every such command takes. */
export const targetOptions = {
  url: { type: 'string', default: 'http://localhost:8787' },
  folder: { type: 'string', default: join(root, '.wrangler/instance') },
}

/** Calls a set-up route and answers its body. Ends the process with a readable line when that fails. */
export async function order({ url, folder }, method, path, body) {
  const target = { origin: new URL(url).origin, secrets: secretsFor(url, folder) }
  const answer = await setup(target, method, path, body).catch((failure) =>
    stop(`${target.origin} does not answer: ${failure.cause?.message ?? failure.message}. Is it running?`),
  )
  if (answer.status === 200) return answer.body
  stop(`${target.origin} refused (${answer.status}): ${answer.body?.error ?? 'no reason given'}`)
}

function secretsFor(url, folder) {
  const given = process.env.SETUP_TOKEN
  if (given !== undefined) return { SETUP_TOKEN: given }
  if (new URL(url).hostname !== 'localhost') stop(`Put the set-up token of ${url} into SETUP_TOKEN.`)
  if (!existsSync(folder)) stop('There is no local instance yet: npm start makes one.')
  return instanceSecrets(folder)
}

export function stop(line) {
  console.error(line)
  process.exit(1)
}
