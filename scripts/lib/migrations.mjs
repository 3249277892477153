// The migrations as the server applies them by itself: names and statements, in a file among those that the server reads.
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** Texts in quotes, comments, and what may end a statement, of SQL. */
const tokens = /'(?:[^']|'')*'|"(?:[^"]|"")*"|--[^\n]*|\/\*[\s\S]*?\*\/|;|\b(?:begin|case|end)\b/gi

/**
 * The statements of a text, without their semicolons and without comments alone. Loading wrangler for its own function would
 * take a second of each start; test/node/migrations.test.ts compares both.
 */
export function splitStatements(text) {
  const statements = []
  let [from, depth] = [0, 0]
  for (const { 0: token, index } of text.matchAll(tokens)) {
    if (/^(begin|case)$/i.test(token)) depth += 1
    else if (/^end$/i.test(token)) depth -= 1
    else if (token === ';' && depth === 0) {
      statements.push(text.slice(from, index).trim())
      from = index + 1
    }
  }
  statements.push(text.slice(from).trim())
  return statements.filter(
    (statement) => statement.replaceAll(/--[^\n]*|\/\*[\s\S]*?\*\//g, '').trim() !== '',
  )
}

/** The migrations of `folder` in their order: [{ name, statements }]. */
export function readMigrations(folder) {
  const names = readdirSync(folder).filter((name) => name.endsWith('.sql'))
  return names.toSorted().map((name) => ({
    name,
    statements: splitStatements(readFileSync(join(folder, name), 'utf8')),
  }))
}

/** Writes them into public/migrations.json of `root`, where they differ. */
export function writeMigrations(root) {
  const file = join(root, 'public/migrations.json')
  const text = `${JSON.stringify(readMigrations(join(root, 'migrations')))}\n`
  if (!existsSync(file) || readFileSync(file, 'utf8') !== text) writeFileSync(file, text)
}
