import { type SQL, sql } from 'drizzle-orm'
import * as z from 'zod'
import { parseHandle } from '../../contract/handle'
import {
  combineQueries,
  constant,
  execute,
  first,
  jsonRows,
  map,
  oneRow,
  type Query,
  rows,
} from '../../db/query'
import { settings } from '../../db/schema'
import type { AuditValues } from '../../db/schema/audit'
import { Conflict, Invalid } from '../../errors'
import { distinct, type Problem, problem } from '../../errors/sentences'
import { refusedCss } from '../../lib/css-rules'
import { dayText } from '../../lib/days'
import { readTokenSheet } from '../../lib/token-sheet'
import type { Ctx } from '../../ports/ctx'
import { changedValues, recordAudit } from '../core/audit'
import { Changes, commit } from '../core/changes'
import type { Moderator } from '../core/viewer'
import {
  type InstanceSettings,
  loadSettings,
  type SettingName,
  SettingsPatch,
  settingFields,
  settingKey,
} from './settings'
import { addTerms, termsOf } from './terms'
import { requireContrast } from './token-contrast'

const feedSettings = ['localFeedAccess', 'remoteFeedAccess', 'localTagAccess', 'remoteTagAccess'] as const

/**
 * Saves the settings in `patch`, terms of service also as a new version. `Invalid` for unknown names and for values a
 * setting cannot take, accounts that are unknown included; nothing is saved then. `Conflict` where a moderator changes one of them at the same time.
 * Publishes `feeds.changed`.
 */
export async function saveSettings(
  ctx: Ctx,
  moderator: Moderator,
  patch: SettingsPatch | Readonly<Record<string, unknown>>,
): Promise<void> {
  const wanted = readSettings(patch)
  const named = SettingsPatch.keyof().options.filter((name) => wanted[name] !== undefined)
  if (named.length === 0) return
  const keys = named.map(settingKey)
  const today = dayText(ctx.clock.now())
  const { before, stored, terms, known } = await execute(
    ctx.db,
    combineQueries({
      before: loadSettings(ctx),
      stored: findStored(ctx, keys),
      terms: termsOf(ctx, today),
      known: findKnown(ctx, wanted.featuredAccounts ?? []),
    }),
  )
  requireContrastOf(wanted, before)
  refuseUnknown(wanted.featuredAccounts ?? [], [...before.featuredAccounts, ...known])
  const list = named.map((name) => ({ key: settingKey(name), value: JSON.stringify(wanted[name]) }))
  const changes = new Changes()
  if (wanted.contactUsername != null) requireLocalAccount(changes, wanted.contactUsername)
  changes.require(sql`${storedValues(keys)} is ${stored}`, new Conflict('settings_changed'))
  changes.add(
    ctx.db.run(sql`insert into ${settings} (key, value, updated_at)
      select item.value ->> 'key', item.value ->> 'value', ${ctx.clock.now().getTime()} from ${jsonRows(list)}
      where true
      on conflict (key) do update set value = excluded.value, updated_at = excluded.updated_at`),
  )
  const values = changedValues(auditValues(before), auditValues(wanted))
  if (Object.keys(values.after ?? {}).length > 0)
    recordAudit(ctx, changes, moderator, {
      action: 'update',
      target: { type: 'settings', id: null, label: Object.keys(values.after ?? {}).join(', ') },
      ...values,
    })
  if (feedSettings.some((name) => wanted[name] !== undefined)) changes.publish({ kind: 'feeds.changed' })
  if (typeof wanted.termsOfService === 'string' && wanted.termsOfService !== terms?.text)
    addTerms(ctx, changes, { text: wanted.termsOfService, changelog: '', effectiveOn: today }, terms)
  await commit(ctx, changes)
  if (wanted.plan !== undefined) ctx.usage.notePlan(wanted.plan)
}

function requireLocalAccount(changes: Changes, username: string): void {
  changes.require(
    sql`exists (select 1 from accounts a cross join users u on u.account_id = a.id
      where lower(a.username) = ${username.toLowerCase()} and coalesce(a.domain, '') = '')`,
    new Invalid('no_local_account', { field: 'contactUsername', username }),
  )
}

