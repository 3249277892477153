import type { Child } from 'hono/jsx'
import type * as z from 'zod'
import { execute, type Query } from '../../../db/query'
import type { Page } from '../../../domain/core/page'
import type { StaffMember } from '../../../domain/core/viewer'
import type { Permission } from '../../../domain/policy/permissions'
import { NotFound } from '../../../errors'
import type { TextKey } from '../../../lib/translate'
import type { Ctx } from '../../../ports/ctx'
import { More, Panel } from '../../components/admin/panel'
import { Button } from '../../components/button'
import { Command } from '../../components/confirm'
import { CheckboxField, SelectField, TextAreaField, TextField } from '../../components/field'
import { PostForm } from '../../components/form'
import type { Form } from '../../csrf'
import { hasErrors } from '../../form-errors'
import { useTranslation } from '../../i18n/context'
import type {
  FieldOf,
  PageSpec,
  PageView,
  Submission,
  SubmissionCall,
  Submitted,
} from '../../member-pages/declaration'
import { requireIdInPath } from '../../member-pages/id-in-path'
import { fixedQuestion } from '../../member-pages/question'
import { moderatorOf } from '../../moderator'
import type { Markup } from '../../page'
import { usePage } from '../../page-context'
import { pageBehind, readMaxId } from '../../pagination'

/** Field of the form that adds or changes an entry. */
export interface ResourceField<Name extends string> {
  readonly name: Name
  readonly label: TextKey
  readonly hint?: TextKey
  readonly kind?: 'line' | 'lines' | 'choice' | 'checkbox' | 'time'
  readonly isOptional?: boolean
  readonly maxlength?: number
  /** Options of a choice; those `ofOld` are offered for an entry that exists alone. */
  readonly options?: readonly { readonly value: string; readonly text: TextKey; readonly ofOld?: true }[]
  /** Value of a new entry; a choice without one has to be made. */
  readonly initial?: string
}

/** Entry of the list, as its page shows it. */
export interface ResourceEntry {
  readonly id: number
  /** Name of the entry, written by a moderator. */
  readonly name: string
  /** Page about the entry. */
  readonly href?: string
  readonly badges?: readonly TextKey[]
  /** Names shown beside the badges, as they are. */
  readonly names?: readonly string[]
  readonly lines?: readonly Child[]
}

/** Command on one entry, without fields. */
interface Act<Row> {
  readonly verb: string
  readonly label: TextKey
  readonly notice: TextKey
  readonly isOffered?: (row: Row) => boolean
  run(ctx: Ctx, moderator: StaffMember, id: number): Promise<unknown>
}

type Run<I, O> = (ctx: Ctx, moderator: StaffMember, input: I) => Promise<O>

/** Command that adds an entry; `runAndShow` returns a page shown once, for secrets. */
type Add<I> = { readonly label: TextKey } & (
  | { readonly run: Run<I, unknown> }
  | { readonly runAndShow: Run<I, Markup> }
)
type NoticeName = string

/** Entities that staff manage under one path. */
export interface Resource<S extends z.ZodObject, Row> {
  readonly path: `/${string}`
  readonly title: TextKey
  /** Title of the page of one entry, as `Rule`. */
  readonly one: TextKey
  readonly access: Permission
  /** Place in the menu; null for a page that belongs to the entry `current`. */
  readonly order: number | null
  /** Label of the menu entry, if it is not the title. */
  readonly menuLabel?: TextKey
  /** Path of the menu entry that the pages belong to, if it is another one. */
  readonly current?: string
  /** Links to the neighbours of the page. */
  tabs?(): Child
  readonly intro: TextKey
  readonly form: S
  readonly fields: readonly ResourceField<FieldOf<S>>[]
  /** Entries of a page, newest first, or all of them where they are few. */
  find(ctx: Ctx, page: Page): Query<readonly Row[]>
  /** Entries of a page; null where `find` returns all. */
  readonly pageLength: number | null
  entry(row: Row, now: Date): ResourceEntry
  readonly add?: Add<z.output<S>>
  /** Changes an entry; absent for entries that are only added and removed. */
  readonly change?: {
    find(ctx: Ctx, id: number): Query<Row | null>
    /** Values of the fields as the form shows them. */
    values(row: Row): Readonly<Record<string, string>>
    run(ctx: Ctx, moderator: StaffMember, id: number, input: z.output<S>): Promise<unknown>
  }
  readonly acts?: readonly Act<Row>[]
  readonly remove: {
    readonly label: TextKey
    /** Sentence about what happens, shown before it does. */
    readonly effect: TextKey
    readonly isOffered?: (row: Row) => boolean
    run(ctx: Ctx, moderator: StaffMember, id: number): Promise<unknown>
  }
}

