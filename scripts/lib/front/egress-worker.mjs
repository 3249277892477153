// Configuration of the way out in Miniflare.
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

export const egressName = 'egress'

/** The Worker through which another, with `outboundService: egressName`, reaches public addresses alone. */
export function egressWorker({ compatibilityDate }) {
  return {
    name: egressName,
    compatibilityDate,
    modules: [moduleOf('egress.mjs', fileURLToPath(new URL('egress.mjs', import.meta.url)))],
    serviceBindings: {
      PUBLIC: { network: { allow: ['public'], tlsOptions: { trustBrowserCas: true } } },
    },
  }
}

export function moduleOf(path, file) {
  return { type: 'ESModule', path, contents: readFileSync(file, 'utf8') }
}
