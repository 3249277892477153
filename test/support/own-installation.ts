import { runDurableObjectAlarm } from 'cloudflare:test'
import { env } from 'cloudflare:workers'

let made = 0

/** Secrets that the environment of tests has, and that of a server that is set up in the browser lacks. */
interface Made {
  readonly INSTANCE_SECRET?: string
  readonly SETUP_TOKEN?: string
}

/** The environment of a server that makes its secret by itself, with an installation of its own. */
export function ownInstallation(variables: Readonly<Record<string, string>> = {}) {
  made += 1
  const id = env.INSTALLATION.idFromName(`of test ${made}`)
  const calls = { count: 0 }
  const get = () => {
    calls.count += 1
    return env.INSTALLATION.get(id)
  }
  const { INSTANCE_SECRET: _, SETUP_TOKEN: __, ...others }: Env & Made = env
  const installation = new Proxy(env.INSTALLATION, {
    get: (target, name) => (name === 'get' ? get : Reflect.get(target, name).bind(target)),
  })
  // A secret of its own as well: an isolate remembers what each opened.
  const secret = `a set-up secret of more than thirty-two characters ${made}`
  const own: Env = Object.assign(
    { ...others },
    { SETUP_SECRET: secret, INSTALLATION: installation },
    variables,
  )
  return { own, secret, calls, object: env.INSTALLATION.get(id) }
}

export type OwnInstallation = ReturnType<typeof ownInstallation>

/** Runs alarms until the database is that of this version. */
export async function migrateBy(object: OwnInstallation['object']): Promise<void> {
  await object.startMigration()
  while (await runDurableObjectAlarm(object));
}

/** `migrateBy`, and ends set-up. */
export async function finish(object: OwnInstallation['object']): Promise<void> {
  await migrateBy(object)
  await object.complete()
}