/** Page with the list of a resource, the form that adds to it, and the commands on its entries. */
export function resourceList<S extends z.ZodObject, Row>(
  resource: Resource<S, Row>,
): PageSpec<S, ListFound<Row>, NoticeName> {
  const { path, title, access, order, menuLabel = title, form, add, acts = [], remove } = resource
  const command = (
    verb: string,
    run: (ctx: Ctx, moderator: StaffMember, id: number) => Promise<unknown>,
    asked: Pick<Submission<z.output<S>, NoticeName>, 'ask'> = {},
  ): Submission<z.output<S>, NoticeName> => ({
    path: `${path}/:id/${verb}`,
    isCommand: true,
    ...asked,
    run: async ({ c, ctx, session }) => {
      await run(ctx, moderatorOf(c, session), requireIdInPath(c))
      return { notice: verb }
    },
  })
  return {
    kind: 'admin',
    path,
    title,
    access,
    menu: order === null ? null : { label: menuLabel, order },
    form,
    submissions: [
      ...(add === undefined ? [] : [{ run: adding(add) }]),
      ...acts.map(({ verb, run }) => command(verb, run)),
      command('remove', remove.run, { ask: fixedQuestion(remove.label, remove.effect) }),
    ],
    notices: {
      added: 'admin.resource.added',
      changed: 'admin.saved',
      remove: 'admin.resource.removed',
      ...Object.fromEntries(acts.map(({ verb, notice }) => [verb, notice])),
    },
    load: async (ctx, { query }) => {
      const { pageLength } = resource
      const maxId = readMaxId(query('max_id'))
      const rows = await execute(ctx.db, resource.find(ctx, { limit: pageLength ?? 0, maxId }))
      const now = ctx.clock.now()
      const entries = rows.map((row) => ({ row, entry: resource.entry(row, now) }))
      const last = pageLength === null || rows.length < pageLength ? undefined : entries.at(-1)?.entry.id
      return { entries, olderUrl: pageBehind(path, last) }
    },
    view: (page) => <ListPage page={page} resource={resource} />,
  }
}

function adding<I>(add: Add<I>) {
  return async ({ c, ctx, session, input }: SubmissionCall<I>): Promise<Submitted<NoticeName>> => {
    const moderator = moderatorOf(c, session)
    if ('runAndShow' in add) return { show: await add.runAndShow(ctx, moderator, input) }
    await add.run(ctx, moderator, input)
    return { notice: 'added' }
  }
}

interface ListFound<Row> {
  readonly entries: readonly { readonly row: Row; readonly entry: ResourceEntry }[]
  readonly olderUrl: string | null
}

interface ListPageProps<S extends z.ZodObject, Row> {
  readonly page: PageView<ListFound<Row>>
  readonly resource: Resource<S, Row>
}

function ListPage<S extends z.ZodObject, Row>({ page, resource }: ListPageProps<S, Row>) {
  const { typed, found } = page
  const t = useTranslation()
  const { errors } = usePage()
  const { path, title, intro, add, current = path } = resource
  return (
    <Panel title={t(title)} current={current}>
      {resource.tabs?.()}
      <p class="quiet">{t(intro)}</p>
      {add !== undefined && (
        <details class="block" open={found.entries.length === 0 || hasErrors(errors)}>
          <summary>
            <h2>{t(add.label)}</h2>
          </summary>
          <PostForm action={path}>
            <Fields resource={resource} values={(name) => typed(name)} isNew />
            <Button>{t(add.label)}</Button>
          </PostForm>
        </details>
      )}
      {found.entries.length === 0 ? (
        <p class="quiet small">{t('common.noneYet')}</p>
      ) : (
        <ul class="entries block">
          {found.entries.map(({ row, entry }) => (
            <li>
              <Entry resource={resource} row={row} entry={entry} />
            </li>
          ))}
        </ul>
      )}
      <More olderUrl={found.olderUrl} />
    </Panel>
  )
}

interface EntryProps<S extends z.ZodObject, Row> {
  readonly resource: Resource<S, Row>
  readonly row: Row
  readonly entry: ResourceEntry
}

