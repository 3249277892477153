import type { Look } from '../../contract/look'
import { isTimeZone } from '../../lib/days'
import { type PageLanguage, pageLanguageOf, preferredPageLanguage } from '../../lib/page-language'
import type { ChosenReader } from '../../ports/app-env'

/** Person who reads a page: what words, dates and numbers on it go by. */
export interface Reader {
  readonly language: PageLanguage
  /** IANA name. */
  readonly timeZone: string
}

/** Time zone of a request as Cloudflare locates it; null where it does not say. */
export function zoneOf({ cf }: Request): string | null {
  return typeof cf?.timezone === 'string' && isTimeZone(cf.timezone) ? cf.timezone : null
}

/** Reader of a request without a session: language as the browser prefers, time zone as Cloudflare locates it. */
export function visitorOf(request: Request): Reader {
  return {
    language: preferredPageLanguage(request.headers.get('accept-language')),
    timeZone: zoneOf(request) ?? 'UTC',
  }
}

/** Look that a page has for an account. A browser that saves data gets all pictures folded. */
export function memberLook(request: Request, { look }: ChosenReader): Look {
  const savesData = request.headers.get('save-data') === 'on'
  return savesData ? { ...look, media: 'hide_all', playsGifs: false } : look
}

/** Reader with an account: as chosen there, and as a visitor where nothing is chosen that pages have. */
export function memberReader(request: Request, chosen: ChosenReader): Reader {
  const visitor = visitorOf(request)
  const { timeZone } = chosen
  return {
    language: pageLanguageOf(chosen.locale) ?? visitor.language,
    timeZone: timeZone !== null && isTimeZone(timeZone) ? timeZone : visitor.timeZone,
  }
}
