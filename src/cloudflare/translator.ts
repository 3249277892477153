import type { Config } from '../config'
import type { Http } from '../ports/federation'
import type { Translator } from '../ports/translator'
import { deepl, libreTranslate } from './translation-services'
import { type AiBinding, workersAi } from './workers-ai'

export function translatorOf({ translation }: Config, http: Http, env: Env): Translator | null {
  const send: Http['send'] = (request) => http.send(request)
  switch (translation?.kind) {
    case 'deepl':
      return deepl(send, translation)
    case 'libretranslate':
      return libreTranslate(send, translation)
    case 'workers-ai': {
      const ai: unknown = 'AI' in env ? env.AI : undefined
      return isAiBinding(ai) ? workersAi(ai, translation.model) : null
    }
    default:
      return null
  }
}

/** Bound only where a model is configured, so that other operators need no account to try the server. */
function isAiBinding(binding: unknown): binding is AiBinding {
  return typeof binding === 'object' && binding !== null && 'run' in binding
}