function Entry<S extends z.ZodObject, Row>({ resource, row, entry }: EntryProps<S, Row>) {
  const t = useTranslation()
  const { path, change, acts = [], remove } = resource
  const isRemovable = remove.isOffered?.(row) ?? true
  const { id, name, href, badges = [], names = [], lines = [] } = entry
  const offered = acts.filter(({ isOffered = () => true }) => isOffered(row))
  return (
    <>
      <h2 class="entry-title">
        {href === undefined ? (
          <bdi>{name}</bdi>
        ) : (
          <a href={href}>
            <bdi>{name}</bdi>
          </a>
        )}{' '}
        {[...badges.map((badge) => t(badge)), ...names].map((badge) => (
          <span class="tag">{badge}</span>
        ))}
      </h2>
      {lines.map((line) => (
        <p class="quiet small">{line}</p>
      ))}
      <div class="actions">
        {change !== undefined && (
          <a class="button" href={`${path}/${id}`}>
            {t('common.change')}
            <span class="hidden"> {name}</span>
          </a>
        )}
        {offered.map(({ verb, label }) => (
          <Command action={`${path}/${id}/${verb}`} about={name}>
            {t(label)}
          </Command>
        ))}
        {isRemovable && (
          <Command action={`${path}/${id}/remove`} about={name} asks>
            {t(remove.label)}
          </Command>
        )}
      </div>
    </>
  )
}

/** Page that changes one entry of a resource. */
export function resourceEntry<S extends z.ZodObject, Row>(
  resource: Resource<S, Row> & Required<Pick<Resource<S, Row>, 'change'>>,
): PageSpec<S, Row, NoticeName> {
  const { path, one, access, form, change } = resource
  return {
    kind: 'admin',
    path: `${path}/:id`,
    title: one,
    access,
    menu: null,
    form,
    submissions: [
      {
        run: async ({ c, ctx, session, input }) => {
          await change.run(ctx, moderatorOf(c, session), requireIdInPath(c), input)
          return { redirectTo: `${path}?done=changed` }
        },
      },
    ],
    notices: {},
    load: async (ctx, { id }) => {
      const row = id === null ? null : await execute(ctx.db, change.find(ctx, id))
      if (row === null) throw new NotFound()
      return row
    },
    view: (page) => <EntryPage page={page} resource={resource} />,
  }
}

interface EntryPageProps<S extends z.ZodObject, Row> {
  readonly page: PageView<Row>
  readonly resource: Resource<S, Row> & Required<Pick<Resource<S, Row>, 'change'>>
}

function EntryPage<S extends z.ZodObject, Row>({ page, resource }: EntryPageProps<S, Row>) {
  const t = useTranslation()
  const { errors } = usePage()
  const { typed, found } = page
  const { path, one, change, current = path } = resource
  const values = change.values(found)
  const isRefused = hasErrors(errors)
  const { id } = resource.entry(found, new Date(0))
  return (
    <Panel title={t(one)} current={current}>
      {resource.tabs?.()}
      <section class="block" aria-label={t(one)}>
        <PostForm action={`${path}/${id}`}>
          <Fields
            resource={resource}
            values={(name) => (isRefused ? typed(name) : fieldValue(values, name))}
          />
          <Button>{t('common.save')}</Button>
        </PostForm>
      </section>
      <p>
        <a href={path}>{t(resource.title)}</a>
      </p>
    </Panel>
  )
}

function fieldValue(values: Readonly<Record<string, string>>, name: string): string {
  return values[name] ?? ''
}

interface FieldsProps<S extends z.ZodObject, Row> {
  readonly resource: Resource<S, Row>
  readonly values: Form
  /** Shows the initial value of each field that is empty. */
  readonly isNew?: boolean
}

function Fields<S extends z.ZodObject, Row>({ resource, values, isNew = false }: FieldsProps<S, Row>) {
  const t = useTranslation()
  return (
    <>
      {resource.fields.map(
        ({ name, label, hint, kind = 'line', isOptional = false, maxlength = 2_000, ...field }) => {
          const value = values(name) || (isNew ? (field.initial ?? '') : '')
          const shared = {
            name,
            label: t(label),
            value,
            ...(hint === undefined ? {} : { hint: t(hint) }),
          }
          if (kind === 'checkbox')
            return <CheckboxField name={name} label={t(label)} isChecked={value === 'true'} isOptional />
          if (kind === 'choice')
            return (
              <SelectField
                {...shared}
                mustChoose={isNew && field.initial === undefined}
                options={(field.options ?? [])
                  .filter(({ ofOld }) => !isNew || ofOld !== true)
                  .map((option) => ({ ...option, text: t(option.text) }))}
              />
            )
          if (kind === 'lines')
            return <TextAreaField {...shared} rows={4} maxlength={maxlength} isOptional={isOptional} />
          return (
            <TextField
              {...shared}
              type={kind === 'time' ? 'datetime-local' : 'text'}
              autocomplete="off"
              maxlength={maxlength}
              isOptional={isOptional}
            />
          )
        },
      )}
    </>
  )
}
