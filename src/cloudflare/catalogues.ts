import * as z from 'zod'
import type { PageLanguage } from '../lib/page-language'
import type { Catalogue } from '../lib/translate'
import type { Catalogues, Log } from '../ports/ctx'
import type { StaticFiles } from '../ports/services'

const Texts = z.record(z.string(), z.string())

/** Catalogues of this isolate, each read once from the files it is in. */
const loaded = new WeakMap<StaticFiles, Map<PageLanguage, Catalogue>>()

/** Catalogues that were read from these files. A Worker without static files, as in a bench, keeps none. */
function cacheOf(assets: StaticFiles): Map<PageLanguage, Catalogue> {
  const cached = loaded.get(assets) ?? new Map<PageLanguage, Catalogue>()
  if (typeof assets === 'object') loaded.set(assets, cached)
  return cached
}

/** Catalogues among the static files: 170 KiB a language, which the bundle of the Worker does without. */
export function cataloguesIn(assets: StaticFiles, log: Log): Catalogues {
  const cached = cacheOf(assets)

  async function english(): Promise<Catalogue | null> {
    const known = cached.get('en')
    if (known !== undefined) return known
    const read = await readCatalogue(assets, log, 'en')
    if (read !== null) cached.set('en', read)
    return read
  }

  return {
    async load(language) {
      const known = cached.get(language)
      if (known !== undefined) return known
      if (language === 'en') return (await english()) ?? {}
      const [fallback, translated] = await Promise.all([english(), readCatalogue(assets, log, language)])
      const catalogue = { ...fallback, ...translated }
      if (fallback !== null && translated !== null) cached.set(language, catalogue)
      return catalogue
    },
  }
}

/** Null, with a line in the log, where the file is missing or is no catalogue. */
async function readCatalogue(
  assets: StaticFiles,
  log: Log,
  language: PageLanguage,
): Promise<Catalogue | null> {
  try {
    const response = await assets.fetch(`https://assets.invalid/messages/${language}.json`)
    if (!response.ok) throw new Error(`No catalogue: status ${response.status}`)
    return Texts.parse(await response.json())
  } catch (cause) {
    log.error('Failed to read the catalogue of a language', { cause, language })
    return null
  }
}