/** Refuses a look that changes to one whose texts do not stand out. */
function requireContrastOf(wanted: ReadSettings, before: InstanceSettings): void {
  const { accentColour = before.accentColour, styleSheet = before.styleSheet } = wanted
  if (styleSheet !== before.styleSheet) requireContrast({ accentColour, styleSheet }, 'styleSheet')
  else if (accentColour !== before.accentColour) requireContrast({ accentColour, styleSheet }, 'accentColour')
}

/** Names of known accounts among `names`, local ones with or without an own domain. One statement. */
function findKnown(ctx: Ctx, names: readonly string[]): Query<readonly string[]> {
  const named = names.flatMap((name) => {
    const handle = parseHandle(name, ctx.config.ownDomains)
    if (handle === null) return []
    return [{ name, username: handle.username.toLowerCase(), domain: handle.domain ?? '' }]
  })
  if (named.length === 0) return constant([])
  const found = ctx.db.select({ name: sql<string>`item.value ->> 'name'`.as('name') }).from(
    sql`${jsonRows(named)} cross join accounts a on lower(a.username) = item.value ->> 'username'
        and coalesce(a.domain, '') = item.value ->> 'domain'`,
  )
  return map(rows(found), (list) => list.map(({ name }) => name))
}

/** Refuses names of accounts among `names` that are not among `accepted`: those found, and those that were saved before. */
function refuseUnknown(names: readonly string[], accepted: readonly string[]): void {
  const problems = names.flatMap((name, index) =>
    accepted.includes(name)
      ? []
      : [problem('entry_unknown_account', { field: 'featuredAccounts', entry: String(index + 1) })],
  )
  if (problems.length > 0) throw new Invalid(problems)
}

/** The rows of these keys as one JSON text, in the order of the keys: null for those never saved. */
function storedValues(keys: readonly string[]): SQL<string> {
  return sql<string>`(select json_group_array((select s.value from settings s where s.key = item.value))
    from ${jsonRows(keys)})`
}

function findStored(ctx: Ctx, keys: readonly string[]): Query<string> {
  const found = ctx.db.select({ list: storedValues(keys).as('list') }).from(oneRow)
  return map(first(found), (row) => row?.list ?? '[]')
}

const longestLogged = 200

/** Values for the audit log: of long texts and lists only the size. */
function auditValues(values: Readonly<Record<string, unknown>>): AuditValues {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => {
      // The path of such an address often is a secret.
      if (name === 'alertsWebhook' && typeof value === 'string') return [name, new URL(value).host]
      const text = JSON.stringify(value)
      if (text.length <= longestLogged) return [name, value]
      return [name, Array.isArray(value) ? `${value.length} entries` : `${String(value).length} characters`]
    }),
  )
}

/** Kinds of values that settings take. */
export type SettingType = 'text' | 'integer' | 'boolean' | 'choice' | 'list' | 'file'

/** Description of a setting for those who change it. */
export interface SettingKind {
  readonly name: SettingName
  readonly type: SettingType
  /** Whether the setting can be null. */
  readonly nullable: boolean
  /** Values of a choice; empty for other types. */
  readonly choices: readonly string[]
  /** Bounds of an integer. */
  readonly minimum: number | null
  readonly maximum: number | null
}

/** Every setting in the order of its declaration. */
export const settingKinds: readonly SettingKind[] = Object.keys(settingFields)
  .filter((name): name is SettingName => name in settingFields)
  .map(kindOf)

const kinds: ReadonlyMap<string, SettingKind> = new Map(settingKinds.map((kind) => [kind.name, kind]))

type ReadSettings = z.output<typeof SettingsPatch>

/**
 * Settings as a form, JSON or a script sends them: numbers and booleans also as text, a single value for a list, blank
 * text for null. `Invalid` with a problem for every unknown name and every value that a setting cannot take. Pure.
 */
export function readSettings(sent: SettingsPatch | Readonly<Record<string, unknown>>): ReadSettings {
  const given = Object.entries(sent).filter(([, value]) => value !== undefined)
  const values = given.map(([name, value]) => {
    const kind = kinds.get(name)
    return [name, kind === undefined ? value : readValue(kind, value)] as const
  })
  const outcome = SettingsPatch.safeParse(Object.fromEntries(values))
  const problems = outcome.success
    ? sheetProblems(new Map<string, unknown>(values))
    : outcome.error.issues.flatMap(problemsOf)
  if (outcome.success && problems.length === 0) return outcome.data
  throw new Invalid(distinct(problems))
}

