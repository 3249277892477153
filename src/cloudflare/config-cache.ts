import { BadConfiguration, type Config, parseConfig } from '../config'
import type { InstalledVariables } from './durable-objects/installation'
import { installedVariables } from './installation'
import { consoleLog } from './log'

interface Parsed {
  readonly outcome: Config | BadConfiguration
  /** Variables of the installation that it was parsed with. */
  readonly installed: InstalledVariables | 'locked' | null
}

/** Parsed configuration or its error by env: parsed once per isolate, and again with other variables of the installation. */
const outcomes = new WeakMap<object, Parsed>()

/** Returns the configuration in `env`. Throws `BadConfiguration`, which is logged the first time only. */
export function configOf(env: Env): Config {
  const installed = installedVariables(env)
  const kept = outcomes.get(env)
  const { outcome } = kept?.installed === installed ? kept : parse(env, installed)
  if (outcome instanceof BadConfiguration) throw outcome
  return outcome
}

function parse(env: Env, installed: Parsed['installed']): Parsed {
  const parsed = { outcome: attempt(env, installed), installed }
  outcomes.set(env, parsed)
  if (parsed.outcome instanceof BadConfiguration) reportBadConfiguration(env, parsed.outcome)
  return parsed
}

/** Variables of the environment win over those of the installation. */
function attempt(env: Env, installed: Parsed['installed']): Config | BadConfiguration {
  if (installed === 'locked')
    return new BadConfiguration('SETUP_SECRET is another than the one that its secrets are encrypted under.')
  try {
    return parseConfig({ ...installed, ...env })
  } catch (failure) {
    if (failure instanceof BadConfiguration) return failure
    throw failure
  }
}

const reported = new WeakSet<object>()

/** Logs the first configuration error only: every request finds it again. */
export function reportBadConfiguration(env: object, failure: BadConfiguration): void {
  if (reported.has(env)) return
  reported.add(env)
  consoleLog.error(failure.message)
}

/** Runs `work`, or `otherwise` where the configuration is bad: logged once, not once a minute. */
export async function whenConfigured(work: () => Promise<void>, otherwise?: () => void): Promise<void> {
  try {
    await work()
  } catch (failure) {
    if (!(failure instanceof BadConfiguration)) throw failure
    otherwise?.()
  }
}
