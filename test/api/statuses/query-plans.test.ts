import { beforeAll, describe, expect, it } from 'vitest'
import { Status } from '../../../src/contract/entities/status'
import { closePolls } from '../../../src/domain/polls/close'
import { as } from '../../support/as'
import { given, type TestAccount } from '../../support/given'
import { relation } from '../../support/given-relationships'
import { storedUpload } from '../../support/given-upload'
import { recordingDb, scannedTables } from '../../support/recording-db'
import { context } from '../../support/test-app'

/** No statement behind these endpoints may read a table from end to end, however the planner feels. */
describe('statements of statuses use an index', () => {
  let alice: TestAccount
  let bob: TestAccount
  let id: string
  let pollId: string
  beforeAll(async () => {
    ;[alice, bob] = [await given.account(), await given.account()]
    await relation.follow(bob, alice, { notify: true })
    const poll = { options: ['a', 'b'], expiresInSeconds: 300, multiple: false, hideTotals: false }
    id = (await given.status({ by: alice, text: '#tag', poll })).id
    const status = Status.parse((await as(alice).get(`/api/v1/statuses/${id}`)).body)
    pollId = status.poll?.id ?? ''
  })

  async function scansOf(work: (overrides: ReturnType<typeof recordingDb>) => Promise<unknown>) {
    const recording = recordingDb()
    await work(recording)
    expect(recording.asked.length).toBeGreaterThan(1)
    const found: string[] = []
    for (const asked of recording.asked)
      for (const table of await scannedTables(asked)) found.push(`${table}: ${asked.text.slice(0, 1500)}`)
    return found
  }

  it('creating a status with everything finds its rows by an index', async () => {
    const media = await storedUpload(alice)
    const body = {
      status: `@${bob.username} @x@elsewhere.test #tag :wren:`,
      media_ids: [media],
      in_reply_to_id: id,
      allowed_mentions: [String(bob.id)],
    }
    const headers = { 'Idempotency-Key': 'k' }
    const scans = await scansOf(async ({ db }) => {
      const answer = await as(alice).post('/api/v1/statuses', body, { headers, overrides: { db } })
      expect(answer.status).toBe(200)
    })
    expect(scans).toEqual([])
  })

  const reads = ['', '/context', '/favourited_by', '/reblogged_by', '/source']
  for (const path of reads)
    it(`GET statuses/:id${path} finds its rows by an index`, async () => {
      const scans = await scansOf(async ({ db }) => {
        const answer = await as(bob).get(`/api/v1/statuses/${id}${path}`, { overrides: { db } })
        expect(answer.status).toBe(200)
      })
      expect(scans).toEqual([])
    })

  const lists = ['favourites', 'bookmarks', 'statuses?id[]=1&id[]=2']
  for (const path of lists)
    it(`GET ${path} finds its rows by an index`, async () => {
      const scans = await scansOf(({ db }) => as(bob).get(`/api/v1/${path}`, { overrides: { db } }))
      expect(scans).toEqual([])
    })

  const interactions = [
    'favourite',
    'reblog',
    'bookmark',
    'mute',
    'unmute',
    'unbookmark',
    'unreblog',
    'unfavourite',
  ]
  for (const verb of interactions)
    it(`POST ${verb} finds its rows by an index`, async () => {
      const scans = await scansOf(async ({ db }) => {
        const answer = await as(bob).post(`/api/v1/statuses/${id}/${verb}`, {}, { overrides: { db } })
        expect(answer.status).toBe(200)
      })
      expect(scans).toEqual([])
    })

  it('polls, pins and the deletion of a status find their rows by an index', async () => {
    const scans = await scansOf(async ({ db }) => {
      const options = { overrides: { db } }
      const answers = [
        await as(bob).get(`/api/v1/polls/${pollId}`, options),
        await as(bob).post(`/api/v1/polls/${pollId}/votes`, { choices: [0] }, options),
        await as(alice).post(`/api/v1/statuses/${id}/pin`, {}, options),
        await as(alice).post(`/api/v1/statuses/${id}/unpin`, {}, options),
        await as(alice).delete(`/api/v1/statuses/${id}`, undefined, options),
      ]
      expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200])
      await closePolls(context({ db }))
    })
    expect(scans).toEqual([])
  })
})
