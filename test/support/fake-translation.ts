import * as z from 'zod'
import type { TranslationService } from '../../src/config'
import type { Overrides } from '../../src/wire'
import { fediverse } from './fediverse'
import { freshName } from './given'
import { context } from './test-app'

const Asked = z.object({ q: z.array(z.string()), source: z.string(), target: z.string() })

/** Ports of a server with this translation service; the log is recorded. */
export function translationPorts(translation: TranslationService | null) {
  const lines: string[] = []
  const write = (message: string, facts: object = {}) =>
    void lines.push(`${message} ${JSON.stringify(facts)} ${Object.values(facts).map(described).join(' ')}`)
  const overrides: Overrides = {
    config: { ...context().config, translation },
    log: { info: write, error: write },
  }
  return { overrides, lines }
}

function described(fact: unknown): string {
  return fact instanceof Error ? `${fact.stack} ${described(fact.cause)}` : String(fact)
}

export const operatorKey = 'the-key-of-the-operator'

/** A LibreTranslate of its own that knows German, English and French and translates word for word. */
export function fakeLibreTranslate(words: Readonly<Record<string, string>> = {}) {
  const endpoint = `https://${freshName('translator')}.test`
  const known = ['de', 'en', 'fr', 'zh']
  const { network } = fediverse
  network.respond(`${endpoint}/languages`, () =>
    Response.json(known.map((code) => ({ code, name: code, targets: known }))),
  )
  network.respond(`${endpoint}/translate`, async (request) => {
    const { q } = Asked.parse(await request.json())
    const translatedText = q.map((text) =>
      Object.entries(words).reduce((all, [word, other]) => all.replaceAll(word, other), text),
    )
    return Response.json({
      translatedText,
      detectedLanguage: q.map(() => ({ confidence: 90, language: 'de' })),
    })
  })
  return {
    ...translationPorts({ kind: 'libretranslate', endpoint, key: operatorKey }),
    endpoint,
    /** Requests to translate, oldest first. */
    asked: () =>
      network.requests(`${endpoint}/translate`).map(({ body }) => {
        const sent: unknown = JSON.parse(body)
        return sent
      }),
  }
}
