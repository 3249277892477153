import type { Config } from '../config'
import { type Island, scriptAddresses } from '../lib/assets'

/**
 * Needs of the script of a page: calls of the API and of its streams, a worker, or previews of files that the reader has
 * chosen and not yet sent.
 */
export type ScriptNeed = 'api' | 'worker' | 'previews'

export interface PagePolicy {
  /**
   * The answer to a form of this page may lead to an application, by any scheme. Browsers apply `form-action` to
   * every redirect that follows a form, and no source list covers custom schemes or an application's own redirects,
   * so such a page goes without. No markup on it comes from users.
   */
  readonly formsLeadAway?: boolean
  /** The one script that the page may run, with its parts; none otherwise. */
  readonly script?: Island
  /** Needs of that script; nothing otherwise. */
  readonly needs?: readonly ScriptNeed[]
  /** Origins of other addresses of this server that its script asks. */
  readonly connectsTo?: readonly string[]
  /** Pages that may frame it: of all sites, or of this server alone; none otherwise. */
  readonly framedBy?: 'all' | 'own'
  /** The page frames others of this server. */
  readonly framesOwn?: boolean
  /** The page may play sound and video. */
  readonly playsMedia?: boolean
}

/** Content security policy of a page. No opener policy: apps wait for sign-in in a pop-up. */
export function pagePolicy(
  config: Config,
  {
    formsLeadAway = false,
    framedBy,
    framesOwn = false,
    playsMedia = false,
    script,
    connectsTo = [],
    needs = [],
  }: PagePolicy = {},
): string {
  const files = needs.includes('previews') ? `${mediaSources(config)} blob:` : mediaSources(config)
  return [
    "default-src 'none'",
    "style-src 'self'",
    "manifest-src 'self'",
    // By their paths: an uploaded script could not run.
    ...(script === undefined ? [] : [`script-src ${scriptAddresses(config.origin, script).join(' ')}`]),
    ...(needs.includes('api') ? ["connect-src 'self'"] : []),
    ...(connectsTo.length > 0 ? [`connect-src ${connectsTo.join(' ')}`] : []),
    ...(needs.includes('worker') ? ["worker-src 'self'"] : []),
    `img-src ${files}`,
    ...(playsMedia || needs.includes('previews') ? [`media-src ${files}`] : []),
    ...(formsLeadAway ? [] : ["form-action 'self'"]),
    ...(framesOwn ? ["frame-src 'self'"] : []),
    `frame-ancestors ${framedBy === undefined ? "'none'" : framedBy === 'all' ? '*' : "'self'"}`,
    "base-uri 'none'",
  ].join('; ')
}

function mediaSources({ mediaBase, origin }: Config): string {
  const mediaOrigin = new URL(mediaBase).origin
  return mediaOrigin === origin ? "'self'" : `'self' ${mediaOrigin}`
}
