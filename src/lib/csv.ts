import Papa from 'papaparse'

/** The rows of a file of comma separated values, blank ones left out. Never throws: a broken quote ends with the file. */
export function parseCsv(text: string): readonly (readonly string[])[] {
  const { data } = Papa.parse<string[]>(text.replace(/^\u{feff}/u, ''), {
    skipEmptyLines: 'greedy',
    delimiter: ',',
  })
  return data.map((row) => row.map((cell) => cell.trim()))
}

/** Rows as comma separated values, each line ended. */
export function formatCsv(rows: readonly (readonly string[])[]): string {
  return rows.length === 0
    ? ''
    : `${Papa.unparse(
        rows.map((row) => [...row]),
        { newline: '\n' },
      )}\n`
}
