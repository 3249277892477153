import type { Config } from '../config'
import { softwareVersion } from '../contract/version'
import { guardedHttp } from '../lib/outgoing'
import type { Http } from '../ports/federation'
import type { Usage } from '../ports/usage'

/** Builds the HTTP port. Calls the global `fetch` each time: a test may have replaced it. */
export function httpOf({ origin, ownDomains, federation }: Config, { add }: Pick<Usage, 'add'>): Http {
  const counted: typeof fetch = (url, init) => {
    add('outgoingRequests', 1)
    return fetch(url, init)
  }
  return guardedHttp(counted, {
    userAgent: `Fieldfare/${softwareVersion} (+${origin}/)`,
    testHosts: federation.testHosts,
    ownHosts: ownDomains,
  })
}
