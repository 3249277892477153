import * as z from 'zod'
import { Unavailable, Unreachable } from '../errors'
import { type HttpRequest, type HttpResponse, readBody } from '../lib/outgoing'
import {
  allPairs,
  ourCode,
  type TranslationPairs,
  type Translator,
  theirCodes,
  undetermined,
} from '../ports/translator'

const Languages = z.array(z.object({ language: z.string().max(20) })).max(500)
const Answer = z.object({
  translations: z
    .array(z.object({ text: z.string(), detected_source_language: z.string().max(20).optional() }))
    .max(100),
})

// DeepL lists English and Portuguese only by region since it dropped these plain codes; it still accepts them.
const plainTargets = ['EN', 'PT']

/** DeepL, by its address without path, and a key. */
export function deepl(send: SendRequest, { endpoint, key }: { endpoint: string; key: string }): Translator {
  const headers = { authorization: `DeepL-Auth-Key ${key}` }
  const listed = async (type: 'source' | 'target') => {
    const url = `${endpoint}/v2/languages?type=${type}`
    const all = await requestTranslation(send, { method: 'GET', url, headers }, Languages)
    return all.map(({ language }) => language)
  }
  return {
    name: 'DeepL.com',
    id: `deepl ${endpoint}`,
    async pairs() {
      const [sources, targets] = await Promise.all([listed('source'), listed('target')])
      const targetCodes = [...theirCodes([...targets, ...plainTargets]).keys()]
      return allPairs([...theirCodes(sources).keys(), undetermined], targetCodes)
    },
    async translate({ texts, source, target }) {
      const body = JSON.stringify({
        text: texts,
        target_lang: targetCode(target),
        tag_handling: 'html',
        ...(source === null ? {} : { source_lang: (source.split('-')[0] ?? source).toUpperCase() }),
      })
      const { translations } = await requestTranslation(
        send,
        {
          method: 'POST',
          url: `${endpoint}/v2/translate`,
          body,
          headers: { ...headers, 'content-type': 'application/json' },
        },
        Answer,
      )
      if (translations.length !== texts.length) throw new Unavailable('translation_unavailable')
      const detected = translations[0]?.detected_source_language
      return {
        texts: translations.map(({ text }) => text),
        detected: detected === undefined ? null : ourCode(detected),
      }
    },
  }
}

const chinese: Readonly<Record<string, string>> = {
  'zh-CN': 'ZH-HANS',
  'zh-TW': 'ZH-HANT',
  'zh-HK': 'ZH-HANT',
}

function targetCode(target: string): string {
  return chinese[target] ?? target.toUpperCase()
}

const Code = z.string().max(20)
const LibreTranslateLanguages = z
  .array(z.object({ code: Code, targets: z.array(Code).max(500).default([]) }))
  .max(500)
const Detected = z.object({ language: Code })
const LibreTranslateAnswer = z.object({
  translatedText: z.array(z.string()).max(100),
  // An object, or a list with one per text, by version.
  detectedLanguage: z.union([Detected, z.array(Detected).max(100)]).optional(),
})

/** LibreTranslate, by its address without path, and a key if it needs one. */
export function libreTranslate(
  send: SendRequest,
  { endpoint, key }: { endpoint: string; key: string | null },
): Translator {
  const listing = { method: 'GET' as const, url: `${endpoint}/languages`, headers: {} }
  return {
    name: 'LibreTranslate',
    id: `libretranslate ${endpoint}`,
    pairs: async () => pairsOf(await requestTranslation(send, listing, LibreTranslateLanguages)),
    async translate({ texts, source, target }) {
      const body = JSON.stringify({
        q: texts,
        source: source === null ? 'auto' : codeOf(source),
        target: codeOf(target),
        format: 'html',
        ...(key === null ? {} : { api_key: key }),
      })
      const headers = { 'content-type': 'application/json' }
      const request = { method: 'POST' as const, url: `${endpoint}/translate`, headers, body }
      const answer = await requestTranslation(send, request, LibreTranslateAnswer)
      if (answer.translatedText.length !== texts.length) throw new Unavailable('translation_unavailable')
      const detected = [answer.detectedLanguage].flat()[0]
      return {
        texts: answer.translatedText,
        detected: detected === undefined ? null : ourCode(detected.language),
      }
    },
  }
}

function pairsOf(all: z.output<typeof LibreTranslateLanguages>): TranslationPairs {
  const supportedCodes = (codes: readonly string[]) => [...theirCodes(codes).keys()]
  const pairs = all.flatMap(({ code, targets }) =>
    supportedCodes([code]).map(
      (source) => [source, supportedCodes(targets).filter((target) => target !== source)] as const,
    ),
  )
  const everyTarget = [...new Set(pairs.flatMap(([, targets]) => targets))]
  return Object.fromEntries([...pairs, [undetermined, everyTarget]])
}

// Newer versions list Chinese by script and still accept these.
const libreTranslateChinese: Readonly<Record<string, string>> = {
  'zh-CN': 'zh',
  'zh-TW': 'zt',
  'zh-HK': 'zt',
}

function codeOf(language: string): string {
  return libreTranslateChinese[language] ?? language
}

/** Sends a request to another server. */
type SendRequest = (request: HttpRequest) => Promise<HttpResponse>

const responseLimits = { timeoutMilliseconds: 15_000, maxBytes: 1_048_576 }

/**
 * Requests a translation and parses the response as JSON of a schema. Every failure is `Unavailable`, without
 * any request or response text: the one may be secret, the other is untrusted.
 */
async function requestTranslation<S extends z.ZodType>(
  send: SendRequest,
  request: Pick<HttpRequest, 'method' | 'url' | 'headers' | 'body'>,
  form: S,
): Promise<z.output<S>> {
  const answer = await send({ ...request, ...responseLimits }).catch(unavailable)
  if (answer.status !== 200) {
    await answer.body?.cancel()
    throw new Unavailable(
      codes[answer.status] ?? 'translation_unavailable',
      {},
      `The translation service answers ${answer.status}`,
    )
  }
  const parsed = form.safeParse(await readBody(answer).then(json).catch(unavailable))
  if (!parsed.success)
    throw new Unavailable('translation_unavailable', {}, 'The translation service answers in another form')
  return parsed.data
}

const codes: Readonly<Record<number, 'translation_busy' | 'translation_quota'>> = {
  429: 'translation_busy',
  // DeepL's own.
  456: 'translation_quota',
}

function unavailable(cause: unknown): never {
  const detail = cause instanceof Unreachable ? cause.message : 'Its answer is no JSON'
  throw new Unavailable('translation_unavailable', {}, detail)
}

function json(bytes: Uint8Array): unknown {
  return JSON.parse(new TextDecoder().decode(bytes))
}
