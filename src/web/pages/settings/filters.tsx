import * as z from 'zod'
import { type FilterRule, filterActions, filterContexts } from '../../../contract/filters'
import { combineQueries, constant, execute } from '../../../db/query'
import { viewerById } from '../../../domain/core/viewer'
import { createFilter, deleteFilter, filtersOf, updateFilter } from '../../../domain/filters/create'
import type { FilterPatch, KeywordPatch } from '../../../domain/filters/plan'
import type { VisibleStatus } from '../../../domain/policy/visibility'
import { visibleStatus } from '../../../domain/statuses/find'
import { InvalidFields, NotFound } from '../../../errors'
import { problem } from '../../../errors/sentences'
import { htmlToText } from '../../../lib/html'
import {
  contextField,
  FilterPage,
  FiltersPage,
  type FilterValues,
} from '../../components/settings/filters-view'
import type { Form } from '../../csrf'
import { checkbox, positiveNumber, textField } from '../../form-fields'
import type { SubmissionCall, Submitted } from '../../member-pages/declaration'
import { requireIdInPath } from '../../member-pages/id-in-path'
import { memberPage } from '../../member-pages/member-page'
import { paths } from '../../paths'
import { placeOf } from '../timelines/acts'

const form = z.object({
  title: textField(2_000),
  filter_action: textField(20),
  expires_in: textField(20),
  keywords: textField(200_000),
  whole_word: checkbox,
  // The page whose post the filter was made of.
  return_to: textField(2_000),
  // Holds no value: a problem of the boxes below stands here.
  contexts: textField(),
  ...Object.fromEntries(filterContexts.map((context) => [contextField(context), checkbox])),
})
type Input = z.output<typeof form>
type Notice = 'added' | 'saved' | 'deleted'

export const filtersPage = memberPage({
  kind: 'settings',
  path: paths.filters,
  title: 'settings.filters.filters',
  access: 'active',
  menu: { group: 'reach', label: 'settings.filters.filters', order: 40 },
  redirectsFrom: ['/filters'],
  form,
  submissions: [
    { run: add },
    { path: `${paths.filters}/:id`, run: change },
    {
      path: `${paths.filters}/:id/delete`,
      isCommand: true,
      run: async ({ c, ctx, session }) => {
        await deleteFilter(ctx, { id: session.accountId }, requireIdInPath(c))
        return { notice: 'deleted' }
      },
    },
  ],
  notices: {
    added: 'settings.filters.filterAdded',
    saved: 'settings.filters.filterSaved',
    deleted: 'settings.filters.filterDeleted',
  },
  load: async (ctx, { session, query, id }) => {
    const viewer = viewerById(session.accountId)
    const postId = positiveNumber(query('post'))
    const { filters, post } = await execute(
      ctx.db,
      combineQueries({
        filters: filtersOf(ctx, viewer),
        post: postId === undefined ? constant(null) : visibleStatus(ctx, viewer, postId),
      }),
    )
    const chosenId = id ?? positiveNumber(query('id'))
    const chosen = filters.find((filter) => filter.id === chosenId) ?? null
    if (chosenId !== undefined && chosen === null) throw new NotFound()
    return { filters, chosen, post, returnTo: query('return_to'), now: ctx.clock.now() }
  },
  view: ({ typed, found: { filters, chosen, post, returnTo, now } }) => {
    const isTyped = typed('sent') === 'true'
    const values = isTyped ? typedValues(typed) : post === null ? valuesOf(chosen) : valuesLike(post)
    if (chosen !== null) return <FilterPage filter={chosen} values={values} now={now} />
    return (
      <FiltersPage
        filters={filters}
        values={values}
        now={now}
        returnTo={isTyped ? typed('return_to') : returnTo}
        isOpen={post !== null}
      />
    )
  },
})

async function add({ c, ctx, session, input }: SubmissionCall<Input>): Promise<Submitted<Notice>> {
  const keywords = linesOf(input.keywords).map((keyword) => ({ keyword, wholeWord: input.whole_word }))
  await createFilter(ctx, { id: session.accountId }, { ...patchOf(input), keywords })
  return input.return_to === '' ? { notice: 'added' } : { redirectTo: placeOf(c, input.return_to) }
}

