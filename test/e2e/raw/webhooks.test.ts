import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import * as z from 'zod'
import { WebhookDelivery } from '../../../src/contract/entities/admin/webhook'
import { HurriedInstance } from '../support/hurried/instance'
import { type Answers, eventually, isSigned, type ReceivedRequest, Receiver } from '../support/receiver'

const Added = z.object({ id: z.string(), secret: z.string() })
const Log = z.array(WebhookDelivery)
const Payload = z.strictObject({
  event: z.string(),
  created_at: z.iso.datetime(),
  object: z.looseObject({ id: z.string(), content: z.string() }),
})

const webhooks = '/api/fieldfare/v1/admin/webhooks'

let receiver: Receiver
let instance: HurriedInstance
let alice: string
const hooks: string[] = []

beforeAll(async () => {
  receiver = await Receiver.open()
  instance = await HurriedInstance.open(receiver.host)
  alice = await instance.member('alice')
})

afterEach(async () => {
  for (const id of hooks.splice(0)) await instance.operate('DELETE', `${webhooks}/${id}`, {})
})

afterAll(async () => {
  await instance?.close()
  await receiver?.close()
})

/** A webhook at a path of the receiver. An isolate learns of it within a minute; a change makes it forget at once. */
async function add(path: string, answers?: Answers) {
  const url = receiver.url(path, answers)
  const body = { url, events: ['status.created'] }
  const added = Added.parse(await instance.operate('POST', webhooks, body))
  hooks.push(added.id)
  return added
}

async function logOf(id: string): Promise<readonly WebhookDelivery[]> {
  return Log.parse(await instance.operate('GET', `${webhooks}/${id}/deliveries`, {}))
}

const payloadOf = ({ bytes }: ReceivedRequest) => Payload.parse(JSON.parse(bytes.toString()))
const deliveryOf = ({ headers }: ReceivedRequest) => headers['x-fieldfare-delivery']
const delaysOf = (deliveryId: string) =>
  instance
    .reports()
    .flatMap((one) =>
      one.kind === 'retry' && JSON.stringify(one.body).includes(`:${deliveryId}}`) ? [one.delaySeconds] : [],
    )

describe('a receiver on a real socket', () => {
  it('receives a signed event once, after four failures', async () => {
    const { id, secret } = await add('/flaky', (nth) => (nth <= 4 ? 500 : 200))
    const statusId = await instance.post(alice, 'Grüße aus der Hecke 🐦')
    const requests = await eventually(() => {
      expect(receiver.at('/flaky').map(({ status }) => status)).toEqual([500, 500, 500, 500, 200])
      return receiver.at('/flaky')
    })
    const [first] = requests
    if (first === undefined) throw new Error('No request')
    expect(requests.every((request) => isSigned(request, secret))).toBe(true)
    expect(new Set(requests.map(({ bytes }) => bytes.toString())).size).toBe(1)
    expect(first.headers).toMatchObject({
      'content-type': 'application/json',
      'x-fieldfare-event': 'status.created',
    })
    expect(payloadOf(first)).toMatchObject({
      event: 'status.created',
      object: { id: statusId, content: '<p>Grüße aus der Hecke 🐦</p>' },
    })
    const [delivery] = await eventually(async () => {
      const log = await logOf(id)
      expect(log).toMatchObject([{ state: 'delivered', attempts: 5, http_status: 200, error: null }])
      return log
    })
    expect(new Set(requests.map(deliveryOf))).toEqual(new Set([delivery?.id]))
    await eventually(() => expect(delaysOf(delivery?.id ?? '')).toEqual([60, 300, 1_800, 7_200]))

    // The next event comes by itself: the delivered one is not repeated.
    await instance.post(alice, 'Another')
    await eventually(() => expect(receiver.at('/flaky').length).toBeGreaterThan(5))
    expect(receiver.at('/flaky').filter((request) => deliveryOf(request) === delivery?.id)).toHaveLength(5)
  })

  it('a receiver that never answers leaves its delivery in the dead-letter queue and in the log', async () => {
    const { id, secret } = await add('/silent', () => 0)
    await instance.post(alice, 'Is anybody there?')
    const dead = await eventually(() => {
      const letters = instance.reports().filter(({ kind }) => kind === 'dead')
      expect(letters).toHaveLength(1)
      return letters
    })
    expect(receiver.at('/silent')).toHaveLength(9)
    expect(receiver.at('/silent').every((request) => isSigned(request, secret))).toBe(true)
    const [delivery] = await logOf(id)
    expect(delivery).toMatchObject({ state: 'failed', attempts: 9, http_status: null })
    expect(delivery?.error).toMatch(/^No answer within/)
    expect(dead).toMatchObject([{ body: { kind: 'deliver-webhook', deliveryId: Number(delivery?.id) } }])
    expect(delaysOf(delivery?.id ?? '')).toEqual([60, 300, 1_800, 7_200, 21_600, 43_200, 43_200, 43_200])
  })

  it('receives deliveries pending when the instance was killed', async () => {
    let isHeld = true
    const { id, secret } = await add('/held', () => (isHeld ? 0 : 200))
    const posted = [await instance.post(alice, 'In flight')]
    await eventually(() => expect(receiver.at('/held')).toHaveLength(1))
    for (const text of ['Behind it', 'Just before']) posted.push(await instance.post(alice, text))
    await instance.kill()
    isHeld = false

    const sixteenMinutes = 16 * 60
    await instance.start(sixteenMinutes)
    const delivered = await eventually(async () => {
      await instance.runPeriodicTasks()
      const answered = receiver.at('/held').filter(({ status }) => status === 200)
      expect(new Set(answered.map((request) => payloadOf(request).object.id))).toEqual(new Set(posted))
      return answered
    })
    expect(delivered.every((request) => isSigned(request, secret))).toBe(true)
    await eventually(async () =>
      expect((await logOf(id)).map(({ state }) => state)).toEqual(posted.map(() => 'delivered')),
    )
  })
})
