import { beforeEach, describe, expect, it } from 'vitest'
import { as } from '../support/as'
import { given, type Somebody } from '../support/given'
import { relation } from '../support/given-relationships'
import { listens, Switchboard, silence } from '../support/listening'

const board = new Switchboard()

beforeEach(async () => {
  await silence()
  board.forget()
})

/** The status as it is answered to somebody now. */
async function readBy(reader: Somebody, id: string) {
  return (await as(reader).get(`/api/v1/statuses/${id}`)).body
}

async function post(author: Somebody, body: Readonly<Record<string, unknown>>): Promise<string> {
  const { status, body: made } = await as(author).post('/api/v1/statuses', body)
  expect(status).toBe(200)
  return String(Reflect.get(Object(made), 'id'))
}

async function pair(): Promise<readonly [Somebody, Somebody]> {
  const [author, follower] = [await given.account(), await given.account()]
  await relation.follow(follower, author)
  return [author, follower]
}

describe('a status', () => {
  it('is an update on the home stream of followers and of its author, as each of them reads it', async () => {
    const [author, follower] = await pair()
    const stranger = await given.account()
    for (const person of [author, follower, stranger]) await listens(person, 'user')
    const id = await post(author, { status: 'A wren.', poll: { options: ['a', 'b'], expires_in: 3600 } })
    for (const person of [author, follower])
      expect(await board.toldTo(person)).toMatchObject([
        { event: 'update', channels: ['user'], body: await readBy(person, id) },
      ])
    expect(await board.toldTo(stranger)).toEqual([])
  })
})
