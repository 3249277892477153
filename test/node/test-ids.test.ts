import { describe, expect, it } from 'vitest'
import { identifiedTests, identifiedTestsIn, idProblems, namedIds } from './test-ids'

describe('ids of tests', () => {
  it('ids of tests are each on one test, and named by a rule of test/data', () => {
    expect(namedIds().length).toBeGreaterThan(700)
    expect(idProblems(namedIds(), identifiedTests())).toEqual([])
  })

  it('ids of tests are found at the end of titles in every form, and not on skipped tests', () => {
    const suffix = (id: string) => `[T-${id}]`
    const source = [
      `it('plain ${suffix('001')}', () => {})`,
      `it.each(cases)('table %s ${suffix('002')}', () => {})`,
      `it.each([\n  1,\n])(\n  'broken ${suffix('003')}',\n  () => {})`,
      `it(\`\${name} is refused ${suffix('004')}\`, () => {})`,
      `it('owner\\'s ${suffix('005')}', () => {})`,
      `it.skip('skipped ${suffix('006')}', () => {})`,
      `it('${suffix('007')} in front', () => {})`,
      `// it is not a test ${suffix('008')}`,
    ].join('\n')
    expect(identifiedTestsIn('a.test.ts', source)).toEqual([
      { id: 'T-001', file: 'a.test.ts', title: 'plain' },
      { id: 'T-002', file: 'a.test.ts', title: 'table %s' },
      { id: 'T-003', file: 'a.test.ts', title: 'broken' },
      { id: 'T-004', file: 'a.test.ts', title: `\${name} is refused` },
      { id: 'T-005', file: 'a.test.ts', title: "owner's" },
    ])
  })

  it('ids of tests are reported when missing, doubled or unknown', () => {
    const on = (id: string, file: string) => ({ id, file, title: 'a title' })
    const tests = [on('T-001', 'a'), on('T-002', 'a'), on('T-002', 'b'), on('T-004', 'b')]
    expect(idProblems(['T-001', 'T-001', 'T-002', 'T-003'], tests)).toEqual([
      'T-003 is named by a rule and is on no test',
      'T-002 is on 2 tests: a, b',
      'T-004 is on a test and no rule names it',
    ])
  })
})
