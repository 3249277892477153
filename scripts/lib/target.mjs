// Instance that a command addresses: the one of `npm start`, or a remote one by --url and SETUP_TOKEN.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { Problem } from './problem.mjs'
import { readRunning } from './running.mjs'
import { instanceSecrets, root, setup } from './server.mjs'

/** Options every such command takes. */
export const targetOptions = {
  url: { type: 'string' },
  folder: { type: 'string', default: join(root, '.wrangler/instance') },
}

/** Calls a set-up route and answers its body. Ends the process with a readable line when that fails. */
export async function order(where, method, path, body) {
  const target = findTarget(where)
  const answer = await setup(target, method, path, body).catch((failure) =>
    stop(`${target.origin} does not answer: ${failure.cause?.message ?? failure.message}. Is it running?`),
  )
  if (answer.status === 200) return answer.body
  stop(`${target.origin} refused (${answer.status}): ${answer.body?.error ?? 'no reason given'}`)
}

function findTarget({ url, folder }) {
  try {
    return url === undefined ? localTarget(folder) : targetAt(url, folder)
  } catch (failure) {
    if (failure instanceof Problem) return stop(failure.message)
    throw failure
  }
}

/** The instance that `npm start` runs, whatever its port is. SETUP_TOKEN is for others. */
function localTarget(folder) {
  if (!existsSync(folder)) throw new Problem('There is no local instance yet: npm start makes one.')
  const running = readRunning(folder)
  if (running === null)
    throw new Problem(
      'The local instance does not run: npm start. One elsewhere is named by --url https://...',
    )
  return { origin: running.origin, secrets: instanceSecrets(folder) }
}

function targetAt(url, folder) {
  const address = URL.parse(url)
  if (address === null)
    throw new Problem(`${url} is no address. It has to look like https://social.example.org`)
  const token = process.env.SETUP_TOKEN
  if (token !== undefined) return { origin: address.origin, secrets: { SETUP_TOKEN: token } }
  if (address.hostname !== 'localhost') throw new Problem(`Put the set-up token of ${url} into SETUP_TOKEN.`)
  if (!existsSync(folder)) throw new Problem('There is no local instance yet: npm start makes one.')
  return { origin: address.origin, secrets: instanceSecrets(folder) }
}

export function stop(line) {
  console.error(line)
  process.exit(1)
}
