import * as z from 'zod'
import { Unavailable } from '../../errors'
import { ourCode, theirCodes } from './language-codes'
import { requestTranslation, type SendRequest } from './request'
import { type TranslationPairs, type Translator, undetermined } from './translator'

const Code = z.string().max(20)
const Languages = z.array(z.object({ code: Code, targets: z.array(Code).max(500).default([]) })).max(500)
const Detected = z.object({ language: Code })
const Answer = z.object({
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
    pairs: async () => pairsOf(await requestTranslation(send, listing, Languages)),
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
      const answer = await requestTranslation(send, request, Answer)
      if (answer.translatedText.length !== texts.length)
        throw new Unavailable('The translation service does not answer')
      const detected = [answer.detectedLanguage].flat()[0]
      return {
        texts: answer.translatedText,
        detected: detected === undefined ? null : ourCode(detected.language),
      }
    },
  }
}

function pairsOf(all: z.output<typeof Languages>): TranslationPairs {
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
const chinese: Readonly<Record<string, string>> = { 'zh-CN': 'zh', 'zh-TW': 'zt', 'zh-HK': 'zt' }

function codeOf(language: string): string {
  return chinese[language] ?? language
}
