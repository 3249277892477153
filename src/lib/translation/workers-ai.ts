import * as z from 'zod'
import { Unavailable } from '../../errors'
import { allPairs, ourCodes } from './language-codes'
import { translateSegments } from './segments'
import type { Translator } from './translator'

/** The used part of the platform's binding. */
export interface AiBinding {
  run(model: string, input: Readonly<Record<string, unknown>>): Promise<unknown>
}

const Answer = z.object({ translated_text: z.string().max(20_000) })

// Languages M2M100 was trained for.
const modelLanguages =
  'af am ar ast az ba be bg bn br bs ca ceb cs cy da de el en es et fa ff fi fr fy ga gd gl gu ha he hi hr ht hu hy id ig ilo is it ja jv ka kk km kn ko lb lg ln lo lt lv mg mk ml mn mr ms my ne nl no ns oc or pa pl ps pt ro ru sd si sk sl so sq sr ss su sv sw ta th tl tn tr uk ur uz vi wo xh yi yo zh zu'
const supported = modelLanguages.split(' ').filter((code) => ourCodes.includes(code))

/**
 * A translation model of Cloudflare's. It supports plain text alone, so HTML is sent piece by piece, and
 * detects no source language, so statuses without a language are not translated.
 */
export function workersAi(ai: AiBinding, model: string): Translator {
  const one = async (text: string, source_lang: string, target_lang: string) => {
    const failed = (reason: string) => new Unavailable('The translation service does not answer', reason)
    const answer = await ai.run(model, { text, source_lang, target_lang }).catch(() => {
      throw failed('The model failed')
    })
    const parsed = Answer.safeParse(answer)
    if (!parsed.success) throw failed('The model answers in another form')
    return parsed.data.translated_text
  }
  return {
    name: 'Cloudflare Workers AI',
    id: `workers-ai ${model}`,
    pairs: async () => allPairs(supported, supported),
    async translate({ texts, source, target }) {
      if (source === null)
        throw new Unavailable('The translation service does not answer', 'No source language')
      const translated = await translateSegments(texts, (text) => one(text, source, target))
      return { texts: translated, detected: null }
    },
  }
}
