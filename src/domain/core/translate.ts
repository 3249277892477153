import { pageLanguageOf } from '../../lib/page-language'
import { createTranslate, type Translate } from '../../lib/translate'
import type { Ctx } from '../../ports/ctx'

/** Translation of messages to a member: into the language that their locale means, English where there is none. */
export async function translateFor<Part = string>(
  { catalogues }: Pick<Ctx, 'catalogues'>,
  locale: string,
): Promise<Translate<Part>> {
  const language = pageLanguageOf(locale) ?? 'en'
  return createTranslate(language, await catalogues.load(language))
}
