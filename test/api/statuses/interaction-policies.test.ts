import { beforeEach, describe, expect, it } from 'vitest'
import * as z from 'zod'
import { as } from '../../support/as'
import { given, type TestAccount } from '../../support/given'
import { relation } from '../../support/given-relationships'
import { storedStatus } from '../../support/given-stored'

const Posted = z.looseObject({ id: z.string() })

let alice: TestAccount
let stranger: TestAccount
let follower: TestAccount
let named: TestAccount

beforeEach(async () => {
  const people = await given.accounts(4)
  const [first, second, third, fourth] = people
  if (!first || !second || !third || !fourth) throw new Error('four people were asked for')
  alice = first
  stranger = second
  follower = third
  named = fourth
  await relation.follow(follower, alice)
})

async function post(fields: Record<string, unknown>) {
  const body = { status: `@${named.username} look`, ...fields }
  return Posted.parse((await as(alice).post('/api/v1/statuses', body)).body)
}

const answer = async (by: TestAccount, id: string) =>
  (await as(by).post('/api/v1/statuses', { status: 'an answer', in_reply_to_id: id })).status
const reblog = async (by: TestAccount, id: string) =>
  (await as(by).post(`/api/v1/statuses/${id}/reblog`)).status

describe.each([
  ['reply_policy', answer],
  ['reblog_policy', reblog],
] as const)('a status with %s', (key, interact) => {
  it('followers is for followers, mentioned accounts and its author', async () => {
    const { id, ...shown } = await post({ [key]: 'followers' })
    expect(shown[key]).toBe('followers')
    expect(await interact(stranger, id)).toBe(403)
    for (const by of [follower, named, alice]) expect(await interact(by, id)).toBe(200)
  })

  it('mentioned is for mentioned accounts and its author', async () => {
    const { id } = await post({ [key]: 'mentioned' })
    for (const by of [stranger, follower]) expect(await interact(by, id)).toBe(403)
    for (const by of [named, alice]) expect(await interact(by, id)).toBe(200)
  })

  it('an interaction policy is for everybody by default and again after a change, and refuses an invalid policy', async () => {
    const { id, ...shown } = await post({})
    expect(shown).not.toHaveProperty(key)
    expect(await interact(stranger, id)).toBe(200)
    const narrowed = await as(alice).put(`/api/v1/statuses/${id}/interaction_policy`, { [key]: 'mentioned' })
    expect(narrowed.body).toMatchObject({ [key]: 'mentioned' })
    expect(await interact(follower, id)).toBe(403)
    expect((await as(alice).post('/api/v1/statuses', { status: 'x', [key]: 'friends' })).status).toBe(422)
  })

  it('applies to remote statuses too', async () => {
    const { id: accountId } = await given.remoteAccount()
    const policies = {
      reply_policy: { replyPolicy: 'followers' },
      reblog_policy: { reblogPolicy: 'followers' },
    } as const
    const id = String(await storedStatus({ accountId, local: false, ...policies[key] }))
    expect(await interact(stranger, id)).toBe(403)
    await relation.follow(stranger, { id: accountId })
    expect(await interact(stranger, id)).toBe(200)
  })
})
