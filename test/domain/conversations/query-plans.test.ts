import { describe, expect, it } from 'vitest'
import { purgeAccount } from '../../../src/domain/cleanup/purge-account'
import { as } from '../../support/as'
import { given } from '../../support/given'
import { conversationsOf, direct } from '../../support/given-direct'
import { recordingDb, scannedTables } from '../../support/recording-db'
import { context } from '../../support/test-app'

/** No statement about conversations and reports may read a table from end to end, however the planner feels. */
describe('statements of conversations use an index', () => {
  async function scansOf(work: (overrides: ReturnType<typeof recordingDb>) => Promise<unknown>) {
    const recording = recordingDb()
    await work(recording)
    expect(recording.asked.length).toBeGreaterThan(1)
    const found: string[] = []
    // A page reads from the rows it picked, under the name of their table.
    for (const asked of recording.asked.filter(({ text }) => /conversations|reports/.test(text)))
      for (const table of await scannedTables(asked))
        if (!(asked.text.startsWith('select') && table === 'conversations'))
          found.push(`${table}: ${asked.text.slice(0, 1500)}`)
    return found
  }

  it('finds the rows of a direct status by an index, from its creation to its deletion', async () => {
    const [alice, bob] = [await given.account(), await given.account()]
    const first = await direct(alice, [bob])
    const [conversation] = await conversationsOf(bob)
    const path = '/api/v1/conversations'
    const scans = await scansOf(async ({ db }) => {
      const options = { overrides: { db } }
      const status = `@${alice.username} psst`
      const answers = [
        await as(bob).post(
          '/api/v1/statuses',
          { status, visibility: 'direct', in_reply_to_id: first.id },
          options,
        ),
        await as(bob).get(`${path}?limit=2`, options),
        await as(bob).get(`${path}?min_id=1`, options),
        await as(bob).post(`${path}/${conversation?.id}/read`, {}, options),
        await as(alice).delete(`/api/v1/statuses/${first.id}`, undefined, options),
        await as(bob).delete(`${path}/${conversation?.id}`, undefined, options),
      ]
      expect(answers.map((answer) => answer.status)).toEqual([200, 200, 200, 200, 200, 200])
    })
    expect(scans).toEqual([])
  })

  it('finds the rows of hidden and deleted accounts and of reports by an index', async () => {
    const [alice, bob] = [await given.account(), await given.account()]
    const { id } = await direct(bob, [alice])
    const scans = await scansOf(async ({ db }) => {
      const options = { overrides: { db } }
      const report = { account_id: bob.id, status_ids: [id], collection_ids: [], rule_ids: [] }
      const answers = [
        await as(alice).post('/api/v1/reports', report, options),
        await as(alice).post(`/api/v1/accounts/${bob.id}/mute`, {}, options),
        await as(alice).post(`/api/v1/accounts/${bob.id}/block`, {}, options),
        await as(alice).post('/api/v1/domain_blocks', { domain: 'elsewhere.test' }, options),
      ]
      expect(answers.map((answer) => answer.status)).toEqual([200, 200, 200, 200])
      await purgeAccount(context({ db }), bob.id)
    })
    expect(scans).toEqual([])
  })
})
