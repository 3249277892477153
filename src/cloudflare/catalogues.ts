import * as z from 'zod'
import type { PageLanguage } from '../lib/page-language'
import type { Catalogues, Log } from '../ports/ctx'
import type { StaticFiles } from '../ports/services'

const Translations = z.record(z.string(), z.string())

type Catalogue = Readonly<Record<string, string>>

/** Catalogues of this isolate, each read once from the files it is in. */
const loaded = new WeakMap<StaticFiles, Map<PageLanguage, Catalogue>>()

/** Catalogues among the static files: 30 KiB a language, which the bundle of the Worker does without. */
export function cataloguesIn(assets: StaticFiles, log: Log): Catalogues {
  return {
    async load(language) {
      if (language === 'en') return {}
      const known = loaded.get(assets)?.get(language)
      if (known !== undefined) return known
      try {
        const catalogue = await read(assets, language)
        const cached = loaded.get(assets) ?? new Map<PageLanguage, Catalogue>()
        loaded.set(assets, cached.set(language, catalogue))
        return catalogue
      } catch (cause) {
        log.error('Failed to read the catalogue of a language', { cause, language })
        return {}
      }
    },
  }
}

async function read(assets: StaticFiles, language: PageLanguage): Promise<Catalogue> {
  const response = await assets.fetch(`https://assets.invalid/messages/${language}.json`)
  if (!response.ok) throw new Error(`No catalogue: status ${response.status}`)
  return Translations.parse(await response.json())
}
