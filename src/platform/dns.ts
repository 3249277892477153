import { resolve4, resolve6, resolveMx } from 'node:dns/promises'
import type { Log } from './ports'

const lookUpMilliseconds = 3_000

/** Looks up a mail server, else any address: both are allowed to receive mail. */
export async function receivesMail(domain: string, log: Log): Promise<boolean> {
  const late = new Promise<true>((resolve) => setTimeout(() => resolve(true), lookUpMilliseconds))
  const found = async () =>
    (await exists(() => resolveMx(domain), log)) ||
    (await exists(() => resolve4(domain), log)) ||
    (await exists(() => resolve6(domain), log))
  return Promise.race([found(), late])
}

async function exists(lookUp: () => Promise<readonly unknown[]>, log: Log): Promise<boolean> {
  try {
    return (await lookUp()).length > 0
  } catch (cause) {
    const code = cause instanceof Error && 'code' in cause ? cause.code : null
    if (code === 'ENOTFOUND' || code === 'ENODATA') return false
    // A failing resolver must not block sign-ups.
    log.info('A mail domain could not be looked up', { cause })
    return true
  }
}
