/** Pieces of SQL that make rows out of numbers, the same in every run. Imports nothing, so that Node reads it as it is. */

/** Rows of `count` numbers from 0 as a table `n(i)`. */
export const numbers = (count: number): string =>
  `(with recursive n(i) as (select 0 union all select i + 1 from n where i < ${count - 1}) select i from n) n`

const multipliers = [
  2_654_435_769, 2_246_822_519, 3_266_489_917, 668_265_263, 374_761_393, 1_540_483_477, 2_147_001_325,
  3_432_918_353, 2_869_860_233, 1_181_783_497,
]

/** 32 bits that look random, for a number and one of the ten lanes: values of two lanes are independent. */
function scattered(number: string, lane: number): string {
  const multiplier = multipliers[lane % multipliers.length] ?? 1
  return `(((${number}) * ${multiplier} + ${lane * 104_729}) & 4294967295)`
}

/** A number from 0 to `limit` - 1. */
export const below = (number: string, lane: number, limit: number | string): string =>
  `((${scattered(number, lane)} >> 6) % (${limit}))`

/** A number from 0 to `limit` - 1, small ones much more often: a long tail. */
export function tail(number: string, lane: number, limit: number | string): string {
  const part = `(${scattered(number, lane)} / 4294967296.0)`
  return `cast((${limit}) * ${part} * ${part} as integer)`
}

/** True for so many of a thousand. */
export const permille = (number: string, lane: number, share: number): string =>
  `(${below(number, lane, 1_000)} < ${share})`

/** Text of a literal. */
export const text = (value: string): string => `'${value.replaceAll("'", "''")}'`

export type Columns = Readonly<Record<string, string | number | null>>

/** `insert … select` of one expression for each column. */
export const insertFrom = (table: string, columns: Columns, source: string, verb = 'insert'): string =>
  `${verb} into ${table} (${Object.keys(columns).join(', ')})
    select ${Object.values(columns).map(String).join(', ')} from ${source}`

const day = 86_400_000
const idEpoch = Date.UTC(2007, 0, 1)

/** The time that generated rows lie in, and ids in it. */
export interface Timeline {
  readonly now: number
  readonly begin: number
  /** Id of the `index`-th of `count` rows spread over two years; `lane` keeps the ids of several kinds apart. */
  at(index: number, count: number, lane: number): number
  /** Expression of `at`. */
  sql(index: string, count: number, lane: number): string
  /** Instant of an id, in milliseconds. */
  instant(id: number): number
}

/** Two years up to `now`. */
export function timelineUntil(now: Date): Timeline {
  const end = now.getTime() - 3_600_000
  const begin = end - 730 * day
  const first = (begin - idEpoch) * 4_096
  const stepOf = (count: number) => Math.max(1, Math.floor((730 * day) / count)) * 4_096
  return {
    now: now.getTime(),
    begin,
    at: (index, count, lane) => first + index * stepOf(count) + lane,
    instant: (id) => Math.floor(id / 4_096) + idEpoch,
    sql: (index, count, lane) => `(${first + lane} + (${index}) * ${stepOf(count)})`,
  }
}

/** Instant of an id, in milliseconds. */
export const instantOf = (id: string): string => `((${id}) / 4096 + ${idEpoch})`
