import * as z from 'zod'

// Scalars of responses.

/** RFC 3339 in UTC with exactly three fraction digits: clients with fixed-format parsers reject anything else. */
export const Timestamp = z.iso.datetime({ precision: 3 })

/** YYYY-MM-DD. */
export const CalendarDate = z.iso.date()

/** Absolute http or https address. */
export const Url = z.url({ protocol: /^https?$/ })

/** Absolute ws or wss address. */
export const SocketUrl = z.url({ protocol: /^wss?$/ })

/** Markup that passed the sanitiser. */
export const Html = z.string().meta({ contentMediaType: 'text/html' })

/** Id of an entity: digits in a string, because 53-bit ids do not survive every client's number type. */
export const IdString = z.string().regex(/^\d+$/)

/** Unix time in seconds as text, as usage histories give days. */
export const UnixTimeString = z.string().regex(/^\d+$/)

/** A count as text, as the documentation has it in a few places. */
export const CountString = z.string().regex(/^\d+$/)

// Scalars of requests. Empty text and null count as absent, as in Rails: clients submit blank form fields.

export type Id = number

/**
 * Id as sent by a client: digits as text or number.
 *
 * Anything that cannot be a local id (no digits, negative, beyond 2^53, missing) becomes 0, which never exists, so
 * that callers answer 404 by themselves instead of 422.
 */
export const Id = z.preprocess(toId, z.number().meta({ type: 'string', pattern: '^[0-9]+$' }))

/** Id that may be left out: absent, null and empty text are undefined, other values are as `Id`. */
export const OptionalId = z.preprocess(blankToUndefined, Id.optional())

/** Id that is stored as sent: anything that cannot be a local id is a validation error, blank counts as absent. */
export const ReadableId = z.preprocess(
  blankToUndefined,
  z
    .union([z.string().regex(/^\d+$/), z.int().nonnegative()])
    .transform(Number)
    .refine(Number.isSafeInteger)
    .optional(),
)

/** Distinct ids in the order sent, from an array or a single value; undefined when the key is absent. */
export const OptionalIdList = z.preprocess(toList, z.array(Id).transform(distinct).optional())

/** Distinct ids in the order sent, from an array or a single value; empty when the key is absent. */
export const IdList = OptionalIdList.default([])

const Text = z.preprocess(toText, z.string())

/** Text as sent, blank or not, or a number in its place; undefined when absent or null. */
export const OptionalText = z
  .union([z.string(), z.number()])
  .nullish()
  .transform((sent) => (sent == null ? undefined : String(sent)))

/** Distinct texts in the order sent, blanks dropped; undefined when the key is absent. */
export const OptionalTextList = z.preprocess(toList, z.array(Text).transform(distinct).optional())

/** Distinct texts in the order sent, blanks dropped; empty when the key is absent. */
export const TextList = OptionalTextList.default([])

/**
 * Boolean as Rails reads it: false, 0, f, off in any case are false, other text is true.
 *
 * Undefined when absent or blank: add `.default(…)` or `.nonoptional()` where a value is needed.
 */
export const Flag = z.preprocess(toFlag, z.boolean().optional())

/**
 * Integer as number or text; a fraction is cut off, text that is no number is a validation error.
 *
 * Undefined when absent or blank: add `.default(…)` or `.nonoptional()` where a value is needed.
 */
export const Int = z.preprocess(toInteger, z.int().optional())

/**
 * Instant as ISO 8601 text, UTC where no zone is given.
 *
 * Undefined when absent or blank: add `.nonoptional()` where a value is needed.
 */
export const Instant = z.preprocess(
  blankToUndefined,
  z
    .string()
    .meta({ format: 'date-time' })
    .transform((text, context) => {
      const instant = parseInstant(text)
      if (instant !== null) return instant
      context.addIssue({
        code: 'invalid_format',
        format: 'datetime',
        message: 'is not a valid date and time',
      })
      return z.NEVER
    })
    .optional(),
)

/**
 * The bytes of a file sent as a part of a multipart body; its declared name and type prove nothing and are not read.
 *
 * A `data:` URL in base64 is accepted as well: clients that only speak JSON (megalodon) send pictures that way.
 * Undefined when absent and when there is other text in its place: a method that needs a file says so itself.
 */
