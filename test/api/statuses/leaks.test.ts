import { eq } from 'drizzle-orm'
import { beforeAll, describe, expect, it } from 'vitest'
import { endpoints } from '../../../src/api'
import type { Endpoint } from '../../../src/api/endpoint'
import { Status } from '../../../src/contract/entities/status'
import { accounts, bookmarks, favourites, homeEntries, statuses } from '../../../src/db/schema'
import { as, type TestResponse } from '../../support/as'
import { given, type TestAccount } from '../../support/given'
import { relation } from '../../support/given-relationships'
import { storedStatus } from '../../support/given-stored'
import { clock, context } from '../../support/test-app'

/** Every endpoint that takes the id of a status or a poll, called by those who must not know that it exists. */

const secret = 'nightjar'
const poll = {
  options: [`${secret} a`, `${secret} b`],
  expiresInSeconds: 3_600,
  multiple: false,
  hideTotals: false,
}

const ofStatus = endpoints.filter(({ path }) => /^\/api\/v\d\/(pleroma\/)?statuses\/:id(\/|$)/.test(path))
const ofPoll = endpoints.filter(({ path }) => /^\/api\/v\d\/polls\/:id(\/|$)/.test(path))
const name = ({ method, path }: Endpoint) => `${method} ${path}`

interface Hidden {
  readonly statusId: string
  readonly pollId: string
}

/** Each way in which a status is none of somebody's business. */
const situations: Readonly<Record<string, (viewer: TestAccount) => Promise<Hidden>>> = {
  "a stranger's private status": async () => hide(await given.account(), 'private'),
  "a stranger's direct status": async () => hide(await given.account(), 'direct'),
  'a public status of somebody who blocks the viewer': async (viewer) => {
    const author = await given.account()
    await relation.block(author, viewer)
    return hide(author, 'public')
  },
  'a direct status that names the viewer, by somebody who blocks them': async (viewer) => {
    const author = await given.account()
    await relation.block(author, viewer)
    return hide(author, 'direct', `@${viewer.username}`)
  },
  'a public status of a suspended author': async () => {
    const author = await given.account()
    const hidden = await hide(author, 'public')
    await context().db.update(accounts).set({ suspendedAt: clock.now() }).where(eq(accounts.id, author.id))
    return hidden
  },
}

async function hide(by: TestAccount, visibility: Status['visibility'], name = ''): Promise<Hidden> {
  const { id } = await given.status({ by, visibility, poll, text: `${secret} ${name}`, spoilerText: secret })
  const { poll: made } = Status.parse((await as(by).get(`/api/v1/statuses/${id}`)).body)
  return { statusId: id, pollId: made?.id ?? '' }
}

function call(viewer: TestAccount, endpoint: Endpoint, id: string): Promise<TestResponse> {
  const path = endpoint.path.replace(':id', id)
  const body = { choices: [0], status: 'changed', quote_approval_policy: 'public', lang: 'en' }
  switch (endpoint.method) {
    case 'GET':
      return as(viewer).get(path)
    case 'POST':
      return as(viewer).post(path, body)
    case 'PUT':
      return as(viewer).put(path, body)
    case 'PATCH':
      return as(viewer).patch(path, body)
    case 'DELETE':
      return as(viewer).delete(path)
  }
}

const tells = (answer: TestResponse) => JSON.stringify(answer.body).includes(secret)

it('finds the endpoints to request', () => {
  expect(ofStatus.length).toBeGreaterThanOrEqual(16)
  expect(ofPoll).toHaveLength(2)
})

describe.each(Object.entries(situations))('%s', (_, make) => {
  let viewer: TestAccount
  let hidden: Hidden
  beforeAll(async () => {
    viewer = await given.account()
    hidden = await make(viewer)
  })

  const cases = [
    ...ofStatus.map((endpoint) => ({ endpoint, id: () => hidden.statusId })),
    ...ofPoll.map((endpoint) => ({ endpoint, id: () => hidden.pollId })),
  ]
  for (const { endpoint, id } of cases)
    it(`the hidden status is missing for ${name(endpoint)}`, async () => {
      expect(await call(viewer, endpoint, id())).toMatchObject({
        status: 404,
        body: { error: 'Record not found' },
      })
    })

  it('the hidden status is missing as a reblog by a visible account', async () => {
    const sharer = await given.account()
    const reblog = await storedStatus({ accountId: sharer.id, reblogOfId: Number(hidden.statusId) })
    for (const endpoint of ofStatus)
      expect((await call(viewer, endpoint, String(reblog))).status, name(endpoint)).toBe(404)
  })

  it('accepts no reply, and is in no list of statuses', async () => {
    const id = Number(hidden.statusId)
    const { db, ids } = context()
    await db.insert(homeEntries).values({ accountId: viewer.id, statusId: id })
    await db.insert(favourites).values({ id: ids.next(), accountId: viewer.id, statusId: id })
    await db.insert(bookmarks).values({ id: ids.next(), accountId: viewer.id, statusId: id })
    const answered = await as(viewer).post('/api/v1/statuses', {
      status: 'x',
      in_reply_to_id: hidden.statusId,
    })
    expect(answered.status).toBe(404)
    const lists = ['timelines/home', 'favourites', 'bookmarks', `statuses?id[]=${hidden.statusId}`]
    for (const list of lists) expect((await as(viewer).get(`/api/v1/${list}`)).body, list).toEqual([])
    for (const undo of ['unfavourite', 'unbookmark']) {
      const answer = await as(viewer).post(`/api/v1/statuses/${hidden.statusId}/${undo}`)
      expect(answer.status).toBe(200)
      expect(tells(answer), undo).toBe(false)
    }
  })

  it('the hidden status is in no thread around it', async () => {
    const [above, below] = [await given.account(), await given.account()]
    const parent = await storedStatus({ accountId: above.id })
    const { db } = context()
    await db
      .update(statuses)
      .set({ inReplyToId: parent })
      .where(eq(statuses.id, Number(hidden.statusId)))
    const child = await storedStatus({ accountId: below.id, inReplyToId: Number(hidden.statusId) })
    for (const id of [parent, child]) {
      const answer = await as(viewer).get(`/api/v1/statuses/${id}/context`)
      expect(answer.status).toBe(200)
      expect(tells(answer)).toBe(false)
    }
  })
})
