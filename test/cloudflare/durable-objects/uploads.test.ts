import { abortAllDurableObjects } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { uploadsOf } from '../../../src/cloudflare/uploads'
import { mediaAttachments } from '../../../src/db/schema'
import { Unavailable } from '../../../src/errors'
import { as } from '../../support/as'
import { given, type TestAccount } from '../../support/given'
import { formOf } from '../../support/given-media'
import { mediaFile } from '../../support/media'
import { context } from '../../support/test-app'

/** The object itself: elsewhere the app of tests stands for it, with the ports of tests. */
const objects = uploadsOf(env, { add: () => undefined })

/** A form with one picture, in two halves. */
async function halvesOfForm() {
  const form = new Response(formOf({ file: mediaFile('rgb.png') }))
  const type = form.headers.get('content-type') ?? ''
  const bytes = new Uint8Array(await form.arrayBuffer())
  return { type, halves: [bytes.slice(0, 200), bytes.slice(200)] as const, length: bytes.length }
}

/** An upload whose second half is sent by the test, and its answer. */
async function begin(by: TestAccount) {
  const { type, halves, length } = await halvesOfForm()
  const { readable, writable } = new FixedLengthStream(length)
  const writer = writable.getWriter()
  const request = new Request(`${env.ORIGIN}/api/v2/media`, {
    method: 'POST',
    headers: { 'content-type': type, authorization: `Bearer ${by.token}` },
    body: readable,
  })
  const answer = objects.answer(by.id, request)
  const begun = writer.write(halves[0]).catch(() => undefined)
  return {
    answer,
    /** Settles when the object has read the first half. */
    begun,
    finish: () =>
      void writer
        .write(halves[1])
        .then(() => writer.close())
        .catch(() => undefined),
    breakOff: () => writer.abort(new Error('gone')).catch(() => undefined),
  }
}

const stored = async (by: TestAccount) =>
  (await context().db.select().from(mediaAttachments).where(eq(mediaAttachments.accountId, by.id))).length

describe('the object for uploads', () => {
  it('the object for uploads answers like the Worker', async () => {
    const alice = await given.account()
    const { answer, finish } = await begin(alice)
    finish()
    const response = await answer
    expect(response.status).toBe(200)
    expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8')
    const { id } = await response.json<{ id: string }>()
    expect((await as(alice).get(`/api/v1/media/${id}`)).body).toMatchObject({ id, type: 'image' })
  })

  it('leaves limits to the Worker, which has counted the request', async () => {
    const alice = await given.account()
    const { answer, finish } = await begin(alice)
    finish()
    expect((await answer).headers.get('x-ratelimit-limit')).toBeNull()
  })

  it('reads one upload of an account at a time, in order, and those of others concurrently', async () => {
    const [alice, bob] = [await given.account(), await given.account()]
    const order: string[] = []
    const first = await begin(alice)
    const second = await begin(alice)
    const other = await begin(bob)
    const noted = (name: string, answer: Promise<Response>) =>
      answer.then(({ status }) => void order.push(`${name} ${status}`))
    const all = [noted('first', first.answer), noted('second', second.answer), noted('other', other.answer)]
    second.finish()
    other.finish()
    await all[2]
    first.finish()
    await Promise.all(all)
    expect(order).toEqual(['other 200', 'first 200', 'second 200'])
  })

  it('refuses uploads while eight wait, and accepts them afterwards', async () => {
    const alice = await given.account()
    const first = await begin(alice)
    const waiting = await Promise.all(Array.from({ length: 8 }, () => begin(alice)))
    const refused = await (await begin(alice)).answer
    expect(refused.status).toBe(503)
    expect(refused.headers.get('retry-after')).toBe('10')
    expect(await refused.json()).toEqual({ error: 'This server is busy. Please try again in a moment' })
    for (const { finish } of [first, ...waiting]) finish()
    const answers = await Promise.all([first, ...waiting].map(({ answer }) => answer))
    expect(answers.map(({ status }) => status)).toEqual(Array(9).fill(200))
    const again = await begin(alice)
    again.finish()
    expect((await again.answer).status).toBe(200)
  })

  it('keeps nothing of an interrupted body, and accepts the next', async () => {
    const alice = await given.account()
    const broken = await begin(alice)
    const next = await begin(alice)
    await broken.begun
    await broken.breakOff()
    const refused = await broken.answer
    expect(refused.status).toBe(400)
    expect(await refused.json()).toEqual({ error: 'The request body ends early' })
    next.finish()
    expect((await next.answer).status).toBe(200)
    expect(await stored(alice)).toBe(1)
  })

  it('reports an object ended in between, and keeps nothing', async () => {
    const alice = await given.account()
    const { answer, begun } = await begin(alice)
    const failure = answer.catch((reason: unknown) => reason)
    await begun
    await abortAllDurableObjects()
    expect(await failure).toBeInstanceOf(Unavailable)
    expect(await stored(alice)).toBe(0)
    const again = await begin(alice)
    again.finish()
    expect((await again.answer).status).toBe(200)
  })
})
