import { setUpSecretOf } from '../config'
import { type ChosenVariables, chosenVariables, type Installation } from '../ports/installation'
import type { Installed } from './durable-objects/installation'

/** State of the installation by set-up secret, of which a deployment has one. */
const known = new Map<string, Installed>()
const mostKnown = 8

/** The one object of the server. */
function objectOf({ INSTALLATION }: Pick<Env, 'INSTALLATION'>) {
  return INSTALLATION.get(INSTALLATION.idFromName('installation'))
}

/** The installation of a server that keeps its secret there; null where the environment holds it. */
export function installationOf(env: Env): Installation | null {
  const secret = setUpSecretOf(env)
  if (secret === null) return null
  return {
    state: async (holder, now) => {
      const state = await objectOf(env).state(secret, holder, now.getTime())
      return { ...state, chosen: { ...state.chosen, ...givenVariables(env) } }
    },
    countWrongSecret: () => objectOf(env).countWrongSecret(),
    hold: async (holder, now, takesOver) => {
      const seenAt = await objectOf(env).hold(holder, now.getTime(), takesOver)
      return seenAt === null ? null : new Date(seenAt)
    },
    startMigration: () => objectOf(env).startMigration(),
    choose: (holder, variables, done) => objectOf(env).choose(holder, variables, done),
    secretForFile: (holder) => objectOf(env).secretForFile(secret, holder),
    sealAgain: (proof) => objectOf(env).sealAgain(secret, proof),
    complete: () => objectOf(env).complete(),
  }
}

/** Variables of the environment, which count before those that were chosen. */
function givenVariables(env: object): ChosenVariables {
  const names: ReadonlySet<string> = new Set(chosenVariables)
  return Object.fromEntries(
    Object.entries(env).filter(([name, value]) => names.has(name) && typeof value === 'string'),
  )
}

/**
 * Reads what the installation keeps, where the environment leaves its secret to it: one call of its object an isolate. As
 * long as the server does not run it is asked again each time.
 */
export async function prepareConfiguration(env: Env): Promise<void> {
  const secret = setUpSecretOf(env)
  if (secret === null || known.get(secret)?.state === 'open') return
  const installed = await objectOf(env).open(secret)
  if (known.size >= mostKnown) known.clear()
  known.set(secret, installed)
}

/** Whether the server runs, as far as the installation goes: else only pages of set-up are answered. */
export function isInstalled(env: object): boolean {
  const installed = installedFor(env)
  return installed === null || installed.state === 'open'
}

/** `prepareConfiguration` for a Durable Object, before its first call. */
export function prepareObject(state: DurableObjectState, env: Env): void {
  if (setUpSecretOf(env) !== null) void state.blockConcurrencyWhile(() => prepareConfiguration(env))
}

/** State of the installation beside `env`; null for nothing, or where it was not read. */
export function installedFor(env: object): Installed | null {
  const secret = setUpSecretOf(env)
  return secret === null ? null : (known.get(secret) ?? null)
}
