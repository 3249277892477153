// A target of a restore whose statements are written to a file as well, for another database.
import { appendFileSync, writeFileSync } from 'node:fs'
import { Problem } from '../problem.mjs'

/** `target`, with the statements that succeeded in `file` too. */
export function writtenTo(file, target) {
  if (target.begun() !== null)
    throw new Problem('An interrupted restore cannot be written as SQL: begin with an empty folder.')
  writeFileSync(file, '', { mode: 0o600 })
  return {
    ...target,
    run: async (statements) => {
      await target.run(statements)
      appendFileSync(file, statements.map((sql) => `${sql.trim().replace(/;$/, '')};\n`).join(''))
    },
  }
}
