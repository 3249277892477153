import * as z from 'zod'
import { Unavailable } from '../../errors'
import { allPairs, ourCode, theirCodes } from './language-codes'
import { requestTranslation, type SendRequest } from './request'
import { type Translator, undetermined } from './translator'

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
      if (translations.length !== texts.length)
        throw new Unavailable('The translation service does not answer')
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
