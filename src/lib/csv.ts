import { dsvFormat } from 'd3-dsv'

/** A line of a file with its number in it: a quoted cell may hold line breaks. */
export interface CsvLine {
  readonly number: number
  readonly cells: readonly string[]
}

const separators = [',', ';', '\t'] as const
const separatorLine = /^"?sep=(.)"?\r?(?:\n|$)/i

/**
 * Parses CSV as spreadsheets and other software write it, without blank lines: separated by commas, semicolons or tabs,
 * with a line `sep=` or without. Never throws: an unclosed quote ends with the file.
 */
export function parseCsv(text: string): readonly CsvLine[] {
  const whole = text.replace(/^\u{feff}/u, '')
  const named = separatorLine.exec(whole)
  const source = named === null ? whole : whole.slice(named[0].length)
  const lines: CsvLine[] = []
  let number = named === null ? 1 : 2
  for (const cells of dsvFormat(named?.[1] ?? separatorOf(source)).parseRows(source)) {
    const trimmed = cells.map((cell) => cell.trim().replace(guardedCell, ''))
    if (trimmed.some((cell) => cell !== '')) lines.push({ number, cells: trimmed })
    number += 1 + cells.reduce((breaks, cell) => breaks + cell.split(/\r\n|\r|\n/).length - 1, 0)
  }
  return lines
}

/** Number of the line whose quotation mark is not closed, so that the rest of the file is one cell; null where all are. */
export function unclosedLine(text: string, lines: readonly CsvLine[]): number | null {
  return (text.match(/"/g)?.length ?? 0) % 2 === 1 ? (lines.at(-1)?.number ?? 1) : null
}

/** Names of columns in a heading: in lower case, without the `#` that Mastodon puts before them. */
export function columnNames(cells: readonly string[]): readonly string[] {
  return cells.map((cell) => cell.toLowerCase().replace(/^#\s*/, ''))
}

/** Commas where the first line has one outside of quotes, else what it has most of. */
function separatorOf(source: string): string {
  const first =
    source
      .trimStart()
      .split('\n', 1)[0]
      ?.replaceAll(/"[^"]*"/g, '') ?? ''
  const count = (separator: string) => first.split(separator).length - 1
  if (count(',') > 0) return ','
  return separators.toSorted((one, other) => count(other) - count(one))[0] ?? ','
}

/** Beginnings of cells that spreadsheets take for formulas, full-width signs included. */
const formula = '[=+\\-@\\t\\r\uff1d\uff0b\uff0d\uff20]'
const needsGuard = new RegExp(`^'*${formula}`, 'u')
/** The apostrophe before such a cell, which `formatCsv` writes. */
const guardedCell = new RegExp(`^'(?='*${formula})`, 'u')

/**
 * Formats rows as CSV, each line ended. Texts of others are no formulas in it: an apostrophe stands before those that
 * spreadsheets would compute, which `parseCsv` takes away, and what another separator would cut is quoted.
 */
export function formatCsv(rows: readonly (readonly string[])[]): string {
  return rows.map((row) => `${row.map(formatCell).join(',')}\n`).join('')
}

function formatCell(text: string): string {
  const cell = needsGuard.test(text) ? `'${text}` : text
  return /[",;\t\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell
}
