import * as z from 'zod'
import type { TranslationPairs } from '../../lib/translation/translator'
import type { Ctx } from '../../ports/ctx'

const Pairs = z.record(z.string(), z.array(z.string()))
const hour = 3_600

/**
 * Supported language pairs; empty without a service. The service is queried once an hour by each isolate.
 * `Unavailable` when it does not answer.
 */
export async function translationPairs({ translator, memory }: Ctx): Promise<TranslationPairs> {
  if (translator === null) return {}
  const key = `translation pairs ${translator.id}`
  const remembered = memory.get(key)
  if (remembered !== null) return Pairs.parse(JSON.parse(remembered))
  const pairs = await translator.pairs()
  memory.set(key, JSON.stringify(pairs), hour)
  return pairs
}

/** The target language: as requested, or without its region. Null if unsupported. */
export function targetAmong(targets: readonly string[], requested: string): string | null {
  if (targets.includes(requested)) return requested
  const [primary = ''] = requested.split(/[-_]/)
  return targets.includes(primary) ? primary : null
}
