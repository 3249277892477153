import * as z from 'zod'
import { Unavailable } from '../errors'
import { escapeHtml, htmlToText } from '../lib/html'
import { allPairs, ourCodes, type Translator } from '../ports/translator'

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
    const failed = (reason: string) => new Unavailable('translation_unavailable', {}, reason)
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
      if (source === null) throw new Unavailable('translation_unavailable', {}, 'No source language')
      const translated = await translateSegments(texts, (text) => one(text, source, target))
      return { texts: translated, detected: null }
    },
  }
}

const mostSegments = 40
const letters = /\p{L}/u
/** Elements left untranslated: names, addresses, code. */
const left = /^<(\/?)(a|code|pre)[\s>]/i

/**
 * Translates the running text of our own HTML with a service that supports plain text only, leaving tags, links
 * and code unchanged. `Unavailable` for more pieces than one response may cost.
 */
async function translateSegments(
  texts: readonly string[],
  translate: (text: string) => Promise<string>,
): Promise<string[]> {
  const all = texts.map(segmentsOf)
  if (all.flat().filter(({ isProse }) => isProse).length > mostSegments)
    throw new Unavailable('too_long_to_translate')
  const done: string[] = []
  for (const segments of all) {
    const parts = await Promise.all(
      segments.map(async ({ html, isProse }) => (isProse ? spaced(html, translate) : html)),
    )
    done.push(parts.join(''))
  }
  return done
}

interface Segment {
  readonly html: string
  readonly isProse: boolean
}

function segmentsOf(html: string): Segment[] {
  let depth = 0
  return html.split(/(<[^>]*>)/).map((part) => {
    const tag = left.exec(part)
    if (tag !== null) depth += tag[1] === '/' ? -1 : 1
    return { html: part, isProse: depth === 0 && !part.startsWith('<') && letters.test(part) }
  })
}

/** White space at the ends is kept, so that words of neighbours stay apart. */
async function spaced(html: string, translate: (text: string) => Promise<string>): Promise<string> {
  const before = html.slice(0, html.length - html.trimStart().length)
  const after = html.slice(html.trimEnd().length)
  return `${before}${escapeHtml((await translate(htmlToText(html))).trim())}${after}`
}
