import { describe, expect, it } from 'vitest'
import { Status } from '../../../src/contract/entities/status'
import { as } from '../../support/as'
import { idsOf } from '../../support/body-ids'
import { freshName, given, type TestAccount } from '../../support/given'
import { relation } from '../../support/given-relationships'
import { clock } from '../../support/test-app'

async function post(by: TestAccount, key: string, status = 'Once'): Promise<string> {
  const headers = { 'Idempotency-Key': key }
  return Status.parse((await as(by).post('/api/v1/statuses', { status }, { headers })).body).id
}

const home = async (who: TestAccount) => idsOf(await as(who).get('/api/v1/timelines/home'))

describe('POST statuses with an Idempotency-Key', () => {
  it('returns the first status again within the hour, and posts no second [T-537]', async () => {
    const alice = await given.account()
    const first = await post(alice, 'a key')
    clock.advance(59 * 60_000)
    expect(await post(alice, 'a key', 'Changed')).toBe(first)
    expect(await home(alice)).toEqual([first])
    expect(await post(alice, 'another key')).not.toBe(first)
  })

  it('posts again after the hour, and then repeats the new one', async () => {
    const alice = await given.account()
    const first = await post(alice, 'a key')
    clock.advance(3_600_000)
    const second = await post(alice, 'a key')
    expect(second).not.toBe(first)
    expect(await post(alice, 'a key')).toBe(second)
  })

  it('belongs to one account', async () => {
    const [alice, bob] = [await given.account(), await given.account()]
    const key = freshName('key')
    expect(await post(alice, key)).not.toBe(await post(bob, key))
  })

  it('creates one status for two concurrent requests, entering feeds once', async () => {
    const [alice, fan] = [await given.account(), await given.account()]
    await relation.follow(fan, alice)
    const [one, two, three] = await Promise.all([post(alice, 'k'), post(alice, 'k'), post(alice, 'k')])
    expect([two, three]).toEqual([one, one])
    expect(await home(fan)).toEqual([one])
    expect((await as(alice).get(`/api/v1/accounts/${alice.id}`)).body).toMatchObject({ statuses_count: 1 })
  })

  it('posts again when the first status was deleted', async () => {
    const alice = await given.account()
    const first = await post(alice, 'a key')
    await as(alice).delete(`/api/v1/statuses/${first}`)
    expect(await post(alice, 'a key')).not.toBe(first)
  })
})
