import { beforeAll, describe, expect, it } from 'vitest'
import * as z from 'zod'
import { endpoints } from '../../../src/api'
import type { Endpoint } from '../../../src/api/endpoint'
import type { Visibility } from '../../../src/db/schema/statuses'
import { as, type TestResponse } from '../../support/as'
import { call, everyReadPath, pathsOf, readAll, type Targets } from '../../support/every-endpoint'
import type { TestAccount } from '../../support/given'
import { givenOwner } from '../../support/given-staff'
import { storedPicture } from '../../support/given-stored'
import { givenStrike } from '../../support/given-strike'
import { reportedStatus } from '../../support/reported-status'
import { clock } from '../../support/test-app'

/**
 * Every endpoint of staff that reads or shows a status, asked by the owner for statuses that are neither for them nor
 * reported: a permission opens reports and what is for everybody, not what people write to each other.
 */

interface Scene {
  readonly owner: TestAccount
  readonly secret: string
  readonly id: number
  readonly targets: Targets
  readonly isOpen: boolean
}

async function play(visibility: Visibility): Promise<Scene> {
  const owner = await givenOwner()
  const { id, author, secret, tag, reportId } = await reportedStatus(visibility, owner)
  const strike = await givenStrike(author, { statusIds: visibility === 'public' ? [id] : [] })
  const targets: Targets = {
    statuses: [id],
    accounts: [author.id],
    reports: [reportId],
    strikes: [strike],
    scheduled: [1],
    polls: [1],
    media: [storedPicture.id],
    notifications: [1],
    tag,
    lists: [1],
    words: [secret],
  }
  return { owner, secret, id, targets, isOpen: visibility === 'public' }
}

/** Staff endpoints that decide about a status by its id, and answer with it. */
const deciding = endpoints.filter(
  ({ method, path }) => method === 'POST' && path.startsWith('/api/v1/admin/trends/statuses/:id/'),
)

/** Templates of endpoints whose answers tell of the status. */
async function placesOf({ owner, secret, id, targets, isOpen }: Scene): Promise<readonly string[]> {
  const places = new Set<string>()
  const hear = (template: string, { body }: TestResponse) => {
    const text = JSON.stringify(body)
    if (text.includes(secret) || text.includes(`"id":"${id}"`)) places.add(template)
  }
  const paths = everyReadPath(targets, owner, true).filter((path) => path.includes('/admin/'))
  expect(paths.length).toBeGreaterThan(30)
  await readAll(owner, paths, (path, answer) => {
    expect(answer.status, path).toBeLessThan(500)
    hear(path.replace(/\?.*/, '').replaceAll(/\d{3,}/g, ':id'), answer)
  })
  expect(deciding.length).toBe(2)
  for (const endpoint of deciding)
    for (const path of pathsOf(endpoint.path, targets)) {
      const answer = await call(owner, endpoint, path)
      expect(answer.status, path).toBe(isOpen ? 200 : 404)
      hear(endpoint.path, answer)
    }
  // A decision about what nobody may decide about is none, in the log neither.
  const { body } = await as(owner).get('/api/fieldfare/v1/admin/audit_log')
  expect(JSON.stringify(body).includes(String(id))).toBe(isOpen)
  return [...places].toSorted()
}

/** Whether an answer can hold a status or the evidence of one, by its schema. */
function canShow({ output }: Endpoint): boolean {
  const schema = z.toJSONSchema(z.object({ output }), { unrepresentable: 'any' })
  return /\/(Status|AdminTrendsStatus|FieldfareEvidence|FieldfareTrendLines)"/.test(JSON.stringify(schema))
}

describe.each(['private', 'direct'] as const)('a %s status of another account', (visibility) => {
  let scene: Scene
  beforeAll(async () => {
    scene = await play(visibility)
  })

  it('the hidden status is never shown to staff', async () => {
    expect(await placesOf(scene)).toEqual([])
  })
})

it('every endpoint with statuses shows a public one in the same check', async () => {
  clock.advance(1_000)
  const met = await placesOf(await play('public'))
  const able = endpoints.filter(
    (one) => one.path.includes('/admin/') && (one.method === 'GET' || deciding.includes(one)) && canShow(one),
  )
  expect(met).toEqual(able.map(({ path }) => path).toSorted())
})