/** Saves a filter. Lines that stay keep the keywords behind them, which apps know by their ids. */
async function change({ c, ctx, session, input }: SubmissionCall<Input>): Promise<Submitted<Notice>> {
  const viewer = { id: session.accountId }
  const id = requireIdInPath(c)
  const filters = await execute(ctx.db, filtersOf(ctx, viewerById(viewer.id)))
  const before = filters.find((filter) => filter.id === id)
  if (before === undefined) throw new NotFound()
  const lines = linesOf(input.keywords)
  const kept = new Set(before.keywords.map(({ keyword }) => keyword))
  const { whole_word: wholeWord } = input
  // Apps may have mixed them: what the box showed before stays as it is.
  const isSwitched = wholeWord !== valuesOf(before).wholeWord
  const keywords = [
    ...before.keywords.flatMap(({ id, keyword }): KeywordPatch[] => {
      if (!lines.includes(keyword)) return [{ id, destroy: true }]
      return isSwitched ? [{ id, wholeWord }] : []
    }),
    ...lines.filter((line) => !kept.has(line)).map((keyword) => ({ keyword, wholeWord })),
  ]
  await updateFilter(ctx, viewer, { id, patch: { ...patchOf(input), keywords } })
  return { redirectTo: `${paths.filters}?done=saved` }
}

function patchOf(input: Input): FilterPatch {
  const ticked: Readonly<Record<string, unknown>> = input
  const contexts = filterContexts.filter((context) => ticked[contextField(context)] === true)
  const { title, expires_in: end } = input
  const problems = [
    ...(title.trim() === '' ? [problem('blank', { field: 'title' })] : []),
    ...(contexts.length === 0 ? [problem('not_chosen', { field: 'contexts' })] : []),
  ]
  if (problems.length > 0) throw new InvalidFields(problems)
  return {
    title,
    contexts,
    action: filterActions.find((one) => one === input.filter_action),
    // `keep`: as it is.
    expiresInSeconds: end === 'keep' ? undefined : end === '' ? null : (positiveNumber(end) ?? null),
  }
}

function linesOf(text: string): readonly string[] {
  return [...new Set(text.split('\n').map((line) => line.trim()))].filter((line) => line !== '')
}

function valuesOf(filter: FilterRule | null): FilterValues {
  if (filter === null)
    return {
      title: '',
      action: 'warn',
      contexts: ['home', 'notifications', 'public', 'thread'],
      end: '',
      keywords: '',
      wholeWord: true,
    }
  return {
    title: filter.title,
    action: filter.action,
    contexts: filter.contexts,
    end: filter.expiresAt === null ? '' : 'keep',
    keywords: filter.keywords.map(({ keyword }) => keyword).join('\n'),
    wholeWord: filter.keywords.every(({ wholeWord }) => wholeWord),
  }
}

const mostOfText = 40

/** A filter with the hashtags of a post, or else with the beginning of its text. */
function valuesLike({ tags, content }: Pick<VisibleStatus, 'tags' | 'content'>): FilterValues {
  const text = htmlToText(content).replaceAll(/\s+/g, ' ').trim()
  const words = tags.length > 0 ? tags.map(({ name }) => `#${name}`) : [shortened(text, mostOfText)]
  return {
    ...valuesOf(null),
    title: words[0] ?? '',
    keywords: words.join('\n'),
  }
}

/** The whole words at the beginning of a text. */
function shortened(text: string, most: number): string {
  if (text.length <= most) return text
  const cut = text.slice(0, most)
  return cut.slice(0, Math.max(cut.lastIndexOf(' '), 0)) || cut.toWellFormed()
}

function typedValues(typed: Form): FilterValues {
  return {
    title: typed('title'),
    action: filterActions.find((one) => one === typed('filter_action')) ?? 'warn',
    contexts: filterContexts.filter((context) => typed(contextField(context)) === 'true'),
    end: typed('expires_in'),
    keywords: typed('keywords'),
    wholeWord: typed('whole_word') === 'true',
  }
}
