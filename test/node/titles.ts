import { readFileSync } from 'node:fs'

/** The names of tests in a file, as written: `it('…')`, `it(\`…\`)` and `it.each(…)('…')`. */
export function namesIn(file: string): string[] {
  const source = readFileSync(file, 'utf8')
  const calls = /(?:\bit\(|\)\()\s*(['"`])((?:\\.|(?!\1).)*)\1/gs
  return [...source.matchAll(calls)].map(([, , name]) => (name ?? '').replaceAll("\\'", "'"))
}
