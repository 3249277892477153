import { createHash } from 'node:crypto'
import type { Config } from '../config'
import { softwareVersion } from '../contract/version'
import type { InstanceSettings, PageSettings } from '../domain/instance/settings'
import { hexColourOf } from '../lib/colour'
import { logoUrls } from '../view/urls'
import { accentPath } from './accent'
import type { ExplorePlace } from './explore-places'
import { paths } from './paths'
import type { Site } from './site'

/** Settings of the look, which every page has, that of a failure included. */
export const lookSettings = ['logo', 'accentColour', 'styleSheet'] as const

type Shown = PageSettings<'title' | 'termsOfService' | (typeof lookSettings)[number]> &
  Partial<Pick<InstanceSettings, 'membersStart' | 'clientName' | 'clientUrl'>>

/** The server as every page shows it. Where the reader is not known, no places are named. */
export function siteOf(config: Config, settings: Shown, places: readonly ExplorePlace[] = []): Site {
  const { host } = new URL(config.origin)
  const { title, termsOfService, membersStart = 'home', clientName = null, clientUrl = null } = settings
  const url = clientUrl?.replaceAll('{host}', encodeURIComponent(host)) ?? null
  const client = url === null ? null : { name: clientName ?? new URL(url).host, url }
  const accent = settings.accentColour === null ? null : hexColourOf(settings.accentColour)
  const starts = { home: paths.home, landing: paths.front, client: client?.url ?? paths.home }
  return {
    title,
    domain: config.domain,
    host,
    version: softwareVersion,
    sourceUrl: config.sourceUrl,
    hasTerms: termsOfService !== null,
    start: starts[membersStart],
    client,
    logo: logoUrls(config, settings.logo),
    ownSheet: settings.styleSheet === null ? null : ownSheetPath(settings.styleSheet),
    customSheet: settings.cssSavedAt === null ? null : customSheetPath(settings.cssSavedAt),
    accentSheet: accent === null ? null : accentPath(accent),
    places,
  }
}

/** Path of the style sheet of the operator, with the beginning of a hash of its text. */
function ownSheetPath(text: string): string {
  return `${paths.ownSheet}?v=${createHash('sha256').update(text).digest('hex').slice(0, 10)}`
}

/** Path of the CSS of the operator, with the time it was saved at. */
export function customSheetPath(savedAt: number): string {
  return `${paths.customSheet}?v=${savedAt.toString(36)}`
}
