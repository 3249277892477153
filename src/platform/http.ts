import type { Config } from '../config'
import { guardedHttp } from '../lib/outgoing/http'
import { softwareVersion } from '../lib/version'
import type { Http } from './ports'

/** Builds the HTTP port. Calls the global `fetch` each time: a test may have replaced it. */
export function httpOf({ origin, ownDomains, federation }: Config): Http {
  return guardedHttp((url, init) => fetch(url, init), {
    userAgent: `Fieldfare/${softwareVersion} (+${origin}/)`,
    testHosts: federation.testHosts,
    ownHosts: ownDomains,
  })
}
