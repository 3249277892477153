import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import * as z from 'zod'
import { relays } from '../../../src/db/schema'
import { operator } from '../../../src/domain/policy/permissions'
import { createRelay, disableRelay, enableRelay } from '../../../src/domain/relays/change'
import { as } from '../../support/as'
import { freshName, type TestAccount } from '../../support/given'
import { domainLimit } from '../../support/given-limit'
import { givenOwner, givenStaff } from '../../support/given-staff'
import { clock, context } from '../../support/test-app'

const path = '/api/fieldfare/v1/admin/relays'
const address = () => `https://${freshName('relay')}.test/inbox`
const Made = z.object({ id: z.string() })

let moderator: TestAccount
beforeAll(async () => {
  moderator = await givenStaff({ permissions: ['manageFederation'] })
})
afterEach(async () => void (await context().db.delete(relays)))

describe('admin/relays', () => {
  it('adds, shows, leaves, rejoins and removes a relay, each with a log entry', async () => {
    const inbox = address()
    const made = await as(moderator).post(path, { inbox_url: ` ${inbox} ` })
    const now = clock.now().toISOString()
    expect(made.body).toEqual({
      id: expect.stringMatching(/^\d+$/),
      inbox_url: inbox,
      state: 'pending',
      created_at: now,
      updated_at: now,
    })
    const { id } = Made.parse(made.body)
    const one = `${path}/${id}`
    expect((await as(moderator).get(one)).body).toEqual(made.body)
    const listed = await as(moderator).get(`${path}?limit=1`)
    expect(listed.body).toEqual([made.body])
    expect(listed.costs.trips).toBeLessThanOrEqual(3)
    expect((await as(moderator).post(`${one}/disable`)).body).toMatchObject({ id, state: 'idle' })
    expect((await as(moderator).post(`${one}/disable`)).body).toMatchObject({ id, state: 'idle' })
    expect((await as(moderator).post(`${one}/enable`)).body).toMatchObject({ id, state: 'pending' })
    expect(await as(moderator).delete(one)).toMatchObject({ status: 200, body: {} })
    for (const gone of [
      await as(moderator).get(one),
      await as(moderator).delete(one),
      await as(moderator).post(`${one}/enable`),
      await as(moderator).post(`${one}/disable`),
    ])
      expect(gone.status).toBe(404)
    const log = await as(await givenOwner()).get(
      `/api/fieldfare/v1/admin/audit_log?target_type=relay&target_id=${id}`,
    )
    expect(log.body).toMatchObject([
      {
        action: 'delete',
        account_id: String(moderator.id),
        before: { inboxUrl: inbox, state: 'pending' },
      },
      { action: 'enable', before: { state: 'idle' }, after: { state: 'pending' } },
      { action: 'disable', before: { state: 'pending' }, after: { state: 'idle' } },
      { action: 'create', after: { inboxUrl: inbox, state: 'pending' } },
    ])
  })

  it('enabling an accepted relay changes nothing', async () => {
    const { id } = await createRelay(context(), operator, address())
    await context().db.update(relays).set({ state: 'accepted' })
    expect((await as(moderator).post(`${path}/${id}/enable`)).body).toMatchObject({ state: 'accepted' })
  })

  it.each([
    ['', "can't be blank"],
    ['relay.example', 'is no address'],
    ['http://relay.example/inbox', 'is not https'],
    ['https://127.0.0.1/inbox', 'is a number'],
    ['https://[::1]/inbox', 'is a number'],
    ['https://relay.example:8443/inbox', 'names a port'],
    ['https://printer.local/inbox', 'leads into a private network'],
    ['https://user:pw@relay.example/inbox', 'is no address'],
    ['https://fieldfare.test/inbox', 'is our own'],
  ])('admin/relays refuses the address %s', async (inbox, problem) => {
    expect(await as(moderator).post(path, { inbox_url: inbox })).toMatchObject({
      status: 422,
      body: { error: `Validation failed: Inbox url ${problem}` },
    })
    expect(await context().db.select().from(relays)).toEqual([])
  })

  it('refuses an existing relay, one too many, and a missing permission', async () => {
    const inbox = address()
    await as(moderator).post(path, { inbox_url: inbox })
    expect((await as(moderator).post(path, { inbox_url: inbox })).body).toEqual({
      error: 'Validation failed: Inbox url has already been taken',
    })
    for (let count = 1; count < 20; count += 1) await createRelay(context(), operator, address())
    expect((await as(moderator).post(path, { inbox_url: address() })).body).toEqual({
      error: 'Validation failed: This server has 20 relays, which is the most',
    })
    const other = await givenStaff({ permissions: ['manageBlocks'] })
    expect((await as(other).post(path, { inbox_url: address() })).status).toBe(403)
    expect((await as(other).get(path)).status).toBe(403)
  })

  it('refuses servers that this one does not federate with', async () => {
    const inbox = address()
    await domainLimit(new URL(inbox).host, 'suspend')
    const problem = 'Validation failed: Inbox url is on a server that this one does not federate with'
    expect((await as(moderator).post(path, { inbox_url: inbox })).body).toEqual({ error: problem })
    const { config } = context()
    const limited = context({ config: { ...config, federation: { ...config.federation, limited: true } } })
    await expect(createRelay(limited, operator, address())).rejects.toThrow(problem)
    const { id } = await createRelay(context(), operator, address())
    await disableRelay(context(), operator, id)
    await expect(enableRelay(limited, operator, id)).rejects.toThrow(problem)
  })

  it('gives two concurrent moderators one result and one conflict', async () => {
    const raced = await createRelay(context(), operator, address())
    await expect(
      Promise.all([enableRelay(context(), operator, raced.id), enableRelay(context(), operator, raced.id)]),
    ).rejects.toThrow('The relay has just been changed by someone else')
  })
})
