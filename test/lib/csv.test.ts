import { describe, expect, it } from 'vitest'
import { formatCsv, parseCsv } from '../../src/lib/csv'

const cellsIn = (text: string) => parseCsv(text).map(({ cells }) => cells)

describe('CSV for spreadsheets', () => {
  const formulas = ['=1+1', '+1', '-2+3', '@SUM(A1)', '\uff1d1', '\uff0b1', '\uff0d1', '\uff201']

  it('puts an apostrophe before formulas, which a reader removes', () => {
    for (const formula of formulas) {
      const text = formatCsv([[formula, 'wren']])
      expect(text).toBe(`'${formula},wren\n`)
      expect(cellsIn(text)).toEqual([[formula, 'wren']])
    }
  })

  it('keeps apostrophes at the beginning of a text', () => {
    for (const text of ["'=1+1", "''@a", "'tis", "'"])
      expect(cellsIn(formatCsv([[text, 'wren']]))).toEqual([[text, 'wren']])
  })

  it('quotes other separators and line breaks, so that no formula begins after them', () => {
    const cells = ['wren;=1+1', 'wren\t=1+1', 'wren\n=1+1', 'a "b", c']
    expect(formatCsv([cells])).toBe('"wren;=1+1","wren\t=1+1","wren\n=1+1","a ""b"", c"\n')
    expect(cellsIn(formatCsv([cells]))).toEqual([cells])
  })

  it('keeps addresses, domains and headings as they are', () => {
    const rows = [
      ['#domain', 'Account address'],
      ['there.test', 'wren@there.test'],
    ]
    expect(formatCsv(rows)).toBe('#domain,Account address\nthere.test,wren@there.test\n')
    expect(formatCsv([])).toBe('')
  })
})
