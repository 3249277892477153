import type { Config } from '../config'
import type { InstanceSettings } from '../domain/instance/settings'
import { softwareVersion } from '../lib/version'
import type { ExplorePlace } from './explore-places'
import type { Site } from './site'

/** The server as every page shows it. Where the reader is not known, no places are named. */
export function siteOf(
  config: Config,
  settings: Pick<InstanceSettings, 'title' | 'termsOfService'>,
  places: readonly ExplorePlace[] = [],
): Site {
  return {
    title: settings.title,
    domain: config.domain,
    host: new URL(config.origin).host,
    version: softwareVersion,
    sourceUrl: config.sourceUrl,
    hasTerms: settings.termsOfService !== null,
    places,
  }
}
