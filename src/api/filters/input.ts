import * as z from 'zod'
import { Flag, Int, OptionalId, OptionalText } from '../../contract/scalars'
import type { KeywordPatch } from '../../domain/filters/plan'
import { filterActions } from '../../lib/filters/keyword-index'

/** Release of 4.0, which deprecated v1 filters and the paths of its release candidates. */
export const deprecatedSince = new Date('2022-11-14T00:00:00Z')

const isBlank = (sent: unknown) => sent === null || (typeof sent === 'string' && sent.trim() === '')

/** Every context as sent; the domain checks that they exist. */
const Contexts = z
  .preprocess((sent) => (sent == null || Array.isArray(sent) ? sent : [sent]), z.array(z.string()).nullish())
  .transform((sent) => sent ?? undefined)

/** Blank means a filter without end, unlike an absent key. */
const ExpiresIn = z.preprocess(
  (sent) => (isBlank(sent) ? 'never' : sent),
  z.union([z.literal('never').transform(() => null), Int]),
)

const Action = z.preprocess((sent) => (isBlank(sent) ? undefined : sent), z.enum(filterActions).optional())

const Keyword = z.object({ id: OptionalId, keyword: OptionalText, whole_word: Flag, _destroy: Flag })

/** A list, a list as forms number it (`[0][keyword]`), or a single keyword. */
const Keywords = z.preprocess(
  (sent) => (typeof sent !== 'object' || sent === null || Array.isArray(sent) ? sent : listOf(sent)),
  z.array(Keyword).nullish(),
)

function listOf(sent: object): unknown[] {
  return 'id' in sent || 'keyword' in sent ? [sent] : Object.values(sent)
}

export const FilterInput = z.object({
  title: OptionalText,
  context: Contexts,
  filter_action: Action,
  expires_in: ExpiresIn,
  keywords_attributes: Keywords,
})

export function toPatch(input: z.output<typeof FilterInput>) {
  return {
    title: input.title,
    contexts: input.context,
    action: input.filter_action,
    expiresInSeconds: input.expires_in,
    keywords: (input.keywords_attributes ?? []).map(
      ({ id, keyword, whole_word, _destroy }): KeywordPatch => ({
        id,
        keyword,
        wholeWord: whole_word,
        destroy: _destroy,
      }),
    ),
  }
}

export const KeywordInput = z.object({ keyword: OptionalText, whole_word: Flag })

export const V1FilterInput = z.object({
  phrase: OptionalText,
  context: Contexts,
  irreversible: Flag,
  whole_word: Flag,
  expires_in: ExpiresIn,
})

export function toV1FilterPatch(input: z.output<typeof V1FilterInput>) {
  const { phrase, irreversible } = input
  const [contexts, wholeWord, expiresInSeconds] = [input.context, input.whole_word, input.expires_in]
  return { phrase, irreversible, contexts, wholeWord, expiresInSeconds }
}
