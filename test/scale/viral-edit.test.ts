import { describe, expect, it } from 'vitest'
import { as } from '../support/as'
import { given } from '../support/given'
import { viralStatus } from '../support/given-viral'

/** The servers of the accounts do not exist. */
const overrides = { couriers: { enqueue: async () => undefined, wake: async () => undefined } }

describe('the edit of a status that many servers reblogged', () => {
  it('reads 2,000 rows at most, and notifies who reblogged it here', async () => {
    const [author, reader] = [await given.account(), await given.account()]
    const { id } = await viralStatus(author, 3_000)
    expect((await as(reader).post(`/api/v1/statuses/${id}/reblog`)).status).toBe(200)
    const { status, costs } = await as(author).put(
      `/api/v1/statuses/${id}`,
      { status: 'Else' },
      { overrides },
    )
    expect(status).toBe(200)
    expect(costs.rowsRead).toBeLessThanOrEqual(2_000)
    const { body } = await as(reader).get('/api/v1/notifications?types[]=update')
    expect(body).toMatchObject([{ type: 'update', status: { id: String(id) } }])
  }, 120_000)
})
