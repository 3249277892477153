import * as z from 'zod'
import type { TranslationPairs } from '../../lib/translation/translator'
import type { Ctx } from '../../platform/ports'

const Pairs = z.record(z.string(), z.array(z.string()))
const hour = 3_600

/**
 * What can be translated into what; nothing where no service is set up. The service is asked once an hour by each
 * isolate. `Unavailable` when it does not answer.
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

/** The language to translate into: as asked for, or without its region. Null where there is none such. */
export function targetAmong(targets: readonly string[], asked: string): string | null {
  if (targets.includes(asked)) return asked
  const [primary = ''] = asked.split(/[-_]/)
  return targets.includes(primary) ? primary : null
}
