import * as z from 'zod'
import { Filter } from '../../contract/entities/filter'
import { filterActions } from '../../contract/filters'
import { Flag, Id, Int, OptionalId, OptionalText } from '../../contract/scalars'
import { createFilter, deleteFilter, filtersOf, ownFilter, updateFilter } from '../../domain/filters/create'
import type { KeywordPatch } from '../../domain/filters/plan'
import { presentFilter } from '../../view/present/filter'
import { showFound } from '../api-response'
import { endpoint, readEndpoint, updateEndpoints, user } from '../endpoint'

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

const FilterInput = z.object({
  title: OptionalText,
  context: Contexts,
  filter_action: Action,
  expires_in: ExpiresIn,
  keywords_attributes: Keywords,
})

function toPatch(input: z.output<typeof FilterInput>) {
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

const ById = z.object({ id: Id })

const updates = updateEndpoints({
  path: '/api/v2/filters/:id',
  summary: 'Change a filter and its keywords at once',
  auth: user('write:filters'),
  input: FilterInput.extend(ById.shape),
  output: Filter,
  run: async (ctx, { input, viewer }) =>
    presentFilter(await updateFilter(ctx, viewer, { id: input.id, patch: toPatch(input) })),
})

export const filters = [
  readEndpoint({
    path: '/api/v2/filters',
    summary: "The viewer's filters with their keywords and statuses",
    auth: user('read:filters'),
    output: z.array(Filter),
    read: (ctx, { as }) => filtersOf(ctx, as),
    show: (_ctx, { found }) => found.map(presentFilter),
  }),
  readEndpoint({
    path: '/api/v2/filters/:id',
    summary: 'One filter',
    auth: user('read:filters'),
    input: ById,
    output: Filter,
    read: (ctx, { input, as }) => ownFilter(ctx, as, input.id),
    show: showFound(presentFilter),
  }),
  endpoint({
    path: '/api/v2/filters',
    summary: 'Filter statuses by keywords',
    auth: user('write:filters'),
    input: FilterInput,
    output: Filter,
    run: async (ctx, { input, viewer }) => presentFilter(await createFilter(ctx, viewer, toPatch(input))),
  }),
  ...updates,
  endpoint({
    method: 'DELETE',
    path: '/api/v2/filters/:id',
    summary: 'Remove a filter with all that is in it',
    auth: user('write:filters'),
    input: ById,
    run: (ctx, { input, viewer }) => deleteFilter(ctx, viewer, input.id),
  }),
]
