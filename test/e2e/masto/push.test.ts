import { Buffer } from 'node:buffer'
import { createServer, type IncomingMessage, type Server } from 'node:http'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { hangLimit } from '../../support/hang-limit'
import { type Pushed, pushReader } from '../../support/push-reader'
import { call } from '../support/http'
import { mastoFailure, mastoOf } from '../support/masto'
import { aliceAndBob, type Person } from '../support/people'

/** A push service of our own on a real socket: what comes to `/NAME` is kept under that name. */
const arrived = new Map<string, { readonly headers: Headers; readonly body: Buffer }[]>()
const gone = new Set<string>()
let service: Server

beforeAll(async () => {
  service = createServer(async (request, response) => {
    const body = Buffer.concat(await Array.fromAsync(request))
    const name = (request.url ?? '').slice(1)
    arrived.set(name, [...(arrived.get(name) ?? []), { headers: headersOf(request), body }])
    response.writeHead(gone.has(name) ? 410 : 201).end()
  })
  await new Promise<void>((resolve) => {
    service.listen(inject('pushPort'), '127.0.0.1', resolve)
  })
})
afterAll(() => {
  service.closeAllConnections()
  service.close()
})

function headersOf({ headers }: IncomingMessage): Headers {
  return new Headers(
    Object.entries(headers).flatMap(([name, value]) => (typeof value === 'string' ? [[name, value]] : [])),
  )
}

/** Polling, which only a hang ends. */

let made = 0
/** Lets what somebody is told of arrive at the service, as a phone would. */
async function listen(person: Person, standard: boolean) {
  made += 1
  const name = `phone${made}`
  const reader = pushReader(standard)
  const endpoint = `http://127.0.0.1:${inject('pushPort')}/${name}`
  const subscribed = await call('/api/v1/push/subscription', {
    method: 'POST',
    headers: { Authorization: `Bearer ${person.token}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({
      subscription: { endpoint, keys: reader.keys, standard },
      data: { alerts: { mention: true, favourite: true } },
    }),
  })
  expect(subscribed.status).toBe(200)
  return {
    endpoint,
    end: () => gone.add(name),
    async pushed(count: number): Promise<readonly Pushed[]> {
      await expect.poll(() => arrived.get(name)?.length ?? 0, hangLimit).toBeGreaterThanOrEqual(count)
      return (arrived.get(name) ?? []).map(({ headers, body }) => reader.read(headers, body))
    },
  }
}

describe('a pushed notification', () => {
  it.each([
    ['the standard', true],
    ['the draft', false],
  ])('a push goes through the queue to the push service in the form of %s', async (_, standard) => {
    const { alice, bob, asAlice, asBob } = await aliceAndBob(mastoOf)
    const phone = await listen(alice, standard)
    const { id } = await asAlice.v1.statuses.create({ status: 'Hark' })
    await asBob.v1.accounts.$select(alice.id).follow()
    await asBob.v1.statuses.$select(id).favourite()
    await asBob.v1.statuses.create({ status: `${alice.acct} I hear` })
    const pushed = await phone.pushed(2)
    const told = pushed.map(({ message }) => [message.notification_type, message.body]).toSorted()
    expect(told).toEqual([
      ['favourite', 'Hark'],
      ['mention', `${alice.acct} I hear`],
    ])
    const [first] = pushed
    const instance = await asAlice.v2.instance.fetch()
    expect(first?.serverKey).toBe(instance.configuration.vapid.publicKey)
    expect(first?.claims.aud).toBe(new URL(phone.endpoint).origin)
    expect(first?.message.access_token).toBe(alice.token)
    const opened = asAlice.v1.notifications.$select(String(first?.message.notification_id))
    expect(await opened.fetch()).toMatchObject({ account: { id: bob.id } })
  })

  it('a push is the last where the service answers that the subscription is gone', async () => {
    const { alice, asAlice, asBob } = await aliceAndBob(mastoOf)
    const phone = await listen(alice, true)
    expect(await asAlice.v1.push.subscription.fetch()).toMatchObject({ endpoint: phone.endpoint })
    phone.end()
    await asBob.v1.statuses.create({ status: `${alice.acct} I hear` })
    expect(await phone.pushed(1)).toHaveLength(1)
    await expect
      .poll(async () => {
        const subscription = asAlice.v1.push.subscription.fetch()
        return (await mastoFailure(subscription)).statusCode
      }, hangLimit)
      .toBe(404)
  })
})
