import { csvFormatRows, csvParseRows } from 'd3-dsv'

/** Parses CSV into rows, without blank ones. Never throws: an unclosed quote ends with the file. */
export function parseCsv(text: string): readonly (readonly string[])[] {
  const found = csvParseRows(text.replace(/^\u{feff}/u, ''), (row) => row.map((cell) => cell.trim()))
  return found.filter((row) => row.some((cell) => cell !== ''))
}

/** Formats rows as CSV, each line ended. */
export function formatCsv(rows: readonly (readonly string[])[]): string {
  return rows.length === 0 ? '' : `${csvFormatRows(rows.map((row) => [...row]))}\n`
}
