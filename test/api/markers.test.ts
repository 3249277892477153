import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { Marker } from '../../src/contract/entities/timelines'
import { as } from '../support/as'
import { given } from '../support/given'
import { clock } from '../support/test-app'

const Home = z.object({ home: Marker })

const at = (version: number, lastReadId: number) => ({
  last_read_id: String(lastReadId),
  version,
  updated_at: clock.now().toISOString(),
})

describe('GET markers', () => {
  it('returns only requested and existing keys, and otherwise {} [T-377]', async () => {
    const alice = await given.account()
    const read = async (query = '') => (await as(alice).get(`/api/v1/markers${query}`)).body
    expect(await read('?timeline[]=home')).toEqual({})
    await as(alice).post('/api/v1/markers', { home: { last_read_id: '7' } })
    expect(await read('?timeline[]=home&timeline[]=notifications')).toEqual({ home: at(1, 7) })
    expect(await read('?timeline[]=notifications')).toEqual({})
    expect(await read('?timeline[]=elsewhere')).toEqual({})
    expect(await read()).toEqual({})
  })

  it('costs one round trip', async () => {
    const alice = await given.account()
    const { costs } = await as(alice).get('/api/v1/markers?timeline[]=home')
    expect(costs.trips).toBeLessThanOrEqual(1)
  })
})

describe('POST markers', () => {
  it('accepts form and JSON, and the version grows by one with each write [T-378]', async () => {
    const alice = await given.account()
    const form = new URLSearchParams({ 'home[last_read_id]': '5', 'notifications[last_read_id]': '9' })
    const first = await as(alice).post('/api/v1/markers', form)
    expect(first.body).toEqual({ home: at(1, 5), notifications: at(1, 9) })
    expect(first.costs.trips).toBeLessThanOrEqual(3)
    clock.advance(1_000)
    const second = await as(alice).post('/api/v1/markers', { home: { last_read_id: 3 } })
    expect(second.body).toEqual({ home: at(2, 3) })
    const third = await as(alice).post('/api/v1/markers', { home: { last_read_id: '4' } })
    expect(third.body).toEqual({ home: at(3, 4) })
  })

  it('ignores an unknown timeline, and one without a position [T-379]', async () => {
    const alice = await given.account()
    const sent = { elsewhere: { last_read_id: '1' }, home: {}, notifications: 'text' }
    expect(await as(alice).post('/api/v1/markers', sent)).toMatchObject({ status: 200, body: {} })
    const all = await as(alice).get('/api/v1/markers?timeline[]=home&timeline[]=notifications')
    expect(all.body).toEqual({})
  })

  it('refuses an invalid position, and saves neither timeline', async () => {
    const alice = await given.account()
    await as(alice).post('/api/v1/markers', { home: { last_read_id: '5' } })
    for (const last_read_id of ['x', '5x', '-1', -1, 1.5, '9'.repeat(20), {}, ['5'], true]) {
      const answer = await as(alice).post('/api/v1/markers', {
        notifications: { last_read_id: '9' },
        home: { last_read_id },
      })
      expect(answer, JSON.stringify(last_read_id)).toMatchObject({
        status: 422,
        body: { error: expect.stringMatching(/^Validation failed: Home last read id /) },
      })
    }
    const all = await as(alice).get('/api/v1/markers?timeline[]=home&timeline[]=notifications')
    expect(all.body).toEqual({ home: at(1, 5) })
  })

  it('keeps the markers of other accounts', async () => {
    const [alice, bob] = [await given.account(), await given.account()]
    await as(alice).post('/api/v1/markers', { home: { last_read_id: '5' } })
    const answer = await as(bob).post('/api/v1/markers', { home: { last_read_id: '6' } })
    expect(answer.body).toEqual({ home: at(1, 6) })
    expect((await as(alice).get('/api/v1/markers?timeline[]=home')).body).toEqual({ home: at(1, 5) })
  })

  it('accepts concurrent writes: each gets its own version, and the last one stays [T-380]', async () => {
    const alice = await given.account()
    const writes = Array.from({ length: 4 }, (_, index) =>
      as(alice).post('/api/v1/markers', { home: { last_read_id: String(index + 1) } }),
    )
    const answers = await Promise.all(writes)
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200))
    const written = answers.map(({ body }) => Home.parse(body).home)
    expect(written.map(({ version }) => version).toSorted()).toEqual([1, 2, 3, 4])
    const last = await as(alice).get('/api/v1/markers?timeline[]=home')
    expect(last.body).toEqual({ home: written.find(({ version }) => version === 4) })
  })

  it('costs one round trip beside that for the token', async () => {
    const alice = await given.account()
    const { costs } = await as(alice).post('/api/v1/markers', { home: { last_read_id: '1' } })
    expect(costs.trips).toBe(2)
  })
})
