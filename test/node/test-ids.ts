import { readdirSync, readFileSync } from 'node:fs'
import * as z from 'zod'

/** Tests of a rule. */
export const TestIds = z.array(z.string().regex(/^T-\d{3,}$/)).min(1)

/** A test that a list of rules in test/data names: its id ends the title, as in `a reply is 404 to strangers [T-217]`. */
export interface IdentifiedTest {
  readonly id: string
  readonly file: string
  /** As written in the source, without the id. */
  readonly title: string
}

const titles = /(?:\bit\(|\)\()\s*(['"`])((?:\\.|(?!\1).)*)\1/gs
const idAtEnd = /^(.*) \[(T-\d{3,})\]$/s

/** Finds the tests with an id in a source file: `it('…')`, `it(\`…\`)` and `it.each(…)('…')`, but no skipped ones. */
export function identifiedTestsIn(file: string, source: string): readonly IdentifiedTest[] {
  return [...source.matchAll(titles)].flatMap(([, , written = '']) => {
    const [, title, id] = idAtEnd.exec(written) ?? []
    return title === undefined || id === undefined ? [] : [{ id, file, title: title.replaceAll("\\'", "'") }]
  })
}

/** Every test with an id below test/. */
export function identifiedTests(): readonly IdentifiedTest[] {
  return readdirSync('test', { recursive: true, encoding: 'utf8' })
    .map((name) => `test/${name.replaceAll('\\', '/')}`)
    .filter((file) => /\.test\.tsx?$/.test(file))
    .flatMap((file) => identifiedTestsIn(file, readFileSync(file, 'utf8')))
}

/** The ids that the rules in test/data name. */
export function namedIds(): readonly string[] {
  return ['behaviours', 'pitfalls', 'advisories'].flatMap((list) =>
    (readFileSync(`test/data/${list}.json`, 'utf8').match(/"T-[^"]*"/g) ?? []).map((id) => id.slice(1, -1)),
  )
}

/** Lists what keeps rules and tests apart: ids without a test, ids of two tests, and ids that no rule names. */
export function idProblems(named: readonly string[], tests: readonly IdentifiedTest[]): readonly string[] {
  const testsById = Map.groupBy(tests, ({ id }) => id)
  const names = new Set(named)
  const missing = [...names].filter((id) => !testsById.has(id))
  const doubled = [...testsById].filter(([, same]) => same.length > 1)
  const unknown = [...testsById.keys()].filter((id) => !names.has(id))
  return [
    ...missing.map((id) => `${id} is named by a rule and is on no test`),
    ...doubled.map(
      ([id, same]) => `${id} is on ${same.length} tests: ${same.map(({ file }) => file).join(', ')}`,
    ),
    ...unknown.map((id) => `${id} is on a test and no rule names it`),
  ]
}
