import type { Config } from '../config'
import { guardedHttp } from '../lib/outgoing/http'
import { softwareVersion } from '../lib/version'
import type { Http } from './ports'

/** Called on the global each time: a test may have put its own servers there. */
export function httpOf({ origin, ownDomains, federation }: Config): Http {
  return guardedHttp((url, init) => fetch(url, init), {
    userAgent: `Fieldfare/${softwareVersion} (+${origin}/)`,
    testHosts: federation.testHosts,
    ownHosts: ownDomains,
  })
}
