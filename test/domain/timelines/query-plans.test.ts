import { sql } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { type Selection, withEnd } from '../../../src/db/query'
import { anonymousViewer, viewerByToken } from '../../../src/domain/core/viewer'
import { homeSelection, listSelection } from '../../../src/domain/timelines/home'
import { publicSelection } from '../../../src/domain/timelines/public'
import { tagSelection } from '../../../src/domain/timelines/tag'
import { clock, context } from '../../support/test-app'

const everything = { local: false, remote: false, onlyMedia: false }
const page = { limit: 20 }
const middle = { limit: 20, maxId: 2_000, sinceId: 1_000 }
const upwards = { limit: 20, minId: 1_000 }
const viewers = { nobody: anonymousViewer, 'a token holder': viewerByToken('hash') }

/** SQLite's query plan of a selection. */
async function planOf(selection: Selection): Promise<readonly string[]> {
  const steps = await context().db.all<{ detail: string }>(sql`explain query plan ${withEnd(selection)}`)
  return steps.map((step) => step.detail)
}

/** Not tables: a list inside one cell, and the one row that names the viewer. */
const noTable = '(choice|item|asked) VIRTUAL TABLE|(me|found|reached|s|walk|used|named|entry)$|CONSTANT ROW$'
const scan = new RegExp(`^SCAN (?!\\(subquery|s USING (COVERING )?INDEX statuses_public_local|${noTable})`)

/** Lines that read a whole table, or that sort where an index could have kept the order. */
const scans = (plan: readonly string[]) => plan.filter((line) => scan.test(line))
const sorts = (plan: readonly string[]) => plan.filter((line) => line.includes('TEMP B-TREE'))

const usingIndex = (name: string) => new RegExp(`^(SCAN|SEARCH) s USING (COVERING )?INDEX ${name}\\b`)

for (const [who, viewer] of Object.entries(viewers))
  describe(`as ${who}`, () => {
    for (const at of [page, middle, upwards]) {
      it(`reads the public timeline from the newest statuses (${JSON.stringify(at)})`, async () => {
        for (const filter of [
          everything,
          { ...everything, remote: true },
          { ...everything, onlyMedia: true },
        ]) {
          const plan = await planOf(publicSelection(viewer, filter, at, clock.now()))
          expect(plan).toContainEqual(
            expect.stringMatching(/^(SCAN s|SEARCH s USING INTEGER PRIMARY KEY .*)$/),
          )
          expect([...scans(plan), ...sorts(plan)]).toEqual([])
        }
      })

      it(`reads the local timeline by statuses_public_local (${JSON.stringify(at)})`, async () => {
        const plan = await planOf(publicSelection(viewer, { ...everything, local: true }, at, clock.now()))
        expect(plan).toContainEqual(expect.stringMatching(usingIndex('statuses_public_local')))
        expect([...scans(plan), ...sorts(plan)]).toEqual([])
      })

      it(`reads the home timeline in the order of its feed (${JSON.stringify(at)})`, async () => {
        const plan = await planOf(homeSelection(viewer, at, clock.now()))
        expect(plan).toContainEqual(expect.stringMatching(/^SEARCH e USING PRIMARY KEY \(account_id=\?/))
        expect([...scans(plan), ...sorts(plan)]).toEqual([])
      })

      it(`reads the timeline of a list in the order of its feed (${JSON.stringify(at)})`, async () => {
        const plan = await planOf(listSelection(viewer, { id: 7, now: clock.now() }, at))
        expect(plan).toContainEqual(expect.stringMatching(/^SEARCH e USING PRIMARY KEY \(list_id=\?/))
        expect([...scans(plan), ...sorts(plan)]).toEqual([])
      })

      it(`reads a hashtag timeline from the statuses of its tags (${JSON.stringify(at)})`, async () => {
        const filter = { ...everything, tag: 'a', anyOf: ['b'], allOf: ['c'], noneOf: ['d'] }
        const plan = await planOf(tagSelection(viewer, filter, at, clock.now()))
        expect(plan).toContainEqual(
          expect.stringMatching(/^SEARCH u USING PRIMARY KEY \(tag_id=\? AND status_id/),
        )
        expect([...scans(plan), ...sorts(plan)]).toEqual([])
        const alone = await planOf(tagSelection(viewer, { ...filter, anyOf: [], allOf: [] }, at, clock.now()))
        expect(alone).toContainEqual(expect.stringMatching(/^SEARCH t USING PRIMARY KEY \(tag_id=\?/))
        expect([...scans(alone), ...sorts(alone)]).toEqual([])
      })
    }
  })
