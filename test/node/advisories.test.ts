import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { identifiedTests, TestIds } from './test-ids'

/**
 * Security advisories of other servers, each with the tests that show that it does not apply here, or with the feature
 * that is missing here. Data: test/data/advisories.json; SECURITY.md shows them as a table. Tests are
 * named by id; `test-ids.test.ts` checks that they exist. `npx vitest run test/node/advisories.test.ts -u` writes the table.
 */

const shared = {
  /** CVE and GHSA; where a project publishes neither, its release or pull request. */
  ids: z.array(z.string().regex(/^(CVE-20\d\d-\d{4,}|GHSA(-[2-9cfghjmpqrvwx]{4}){3}|[A-Z]\w+ \S+)$/)).min(1),
  project: z.enum(['Mastodon', 'GoToSocial', 'Pixelfed', 'Akkoma', 'Pleroma', 'Misskey', 'Fedify', 'Hollo']),
  date: z.string().regex(/^20(2[3-9]|[3-9]\d)-(0[1-9]|1[0-2])$/),
  title: z.string().min(1).max(90),
}
const Advisory = z.discriminatedUnion('concerns', [
  z.strictObject({ ...shared, concerns: z.literal(true), tests: TestIds }),
  z.strictObject({ ...shared, concerns: z.literal(false), reason: z.string().min(1).max(120) }),
])
type Advisory = z.infer<typeof Advisory>

const advisories = z.array(Advisory).parse(JSON.parse(readFileSync('test/data/advisories.json', 'utf8')))

const heading = '| advisory | published | what it was | why not here |\n| --- | --- | --- | --- |\n'

function rowOf({ ids, project, date, title, ...rest }: Advisory): string {
  const first = ids[0]?.startsWith(project) === true ? '' : `${project}: `
  const shown = rest.concerns ? rest.tests.map(testOf).join('; ') : rest.reason
  return `| ${first}${ids.join(', ')} | ${date} | ${title} | ${shown} |\n`
}

const tests = new Map(identifiedTests().map((test) => [test.id, test]))

/** File and title of a test, as the table shows them. */
function testOf(id: string): string {
  const { file = '', title = id } = tests.get(id) ?? {}
  const shown = title.replaceAll('|', '\\|').replaceAll(/\$\{\w+(\(\w+\))?\}|%\w/g, '…')
  return `\`${file.replace(/^test\//, '')}\` › ${shown}`
}

describe('the advisories of other servers', () => {
  it('the advisories of other servers have their own ids', () => {
    const ids = advisories.flatMap((advisory) => advisory.ids)
    expect(ids).toEqual([...new Set(ids)])
  })

  it('the advisories of other servers are in SECURITY.md like in the data', async () => {
    const text = readFileSync('SECURITY.md', 'utf8')
    const start = text.indexOf(heading)
    expect(start, 'SECURITY.md has no table').toBeGreaterThan(0)
    const whole = text.slice(0, start) + heading + advisories.map(rowOf).join('')
    await expect(whole).toMatchFileSnapshot('../../SECURITY.md')
  })
})
