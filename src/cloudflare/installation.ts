import { setUpSecretOf } from '../config'
import type { InstalledVariables } from './durable-objects/installation'

/** Variables by set-up secret, of which a deployment has one. */
const known = new Map<string, InstalledVariables | 'locked'>()
const mostKnown = 8

/** The one object of the server. */
export function installationOf({ INSTALLATION }: Pick<Env, 'INSTALLATION'>) {
  return INSTALLATION.get(INSTALLATION.idFromName('installation'))
}

/**
 * Reads the variables that the installation keeps, where the environment leaves its secret to it: one call of its object an
 * isolate. Those of a locked installation are asked for again each time.
 */
export async function prepareConfiguration(env: Env): Promise<void> {
  const secret = setUpSecretOf(env)
  if (secret === null || (known.get(secret) ?? 'locked') !== 'locked') return
  const variables = await installationOf(env).open(secret)
  if (known.size >= mostKnown) known.clear()
  known.set(secret, variables ?? 'locked')
}

/** `prepareConfiguration` for a Durable Object, before its first call. */
export function prepareObject(state: DurableObjectState, env: Env): void {
  if (setUpSecretOf(env) !== null) void state.blockConcurrencyWhile(() => prepareConfiguration(env))
}

/** Variables that the installation adds to `env`; null for none, or where they were not read. */
export function installedVariables(env: object): InstalledVariables | 'locked' | null {
  const secret = setUpSecretOf(env)
  return secret === null ? null : (known.get(secret) ?? null)
}