export const Upload = z.preprocess(
  (sent) => (typeof sent === 'string' ? bytesInText(sent) : sent instanceof Uint8Array ? sent : undefined),
  z.instanceof(Uint8Array).meta({ type: 'string', format: 'binary' }).optional(),
)

/** Page size: `standard` when absent, its absolute value when negative, never above `max`, 0 for text without a number. */
export function Limit(standard: number, max: number) {
  return z.preprocess((sent) => toLimit(sent, max), z.int().min(0).max(max).default(standard))
}

/** Number of entries to skip in a list paged by offset: 0 when absent or negative, never above `max`. */
export function Offset(max = Number.MAX_SAFE_INTEGER) {
  return Int.default(0).transform((offset) => Math.min(Math.max(0, offset), max))
}

function bytesInText(text: string): Uint8Array | undefined {
  const start = /^data:[^,]{0,200};base64,/i.exec(text)?.[0]
  if (start === undefined) return undefined
  const base64 = z.base64().safeParse(text.slice(start.length))
  if (!base64.success) return undefined
  return Uint8Array.from(atob(base64.data), (character) => character.charCodeAt(0))
}

function isBlank(sent: unknown): boolean {
  return sent === undefined || sent === null || (typeof sent === 'string' && sent.trim() === '')
}

function blankToUndefined(sent: unknown): unknown {
  return isBlank(sent) ? undefined : sent
}

function toId(sent: unknown): Id {
  if (typeof sent !== 'number' && typeof sent !== 'string') return 0
  const text = String(sent)
  const id = /^\d+$/.test(text) ? Number(text) : 0
  return Number.isSafeInteger(id) ? id : 0
}

function toList(sent: unknown): unknown {
  if (sent === undefined) return undefined
  const values: unknown[] = Array.isArray(sent) ? sent : [sent]
  return values.filter((value) => !isBlank(value))
}

function toText(sent: unknown): unknown {
  return typeof sent === 'number' || typeof sent === 'boolean' ? String(sent) : sent
}

function distinct<T>(values: readonly T[]): T[] {
  return [...new Set(values)]
}

const falseTexts: ReadonlySet<string> = new Set(['false', '0', 'f', 'off'])

function toFlag(sent: unknown): unknown {
  if (isBlank(sent)) return undefined
  if (typeof sent !== 'string' && typeof sent !== 'number') return sent
  return !falseTexts.has(String(sent).trim().toLowerCase())
}

function toInteger(sent: unknown): unknown {
  if (isBlank(sent)) return undefined
  if (typeof sent === 'number') return Math.trunc(sent)
  if (typeof sent !== 'string' || !/^[+-]?\d+(\.\d*)?$/.test(sent.trim())) return sent
  // Adding zero turns the -0 of "-0.5" into 0.
  return Math.trunc(Number(sent)) + 0
}

function toLimit(sent: unknown, max: number): number | undefined {
  if (isBlank(sent)) return undefined
  const digits = /^\s*[+-]?(\d+)/.exec(String(sent))?.[1]
  return digits === undefined ? 0 : Math.min(Number(digits), max)
}

const isoInstant =
  /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2})(?::(\d{2})(?:[.,](\d+))?)?)? ?(Z|UTC|[+-]\d{2}(?::?\d{2})?)?$/i

function parseInstant(text: string): Date | null {
  const [, day, minutes = '00:00', seconds = '00', fraction = '', zone = 'Z'] =
    isoInstant.exec(text.trim()) ?? []
  if (day === undefined || !z.iso.date().safeParse(day).success) return null
  const milliseconds = fraction.slice(0, 3).padEnd(3, '0')
  const instant = new Date(`${day}T${minutes}:${seconds}.${milliseconds}${isoZone(zone)}`)
  return Number.isNaN(instant.getTime()) ? null : instant
}

function isoZone(zone: string): string {
  const digits = zone.replace(/\D/g, '')
  return digits === '' ? 'Z' : `${zone.charAt(0)}${digits.slice(0, 2)}:${digits.slice(2).padEnd(2, '0')}`
}
