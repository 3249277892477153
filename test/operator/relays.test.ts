import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { as } from '../support/as'
import { freshName, given } from '../support/given'

const setup = as('a setup token for tests')
const Made = z.object({ id: z.string() })

describe('the set-up routes about relays', () => {
  it('refuse members', async () => {
    const alice = await given.account()
    for (const what of ['list', 'add', 'enable', 'disable', 'remove'])
      expect((await as(alice).post(`/setup/relays/${what}`, { id: 1 })).status, what).toBe(403)
  })

  it('add, list, disable, enable and remove', async () => {
    const inbox = `https://${freshName('relay')}.test/inbox`
    const made = await setup.post('/setup/relays/add', { inbox_url: inbox })
    const { id } = Made.parse(made.body)
    expect((await setup.post('/setup/relays/list')).body).toMatchObject({
      relays: [{ id, inbox_url: inbox, state: 'pending' }],
    })
    expect((await setup.post('/setup/relays/disable', { id })).body).toMatchObject({ id, state: 'idle' })
    expect((await setup.post('/setup/relays/enable', { id })).body).toMatchObject({ id, state: 'pending' })
    expect((await setup.post('/setup/relays/remove', { id })).status).toBe(200)
    expect((await setup.post('/setup/relays/remove', { id })).status).toBe(404)
    expect((await setup.post('/setup/relays/list')).body).toEqual({ relays: [] })
    expect((await setup.post('/setup/relays/add', { inbox_url: 'nonsense' })).status).toBe(422)
  })
})
