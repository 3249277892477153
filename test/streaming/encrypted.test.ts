import { describe, expect, it } from 'vitest'
import { CryptoEncryptedMessage } from '../../src/contract/entities/crypto'
import { as } from '../support/as'
import { encryptedMessageTo, givenDevice, type TestDevice } from '../support/given-device'
import { relation } from '../support/given-relationships'
import { eventSource, openStreamSocket } from '../support/streaming'
import { settleLateWork } from '../support/test-app'

async function deliver(from: TestDevice, ...letters: readonly object[]) {
  const answer = await as(from.token).post('/api/v1/crypto/deliveries', { device: letters })
  await settleLateWork()
  return answer
}

/** Encrypted messages that wait for a device, oldest first. */
async function waitingFor({ token }: TestDevice) {
  const { body } = await as(token).get('/api/v1/crypto/encrypted_messages')
  return CryptoEncryptedMessage.array().parse(body).toReversed()
}

describe('an encrypted message to a device', () => {
  it('an encrypted message to a device is an encrypted_message on the user stream of its token, and of no other [T-724]', async () => {
    const [alice, phone] = [await givenDevice(), await givenDevice()]
    const laptop = await givenDevice(phone.owner)
    const sockets = {
      phone: await openStreamSocket(phone.token, { stream: 'user' }),
      laptop: await openStreamSocket(laptop.token, { stream: 'user' }),
      other: await openStreamSocket(phone.owner, { stream: 'user' }),
      sender: await openStreamSocket(alice.token, { stream: 'user' }),
    }
    expect(
      (await deliver(alice, encryptedMessageTo(phone, 'one'), encryptedMessageTo(phone, 'two'))).status,
    ).toBe(200)
    const heard = [await sockets.phone.next(), await sockets.phone.next()]
    expect(heard.map(({ stream, event }) => [stream, event])).toEqual([
      [['user'], 'encrypted_message'],
      [['user'], 'encrypted_message'],
    ])
    expect(heard.map(({ payload }) => JSON.parse(payload ?? ''))).toEqual(await waitingFor(phone))
    await deliver(alice, encryptedMessageTo(laptop, 'three'))
    expect(JSON.parse((await sockets.laptop.next()).payload ?? '')).toMatchObject({ body: 'three' })
    for (const socket of Object.values(sockets)) {
      expect(await socket.rest()).toEqual([])
      socket.close()
    }
  })

  it('an encrypted message to a device is an event of event sources as well', async () => {
    const [alice, phone] = [await givenDevice(), await givenDevice()]
    const source = await eventSource(phone.token, '/user')
    await deliver(alice, encryptedMessageTo(phone))
    const [waiting] = await waitingFor(phone)
    expect(await source.lines(3)).toEqual([
      ':)',
      'event: encrypted_message',
      `data: ${JSON.stringify(waiting)}`,
    ])
    await source.leave()
  })

  it('an encrypted message to a device is on no other stream, and a refused one is never published', async () => {
    const [alice, phone, stranger] = [await givenDevice(), await givenDevice(), await givenDevice()]
    await relation.block(phone.owner, stranger.owner)
    const notices = await openStreamSocket(phone.token, { stream: 'user:notification' })
    const own = await openStreamSocket(phone.token, { stream: 'user' })
    expect((await deliver(stranger, encryptedMessageTo(phone))).status).toBe(404)
    expect((await deliver(alice, encryptedMessageTo(phone, 'first'))).status).toBe(200)
    expect(JSON.parse((await own.next()).payload ?? '')).toMatchObject({ body: 'first' })
    for (const socket of [notices, own]) {
      expect(await socket.rest()).toEqual([])
      socket.close()
    }
  })

  it('costs the sender no more round trips with a subscriber', async () => {
    const [alice, phone] = [await givenDevice(), await givenDevice()]
    const alone = (await deliver(alice, encryptedMessageTo(phone))).costs
    const socket = await openStreamSocket(phone.token, { stream: 'user' })
    const heard = (await deliver(alice, encryptedMessageTo(phone))).costs
    expect(await socket.next()).toMatchObject({ event: 'encrypted_message' })
    for (const { trips } of [alone, heard]) expect(trips).toBeLessThanOrEqual(2)
    socket.close()
  })
})