/** Problems of style sheets as they were sent, whose lines count from their first: one for each sheet. */
function sheetProblems(values: ReadonlyMap<string, unknown>): readonly Problem[] {
  const textOf = (name: SettingName) => String(values.get(name) ?? '')
  const line = readTokenSheet(textOf('styleSheet')).line
  const css = refusedCss(textOf('customCss'))
  return [
    ...(line === null ? [] : [problem('no_token_on_line', { field: 'styleSheet', line })]),
    ...(css === null
      ? []
      : [problem(cssCodes[css.kind], { field: 'customCss', line: css.line, part: css.part })]),
  ]
}

const cssCodes = { forbidden: 'forbidden_css', unreadable: 'unreadable_css' } as const

function kindOf(name: SettingName): SettingKind {
  const declared: z.ZodType = settingFields[name]
  const nullable = declared instanceof z.ZodNullable
  const field = nullable ? declared.unwrap() : declared
  const common = { name, nullable, choices: [], minimum: null, maximum: null }
  if (field instanceof z.ZodNumber)
    return { ...common, type: 'integer', minimum: field.minValue, maximum: field.maxValue }
  if (field instanceof z.ZodEnum) return { ...common, type: 'choice', choices: field.options.map(String) }
  if (field instanceof z.ZodBoolean) return { ...common, type: 'boolean' }
  if (field instanceof z.ZodArray) return { ...common, type: 'list' }
  return { ...common, type: field instanceof z.ZodUnion ? 'file' : 'text' }
}

function readValue({ type, nullable }: SettingKind, value: unknown): unknown {
  if (type === 'list') return typeof value === 'string' ? [value].filter((text) => text.trim() !== '') : value
  if (typeof value !== 'string') return value
  const text = value.trim()
  if (text === '' && nullable) return null
  if (type === 'integer' && /^[+-]?\d{1,15}$/.test(text)) return Number(text)
  if (type === 'boolean') return booleans.get(text.toLowerCase()) ?? value
  return value
}

const booleans: ReadonlyMap<string, boolean> = new Map([
  ['true', true],
  ['1', true],
  ['on', true],
  ['false', false],
  ['0', false],
  ['off', false],
])

function problemsOf(issue: z.core.$ZodIssue): readonly Problem[] {
  if (issue.code === 'unrecognized_keys')
    return issue.keys.map((name) => problem('unknown_setting', { name }))
  const [name = '', entry] = issue.path
  const kind = kinds.get(String(name))
  if (kind === undefined) return [problem('invalid', { field: String(name) })]
  return [typeof entry === 'number' ? problemOfEntry(kind, issue, entry + 1) : problemOf(kind, issue)]
}

function problemOfEntry({ name: field }: SettingKind, issue: z.core.$ZodIssue, number: number): Problem {
  const entry = String(number)
  if (issue.code === 'too_big') return problem('entry_too_long', { field, entry, max: Number(issue.maximum) })
  if (issue.code === 'too_small') return problem('entry_blank', { field, entry })
  return problem(issue.code === 'invalid_format' ? 'entry_invalid' : 'entry_no_text', { field, entry })
}

function problemOf(kind: SettingKind, issue: z.core.$ZodIssue): Problem {
  const { name: field, type, choices, minimum, maximum } = kind
  if (type === 'integer') return problem('no_integer', { field, min: minimum ?? 0, max: maximum ?? 0 })
  if (type === 'boolean') return problem('no_boolean', { field })
  if (type === 'choice') return problem('not_one_of', { field, choices: choices.join(', ') })
  if (issue.code === 'too_big')
    return problem(type === 'list' ? 'too_many_entries' : 'too_long', { field, max: Number(issue.maximum) })
  if (issue.code === 'too_small') return problem('blank', { field })
  if (issue.code === 'custom') return problem('no_public_address', { field })
  if (issue.code === 'invalid_format' || type === 'file') return problem('invalid', { field })
  return problem(type === 'list' ? 'no_list' : 'no_text', { field })
}
