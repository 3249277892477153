import { expect, vi } from 'vitest'
import * as z from 'zod'
import { Account, Relationship } from '../../../../src/contract/entities/account'
import { Notification } from '../../../../src/contract/entities/notification'
import { Status } from '../../../../src/contract/entities/status'
import type { Person } from './instance'

type Body = Readonly<Record<string, unknown>>

const Statuses = z.array(Status)

/** API calls of a person on their own server. Every answer is validated by the contract; anything but 2xx fails. */
export function as(person: Person) {
  async function call<S extends z.ZodType>(method: string, path: string, schema: S, body?: Body) {
    const answer = await send(person, method, path, body)
    const text = await answer.text()
    if (!answer.ok)
      throw new Error(`${method} ${path} at ${person.instance.domain}: ${answer.status} ${text}`)
    return schema.parse(JSON.parse(text))
  }
  const get = <S extends z.ZodType>(path: string, schema: S) => call('GET', path, schema)
  const post = <S extends z.ZodType>(path: string, schema: S, body: Body = {}) =>
    call('POST', path, schema, body)
  const act = (id: string, verb: string, body?: Body) => post(`/api/v1/statuses/${id}/${verb}`, Status, body)
  const account = (id: string, verb: string) => post(`/api/v1/accounts/${id}/${verb}`, Relationship)

  return {
    get,
    post,
    act,
    put: <S extends z.ZodType>(path: string, schema: S, body: Body) => call('PUT', path, schema, body),
    patch: <S extends z.ZodType>(path: string, schema: S, body: Body) => call('PATCH', path, schema, body),
    remove: (path: string) => call('DELETE', path, z.strictObject({})),
    status: (id: string) => get(`/api/v1/statuses/${id}`, Status),
    /** The status of an answer, for what is not there. */
    async outcome(path: string): Promise<number> {
      const answer = await send(person, 'GET', path)
      await answer.arrayBuffer()
      return answer.status
    },
    write: (text: string, more: Body = {}) => post('/api/v1/statuses', Status, { status: text, ...more }),
    erase: (id: string) => call('DELETE', `/api/v1/statuses/${id}`, z.looseObject({ id: z.literal(id) })),
    home: () => get('/api/v1/timelines/home?limit=40', Statuses),
    /** With what waits because strangers did it. */
    notifications: () => get('/api/v1/notifications?limit=40&include_filtered=true', z.array(Notification)),
    statusesOf: (id: string) => get(`/api/v1/accounts/${id}/statuses?limit=40`, Statuses),
    followers: (id: string) => get(`/api/v1/accounts/${id}/followers`, z.array(Account)),
    /** Finds somebody by handle, elsewhere if need be. */
    async find(handle: string) {
      const query = new URLSearchParams({ q: `@${handle}`, resolve: 'true', limit: '1' })
      const [found] = await get(`/api/v1/accounts/search?${query}`, z.array(Account))
      if (found === undefined) throw new Error(`${person.handle} does not find ${handle}`)
      return found
    },
    follow: (id: string) => account(id, 'follow'),
    unfollow: (id: string) => account(id, 'unfollow'),
    block: (id: string) => account(id, 'block'),
    unblock: (id: string) => account(id, 'unblock'),
    async relationship(id: string) {
      const [found] = await get(`/api/v1/accounts/relationships?id[]=${id}`, z.array(Relationship))
      if (found === undefined) throw new Error(`No relationship of ${person.handle} to ${id}`)
      return found
    },
    /** The status with this address among what came to the home timeline. */
    async received(uri: string) {
      const all = await this.home()
      return all.find((status) => status.uri === uri) ?? null
    },
  }
}

function send({ instance, token }: Person, method: string, path: string, body?: Body): Promise<Response> {
  return instance.fetch(path, {
    method,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
}

/** Tries until `look` no longer throws: between servers everything takes a moment. */
export function eventually<T>(look: () => Promise<T>): Promise<T> {
  return vi.waitFor(look, { timeout: 60_000, interval: 100 })
}

/** Polls until `look` returns something other than null and undefined. */
export function arrival<T>(look: () => Promise<T | null | undefined>): Promise<T> {
  return eventually(async () => {
    const found = await look()
    if (found === null || found === undefined) throw new Error('It did not arrive')
    return found
  })
}

/** Lets `follower` follow somebody elsewhere until both sides know; answers the id of who is followed. */
export async function follows(follower: Person, followed: Person): Promise<string> {
  const { id } = await as(follower).find(followed.handle)
  await as(follower).follow(id)
  await eventually(async () => expect(await as(follower).relationship(id)).toMatchObject({ following: true }))
  return id
}
