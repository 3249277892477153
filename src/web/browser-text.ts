import type { KnownBrowser } from '../lib/browser'
import type { TranslateText } from '../lib/translate'

/** Browser as text, e.g. `Firefox on Linux`. */
export function browserText(t: TranslateText, { browser, system }: KnownBrowser): string {
  if (browser === null)
    return system === null
      ? t('settings.account.unknownBrowser')
      : t('settings.account.unknownBrowserSystem', { system })
  return system === null ? browser : t('settings.account.browserOnSystem', { browser, system })
}
