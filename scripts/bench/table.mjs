// Plain tables for a terminal.

export function section(title) {
  console.log(`\n${title}\n`)
}

/** The first column is text, the others are figures. */
export function table(head, rows) {
  const cells = [head, ...rows].map((row) => row.map((cell) => String(cell ?? '-')))
  const widths = head.map((_, column) => Math.max(...cells.map((row) => row[column].length)))
  for (const [index, row] of cells.entries()) {
    const padded = row.map((cell, column) =>
      column === 0 ? cell.padEnd(widths[column]) : cell.padStart(widths[column]),
    )
    console.log(`  ${padded.join('  ')}`)
    if (index === 0) console.log(`  ${widths.map((width) => '-'.repeat(width)).join('  ')}`)
  }
}
