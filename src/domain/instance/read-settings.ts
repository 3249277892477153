import * as z from 'zod'
import { Invalid } from '../../errors'
import { distinct, type Problem, problem } from '../../errors/sentences'
import { type SettingName, SettingsPatch, settingFields } from './settings'

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

/**
 * Settings as a form, JSON or a script sends them: numbers and booleans also as text, a single value for a list, blank
 * text for null. `Invalid` with a problem for every unknown name and every value that a setting cannot take. Pure.
 */
export function readSettings(
  sent: SettingsPatch | Readonly<Record<string, unknown>>,
): z.output<typeof SettingsPatch> {
  const given = Object.entries(sent).filter(([, value]) => value !== undefined)
  const values = given.map(([name, value]) => {
    const kind = kinds.get(name)
    return [name, kind === undefined ? value : readValue(kind, value)] as const
  })
  const outcome = SettingsPatch.safeParse(Object.fromEntries(values))
  if (outcome.success) return outcome.data
  throw new Invalid(distinct(outcome.error.issues.flatMap(problemsOf)))
}

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
  if (kind === undefined)
    return [problem('invalid_parameters', { reasons: `${String(name)} ${issue.message}` })]
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
