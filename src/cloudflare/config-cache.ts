import { BadConfiguration, type Config, NotReady, parseConfig, setUpSecretOf } from '../config'
import type { InstanceSecrets } from '../lib/secrets'
import type { Installed } from './durable-objects/installation'
import { installedFor } from './installation'
import { consoleLog } from './log'

interface Parsed {
  readonly outcome: Config | BadConfiguration
  /** State of the installation that it was parsed with. */
  readonly installed: Installed | null
}

/** Parsed configuration or its error by env: parsed once per isolate, and again with another state of the installation. */
const outcomes = new WeakMap<object, Parsed>()

/** Returns the configuration in `env`. Throws `BadConfiguration`, which is logged the first time only. */
export function configOf(env: Env): Config {
  const installed = installedFor(env)
  const kept = outcomes.get(env)
  const { outcome } = kept?.installed === installed ? kept : parse(env, installed)
  if (outcome instanceof BadConfiguration) throw outcome
  return outcome
}

/**
 * The configuration of the pages of set-up, at the address that they were requested at. A locked installation has no
 * secret: theirs is the one that opens set-up.
 */
export function setUpConfigOf(env: object, requestUrl: string): Config {
  const variables = chosenWith(env)
  return parseConfig({ ...variables, ORIGIN: new URL(requestUrl).origin })
}

/** The configuration that the server will have once set-up has ended. */
export function chosenConfigOf(env: object): Config {
  return parseConfig(chosenWith(env))
}

function chosenWith(env: object): object {
  const installed = installedFor(env)
  const variables = installed === null || installed.state === 'locked' ? null : installed.variables
  return { INSTANCE_SECRET: setUpSecretOf(env), ...variables, ...env }
}

/** The secrets in `env`, which are there before the server has an address. */
export function secretsOf(env: Env): InstanceSecrets {
  const installed = installedFor(env)
  if (installed === null || installed.state !== 'unfinished') return configOf(env).secrets
  const given: object = env
  return parseConfig({ ORIGIN: 'https://set-up.invalid', ...installed.variables, ...given }).secrets
}

function parse(env: Env, installed: Installed | null): Parsed {
  const parsed = { outcome: attempt(env, installed), installed }
  outcomes.set(env, parsed)
  if (parsed.outcome instanceof BadConfiguration) reportBadConfiguration(env, parsed.outcome)
  return parsed
}

/** Variables of the environment win over those of the installation. */
function attempt(env: Env, installed: Installed | null): Config | BadConfiguration {
  switch (installed?.state) {
    case 'locked':
      return new BadConfiguration('SETUP_SECRET is another than the one that its secret is encrypted under.')
    case 'unfinished':
      return new NotReady('This server is not set up yet: open /setup in a browser.')
    case 'migrating':
      return new NotReady('The database of this server is being brought to this version.')
  }
  try {
    return parseConfig({ ...installed?.variables, ...env })
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
