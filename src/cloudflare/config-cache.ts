import { BadConfiguration, type Config, parseConfig } from '../config'
import { consoleLog } from './log'

/** Parsed configuration or its error by env: parsed once per isolate. */
const outcomes = new WeakMap<object, Config | BadConfiguration>()

/** Returns the configuration in `env`. Throws `BadConfiguration`, which is logged the first time only. */
export function configOf(env: Env): Config {
  const outcome = outcomes.get(env) ?? parse(env)
  if (outcome instanceof BadConfiguration) throw outcome
  return outcome
}

function parse(env: Env): Config | BadConfiguration {
  const outcome = attempt(env)
  outcomes.set(env, outcome)
  if (outcome instanceof BadConfiguration) reportBadConfiguration(env, outcome)
  return outcome
}

function attempt(env: Env): Config | BadConfiguration {
  try {
    return parseConfig(env)
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
