import { beforeAll, describe, expect, it } from 'vitest'
import { endpoints } from '../../src/api'
import type { Endpoint } from '../../src/api/endpoint'
import { allScopes } from '../../src/domain/sessions/scopes'
import { anonymous, as } from '../support/as'
import { Browser } from '../support/browser'
import { checkEach } from '../support/check-each'
import { call } from '../support/every-endpoint'
import { given, type TestAccount } from '../support/given'
import { givenOwner } from '../support/given-staff'
import { context, fetchApp } from '../support/test-app'
import { freshAddress } from './support/gate'

const origin = 'https://fieldfare.test'
const writing = endpoints.filter(({ method }) => method !== 'GET')
const name = ({ method, path }: Endpoint) => `${method} ${path}`

/** A body that notes whether any of it was read. */
function watchedBody() {
  const state = { isRead: false }
  const stream = new ReadableStream({
    type: 'bytes',
    pull(controller) {
      state.isRead = true
      controller.enqueue(bytes(10))
    },
  })
  return { stream, state }
}

const bytes = (length: number) => new Uint8Array(length).fill(120)

function file(length: number): FormData {
  const form = new FormData()
  form.set('file', new File([bytes(length)], 'film.mp4'))
  return form
}

describe('a body', () => {
  let alice: TestAccount
  beforeAll(async () => {
    alice = await given.account({ scopes: allScopes.join(' ') })
  })

  it.each<[who: string, token: () => Promise<string>, status: number]>([
    ['who holds no such token', async () => crypto.randomUUID(), 401],
    ['whose token may not', async () => (await given.account({ scopes: 'read' })).token, 403],
    ['who waits to be let in', async () => (await given.account({ user: { approved: false } })).token, 403],
    ['who is an application', async () => given.token({ scopes: allScopes.join(' ') }), 422],
  ])('a body is not read where it is %s', async (_who, token, status) => {
    for (const path of ['/api/v2/media', '/api/v1/statuses']) {
      const { stream, state } = watchedBody()
      const headers = { authorization: `Bearer ${await token()}`, 'content-length': '57000000' }
      const request = new Request(origin + path, { method: 'POST', headers, body: stream })
      expect((await fetchApp(request)).response.status).toBe(status)
      expect(state.isRead).toBe(false)
    }
  })

  it('a body is not read where a delivery is not signed', async () => {
    const { stream, state } = watchedBody()
    const headers = { 'content-type': 'application/activity+json' }
    const request = new Request(`${origin}/inbox`, { method: 'POST', headers, body: stream })
    expect((await fetchApp(request)).response.status).toBe(401)
    expect(state.isRead).toBe(false)
  })

  it('a body is limited to a mebibyte for an endpoint without files', async () => {
    const [owner, app] = [await givenOwner(), await given.token({ scopes: allScopes.join(' ') })]
    const fileless = writing.filter(({ takesFiles }) => takesFiles !== true)
    await checkEach(fileless, { name }, async (endpoint) => {
      const { kind } = endpoint.auth
      const caller = kind === 'staff' ? owner : kind === 'app' ? app : alice
      const path = endpoint.path.replaceAll(/:\w+/g, '1')
      expect((await call(caller, endpoint, path, file(1_100_000))).status).toBe(413)
    })
  })

  it('a body can have a few mebibytes for an endpoint with files, as files alone', async () => {
    const owner = await givenOwner()
    const taking = writing.filter(({ takesFiles }) => takesFiles === true)
    await checkEach(taking, { name }, async (endpoint) => {
      const caller = endpoint.auth.kind === 'staff' ? owner : alice
      const path = endpoint.path.replaceAll(/:\w+/g, '1')
      expect((await call(caller, endpoint, path, file(3_000_000))).status).not.toBe(413)
      const text = { description: 'x'.repeat(1_100_000) }
      expect((await call(caller, endpoint, path, text)).status).toBe(413)
    })
  })

  it.each(['/api/v1/apps', '/oauth/token', '/oauth/revoke'])(
    'a body is short without a token: %s',
    async (path) => {
      const body = new URLSearchParams({ client_name: 'x'.repeat(66_000) })
      expect(await anonymous.post(path, body)).toMatchObject({
        status: 413,
        body: { error: 'The request body is too large' },
      })
    },
  )

  it('a body is short for a form before sign-in', async () => {
    const page = await new Browser().post('/auth/sign_in', { username: 'x'.repeat(66_000) })
    expect(page.status).toBe(413)
  })

  it('too long to search for a token counts as without one', async () => {
    expect((await anonymous.post('/api/v2/media', file(100_000))).status).toBe(401)
  })
})

