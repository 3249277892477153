import { eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { accessTokens, encryptedMessages } from '../../src/db/schema'
import { unseal } from '../../src/lib/sealing'
import { as } from '../support/as'
import { given, type TestAccount } from '../support/given'
import {
  encryptedMessageTo,
  givenDevice,
  publicKey,
  type TestDevice,
  unknownDevice,
} from '../support/given-device'
import { relation } from '../support/given-relationships'
import { clock, context } from '../support/test-app'

/** End-to-end encryption between devices of this server, as Mastodon 3.2 had it. */

const at = (path: string) => `/api/v1/crypto/${path}`
const upload = (device: TestDevice, changes: object = {}) =>
  as(device.token).post(at('keys/upload'), { device: { ...device.device, ...changes } })
const count = (device: TestDevice) => as(device.token).get(at('keys/count'))
const deliver = (from: TestDevice, ...letters: readonly object[]) =>
  as(from.token).post(at('deliveries'), { device: letters })
const claim = (by: TestDevice, ...wanted: readonly TestDevice[]) =>
  as(by.token).post(at('keys/claim'), {
    device: wanted.map(({ owner, deviceId }) => ({ account_id: owner.id, device_id: deviceId })),
  })
const devicesOf = (asked: TestAccount, by: TestDevice) =>
  as(by.token).post(at('keys/query'), { id: [asked.id] })

const Messages = z.array(z.looseObject({ id: z.string(), body: z.string(), message_franking: z.string() }))
async function waiting(device: TestDevice, query = '') {
  const { body, links } = await as(device.token).get(at(`encrypted_messages${query}`))
  const messages = Messages.parse(body)
  return { messages, bodies: messages.map((message) => message.body), links }
}

describe('keys/upload', () => {
  it('makes the token a device, with one-time keys counted by keys/count [T-271]', async () => {
    const device = await unknownDevice()
    const one_time_keys = [await device.oneTimeKey('a'), await device.oneTimeKey('b')]
    const answer = await as(device.token).post(at('keys/upload'), { device: device.device, one_time_keys })
    expect(answer).toMatchObject({ status: 200, body: device.device })
    expect(answer.costs.trips).toBeLessThanOrEqual(2)
    expect((await count(device)).body).toEqual({ one_time_keys: 2 })
    expect((await devicesOf(device.owner, device)).body).toEqual([
      { account_id: String(device.owner.id), devices: [device.device] },
    ])
  })

  it('accepts a form as contemporary clients sent it, and names an unnamed device', async () => {
    const device = await unknownDevice()
    const key = await device.oneTimeKey('a')
    const { name, fingerprint_key, identity_key } = device.device
    const form = new URLSearchParams({
      'device[name]': name,
      'device[fingerprint_key]': fingerprint_key,
      'device[identity_key]': identity_key,
      'one_time_keys[][key_id]': key.key_id,
      'one_time_keys[][key]': key.key,
      'one_time_keys[][signature]': key.signature,
    })
    const answer = await as(device.token).post(at('keys/upload'), form)
    expect(answer.body).toMatchObject({ name, device_id: expect.stringMatching(/^\d+$/) })
    expect((await count(device)).body).toEqual({ one_time_keys: 1 })
  })

  it('keeps keys and messages of a renamed device', async () => {
    const [device, other] = [await givenDevice(undefined, 2), await givenDevice()]
    await deliver(other, encryptedMessageTo(device))
    expect((await upload(device, { name: 'Tablet' })).body).toMatchObject({ name: 'Tablet' })
    expect((await count(device)).body).toEqual({ one_time_keys: 2 })
    expect((await waiting(device)).bodies).toEqual(['sealed'])
  })

  it.each([
    ['identity key', () => ({ identity_key: publicKey() })],
    ['fingerprint key', () => ({ fingerprint_key: publicKey() })],
    ['id', () => ({ device_id: 'ANOTHER' })],
  ])('deletes the one-time keys and messages of a device whose %s changed [T-272]', async (_, changes) => {
    const [device, other] = [await givenDevice(undefined, 2), await givenDevice()]
    await deliver(other, encryptedMessageTo(device))
    expect((await upload(device, changes())).status).toBe(200)
    expect((await count(device)).body).toEqual({ one_time_keys: 0 })
    expect((await waiting(device)).bodies).toEqual([])
  })

  it('an account has one device per token, and one per name of a user [T-273]', async () => {
    const phone = await givenDevice()
    const tablet = await givenDevice(phone.owner)
    const names = async () => {
      const found = z
        .array(z.object({ devices: z.array(z.object({ device_id: z.string() })) }))
        .parse((await devicesOf(phone.owner, phone)).body)
      return found.flatMap(({ devices }) => devices.map(({ device_id }) => device_id))
    }
    expect(await names()).toEqual([phone.deviceId, tablet.deviceId])
    await upload(tablet, { device_id: 'LAPTOP' })
    expect(await names()).toEqual([phone.deviceId, 'LAPTOP'])
    await upload(tablet, { device_id: phone.deviceId })
    expect(await names()).toEqual([phone.deviceId])
    expect((await count(phone)).status).toBe(404)
  })

  it.each([
    ['fingerprint_key', 'no key'],
    ['identity_key', btoa('too short')],
    ['identity_key', `${publicKey().slice(1)}!`],
  ])('an invalid %s → 422 [T-274]', async (field, value) => {
    const answer = await upload(await unknownDevice(), { [field]: value })
    expect(answer.status).toBe(422)
    expect(answer.body).toMatchObject({
      error: expect.stringContaining('is not a valid Ed25519 or Curve25519 key'),
    })
  })

  it('a one-time key whose signature does not verify → 422, and nothing is stored [T-275]', async () => {
    const [device, other] = [await unknownDevice(), await unknownDevice()]
    const [good, forged] = [await device.oneTimeKey('a'), await other.oneTimeKey('b')]
    const broken = { ...good, signature: 'no signature' }
    for (const last of [forged, broken, { ...good, key: 'no key' }]) {
      const body = { device: device.device, one_time_keys: [good, last] }
      const answer = await as(device.token).post(at('keys/upload'), body)
      expect(answer.status).toBe(422)
      expect(answer.body).toMatchObject({ error: expect.stringMatching(/is not a valid Ed25519/) })
    }
    expect((await count(device)).status).toBe(404)
  })

  it('keeps a hundred one-time keys and no more', async () => {
    const device = await givenDevice(undefined, 99)
    const add = async (...ids: readonly string[]) => {
      const one_time_keys = await Promise.all(ids.map(device.oneTimeKey))
      return (await as(device.token).post(at('keys/upload'), { device: device.device, one_time_keys })).status
    }
    expect(await add('x', 'y')).toBe(422)
    expect(await add('x')).toBe(200)
    expect((await count(device)).body).toEqual({ one_time_keys: 100 })
  })

  it('a revoked token deletes its device and pending messages', async () => {
    const [device, other] = [await givenDevice(undefined, 1), await givenDevice()]
    await deliver(other, encryptedMessageTo(device))
    const [{ id } = { id: '' }] = (await waiting(device)).messages
    await context().db.delete(accessTokens).where(eq(accessTokens.accountId, device.owner.id))
    expect((await devicesOf(device.owner, other)).body).toMatchObject([{ devices: [] }])
    const left = await context().db.$count(encryptedMessages, eq(encryptedMessages.id, Number(id)))
    expect([id, left]).toEqual([expect.stringMatching(/^\d+$/), 0])
  })
})

describe('keys/query', () => {
  it('answers for every account, and a remote one has no devices [T-276]', async () => {
    const [mine, remote] = [await givenDevice(), await given.remoteAccount()]
    const unconfirmed = await given.account({ user: { confirmedAt: null } })
    const gone = await given.account({ suspendedAt: clock.now() })
    const id = [mine.owner.id, remote.id, unconfirmed.id, gone.id, 1, 'x']
    const answer = await as(mine.token).post(at('keys/query'), { id })
    expect(answer.body).toEqual([
      { account_id: String(mine.owner.id), devices: [mine.device] },
      { account_id: String(remote.id), devices: [] },
    ])
    expect(answer.costs.trips).toBeLessThanOrEqual(1)
  })

  it('shows no device to accounts its owner blocks', async () => {
    const [mine, other] = [await givenDevice(undefined, 1), await givenDevice()]
    await relation.block(mine.owner, other.owner)
    expect((await devicesOf(mine.owner, other)).body).toEqual([
      { account_id: String(mine.owner.id), devices: [] },
    ])
    expect((await claim(other, mine)).body).toEqual([])
    expect((await deliver(other, encryptedMessageTo(mine))).status).toBe(404)
  })
})

describe('keys/claim', () => {
  it('uses one key of each device; none left → the entry is left out [T-277]', async () => {
    const [mine, full, empty] = [await givenDevice(), await givenDevice(undefined, 2), await givenDevice()]
    const Claimed = z.array(z.object({ account_id: z.string(), device_id: z.string(), key_id: z.string() }))
    const first = Claimed.parse((await claim(mine, full, empty)).body)
    const second = Claimed.parse((await claim(mine, full, empty)).body)
    const keys = [...first, ...second]
    expect(keys.map(({ key_id }) => key_id).toSorted()).toEqual(['key0', 'key1'])
    expect(new Set(keys.map(({ device_id }) => device_id))).toEqual(new Set([full.deviceId]))
    expect((await claim(mine, full, empty)).body).toEqual([])
    expect((await count(full)).body).toEqual({ one_time_keys: 0 })
  })

  it('gives each key out once, also to concurrent requests', async () => {
    const [mine, full] = [await givenDevice(), await givenDevice(undefined, 6)]
    const answers = await Promise.all(Array.from({ length: 5 }, () => claim(mine, full, full)))
    const keys = answers.flatMap(({ body }) => z.array(z.object({ key_id: z.string() })).parse(body))
    expect(keys).toHaveLength(6)
    expect(new Set(keys.map(({ key_id }) => key_id)).size).toBe(6)
  })
})

describe('keys/count', () => {
  it('keys/count without a device → 404 [T-278]', async () => {
    expect((await count(await unknownDevice())).status).toBe(404)
  })
})

describe('deliveries', () => {
  it('queue a message for each device, with its sender [T-279]', async () => {
    const [from, to, also] = [await givenDevice(), await givenDevice(), await givenDevice()]
    const answer = await deliver(from, encryptedMessageTo(to, 'one'), encryptedMessageTo(also, 'two'))
    expect(answer).toMatchObject({ status: 200, body: {} })
    expect(answer.costs.trips).toBeLessThanOrEqual(3)
    const { messages } = await waiting(to)
    expect(messages).toMatchObject([
      {
        account_id: String(from.owner.id),
        device_id: from.deviceId,
        type: 1,
        body: 'one',
        digest: 'signed',
        created_at: clock.now().toISOString(),
      },
    ])
    expect((await waiting(also)).bodies).toEqual(['two'])
    expect((await waiting(from)).bodies).toEqual([])
  })

  it('encrypted messages are signed so that this server recognises them', async () => {
    const [from, to] = [await givenDevice(), await givenDevice()]
    await deliver(from, encryptedMessageTo(to))
    const { messages } = await waiting(to)
    const said = await unseal(
      context().config.secrets,
      { kind: 'message franking', owner: to.owner.id },
      messages[0]?.message_franking ?? '',
    )
    expect(JSON.parse(new TextDecoder().decode(said))).toEqual({
      hmac: 'signed',
      from: from.owner.id,
      to: to.owner.id,
      at: clock.now().getTime(),
    })
  })

  it('no device → 400, no sender device → 404, an unknown one → 404, and nothing is delivered [T-280]', async () => {
    const [from, to] = [await givenDevice(), await givenDevice()]
    expect((await as(from.token).post(at('deliveries'), {})).status).toBe(400)
    expect((await deliver(from)).status).toBe(400)
    expect((await deliver(await unknownDevice(), encryptedMessageTo(to))).status).toBe(404)
    const unknown = { ...encryptedMessageTo(to), device_id: 'NOWHERE' }
    expect((await deliver(from, encryptedMessageTo(to), unknown)).status).toBe(404)
    expect((await waiting(to)).bodies).toEqual([])
  })

  it.each([
    ['without a body', { body: '' }],
    ['with one too long', { body: 'x'.repeat(16_385) }],
    ['without a type', { type: 'olm' }],
  ])('%s → 422', async (_, changes) => {
    const [from, to] = [await givenDevice(), await givenDevice()]
    expect((await deliver(from, { ...encryptedMessageTo(to), ...changes })).status).toBe(422)
  })

  it('encrypted deliveries reach 25 devices at most, and 500 can wait for one', async () => {
    const [from, to] = [await givenDevice(), await givenDevice()]
    const letters = (length: number) => Array.from({ length }, () => encryptedMessageTo(to))
    expect((await deliver(from, ...letters(26))).status).toBe(422)
    for (let sent = 0; sent < 500; sent += 25) expect((await deliver(from, ...letters(25))).status).toBe(200)
    expect((await deliver(from, encryptedMessageTo(to))).status).toBe(422)
    expect((await waiting(to, '?limit=500')).bodies).toHaveLength(160)
  })
})

describe('encrypted_messages', () => {
  it('lists messages newest first, 80 by default, with pages [T-281]', async () => {
    const [from, to] = [await givenDevice(), await givenDevice()]
    const bodies = Array.from({ length: 90 }, (_, index) => `message ${index}`)
    for (let sent = 0; sent < 90; sent += 15)
      await deliver(from, ...bodies.slice(sent, sent + 15).map((body) => encryptedMessageTo(to, body)))
    const first = await waiting(to)
    expect(first.bodies).toEqual(bodies.toReversed().slice(0, 80))
    expect((await waiting(to, new URL(first.links.next ?? '', 'https://x').search)).bodies).toEqual(
      bodies.toReversed().slice(80),
    )
    expect((await waiting(to, new URL(first.links.prev ?? '', 'https://x').search)).bodies).toEqual([])
  })

  it('clears messages up to the read one, older and equal [T-282]', async () => {
    const [from, to] = [await givenDevice(), await givenDevice()]
    for (const body of ['one', 'two', 'three']) await deliver(from, encryptedMessageTo(to, body))
    const { messages } = await waiting(to)
    const clear = await as(to.token).post(at('encrypted_messages/clear'), { up_to_id: messages[1]?.id })
    expect(clear).toMatchObject({ status: 200, body: {} })
    expect((await waiting(to)).bodies).toEqual(['three'])
    await as(from.token).post(at('encrypted_messages/clear'), { up_to_id: messages[0]?.id })
    expect((await waiting(to)).bodies).toEqual(['three'])
  })

  it('messages belong to a device: without one → 404', async () => {
    const { token } = await unknownDevice()
    expect((await as(token).get(at('encrypted_messages'))).status).toBe(404)
    expect((await as(token).post(at('encrypted_messages/clear'), { up_to_id: '1' })).status).toBe(404)
  })
})
