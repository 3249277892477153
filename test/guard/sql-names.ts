import { getTableColumns, getTableName, is } from 'drizzle-orm'
import { SQLiteTable } from 'drizzle-orm/sqlite-core'
import * as schema from '../../src/db/schema'
import type { SourceFile } from './source'

const schemaTables = Object.values(schema).filter((value) => is(value, SQLiteTable))
const tables: ReadonlySet<string> = new Set(schemaTables.map((table) => getTableName(table)))
const columns: ReadonlySet<string> = new Set(
  schemaTables.flatMap((table) => Object.values(getTableColumns(table)).map(({ name }) => name)),
)

/** Stands for `${…}` in the text of a template. */
const placeholder = '\u0000'

/** Literal texts of the templates tagged `sql`, those inside others included; each `${…}` is one placeholder. */
export function sqlTemplates(code: string): readonly string[] {
  const found: string[] = []
  /** Reads code from `at` to the brace that closes it; returns the position behind. */
  const readCode = (from: number): number => {
    let [at, depth] = [from, 0]
    while (at < code.length) {
      const character = code[at]
      if (code.startsWith('//', at)) at = endOf('\n', at)
      else if (code.startsWith('/*', at)) at = endOf('*/', at)
      else if (character === "'" || character === '"') at = readQuoted(at, character)
      else if (character === '`')
        at = readTemplate(at, /\bsql(<[^`;]*>)?$/.test(code.slice(Math.max(0, at - 200), at)))
      else if (character === '}' && depth === 0) return at + 1
      else {
        if (character === '{') depth += 1
        if (character === '}') depth -= 1
        at += 1
      }
    }
    return at
  }
  const endOf = (mark: string, at: number) => {
    const end = code.indexOf(mark, at)
    return end === -1 ? code.length : end + mark.length
  }
  const readQuoted = (from: number, quote: string) => {
    let at = from + 1
    while (at < code.length && code[at] !== quote && code[at] !== '\n') at += code[at] === '\\' ? 2 : 1
    return at + 1
  }
  const readTemplate = (from: number, isSql: boolean) => {
    let [at, text] = [from + 1, '']
    while (at < code.length && code[at] !== '`')
      if (code.startsWith('${', at)) {
        text += placeholder
        at = readCode(at + 2)
      } else {
        const length = code[at] === '\\' ? 2 : 1
        text += code.slice(at, at + length)
        at += length
      }
    if (isSql) found.push(text)
    return at + 1
  }
  readCode(0)
  return found
}

/**
 * Names of tables and columns of the schema that the SQL of a file has as text, where a rename is not seen by the compiler: a
 * table after `from`, `join`, `into` or `update`, a column behind the alias of a table, and a column of several words.
 */
export function namesAsText({ text }: SourceFile): readonly string[] {
  const templates = sqlTemplates(text).map((one) => one.replaceAll(/'[^']*'/g, "''"))
  const named = /\b(?:from|join|into|update)\s+([a-z_]+)\b/gi
  const tableNames = templates.flatMap((one) =>
    [...one.matchAll(named)].map(([, name = '']) => name).filter((name) => tables.has(name)),
  )
  const aliased = new RegExp(
    `\\b(?:from|join)\\s+(?:([a-z_]+)|${placeholder})(?:\\s+as)?\\s+([a-z_]+)\\b`,
    'gi',
  )
  const aliases = new Set(
    templates.flatMap((one) =>
      [...one.matchAll(aliased)].flatMap(([, table, alias = '']) =>
        table === undefined || tables.has(table) ? [alias, table ?? alias] : [],
      ),
    ),
  )
  const columnNames = templates.flatMap((one) =>
    [...one.matchAll(/(?<!\bas\s)(?:\b([a-z_]+)\.)?\b([a-z_]+)\b/gi)].flatMap(([, alias, name = '']) => {
      if (!columns.has(name)) return []
      const isColumn = alias === undefined ? name.includes('_') && !tables.has(name) : aliases.has(alias)
      return isColumn ? [name] : []
    }),
  )
  return [...tableNames, ...columnNames]
}