describe('concurrent bodies', () => {
  const delivery = {
    'content-type': 'application/activity+json',
    signature: 'keyId="https://x.test/k",signature="AA=="',
  }
  const overrides = { config: context().config }

  function deliver(ip: string, body: BodyInit) {
    const headers = { ...delivery, 'cf-connecting-ip': ip }
    return fetchApp(new Request(`${origin}/inbox`, { method: 'POST', headers, body }), overrides)
  }

  it('reserve a limited amount for one network, and others are still read', async () => {
    const [here, elsewhere] = [freshAddress(), freshAddress()]
    const { readable, writable } = new IdentityTransformStream()
    const [waiting, writer] = [deliver(here, readable), writable.getWriter()]
    // Settles once all of it was read; the body does not end with it.
    await writer.write(bytes(900_000))
    const { response } = await deliver(here, bytes(900_000))
    expect([response.status, response.headers.get('retry-after')]).toEqual([503, '10'])
    expect((await deliver(elsewhere, bytes(900_000))).response.status).toBe(401)
    await writer.close()
    expect((await waiting).response.status).toBe(401)
    // Memory that a request held is released in the turn after the answer.
    await new Promise((resolve) => setTimeout(resolve, 0))
    expect((await deliver(here, bytes(900_000))).response.status).toBe(401)
  })

  it('release their reservation when they are interrupted', async () => {
    const here = freshAddress()
    const { readable, writable } = new IdentityTransformStream()
    const [waiting, writer] = [deliver(here, readable), writable.getWriter()]
    await writer.write(bytes(900_000))
    await writer.abort(new Error('gone'))
    expect((await waiting).response.status).toBe(400)
    expect((await deliver(here, bytes(900_000))).response.status).toBe(401)
  })
})

describe('a token in a body', () => {
  const text = 'Sent by an old program.'

  it.each<[form: string, bodyOf: (fields: Record<string, string>) => BodyInit, type: string | null]>([
    ['a form', (fields) => new URLSearchParams(fields), null],
    ['JSON', (fields) => JSON.stringify(fields), 'application/json'],
    [
      'multipart',
      (fields) => {
        const form = new FormData()
        for (const [name, value] of Object.entries(fields)) form.set(name, value)
        return form
      },
      null,
    ],
  ])('a token in a body is as good as one in a header: %s', async (_form, bodyOf, type) => {
    const { token, username } = await given.account()
    const send = async (access_token: string) => {
      const headers: HeadersInit = type === null ? {} : { 'content-type': type }
      const body = bodyOf({ access_token, status: text })
      const request = new Request(`${origin}/api/v1/statuses`, { method: 'POST', headers, body })
      const { response } = await fetchApp(request)
      return { status: response.status, body: await response.json() }
    }
    expect(await send(token)).toMatchObject({ status: 200, body: { account: { username } } })
    expect(await send('no-such-token')).toMatchObject({ status: 401 })
  })

  it('a token in a body is ignored where a header or the query has one', async () => {
    const [alice, bob] = [await given.account(), await given.account()]
    const answer = await as(alice).post('/api/v1/statuses', { access_token: bob.token, status: text })
    expect(answer.body).toMatchObject({ account: { username: alice.username } })
  })
})
