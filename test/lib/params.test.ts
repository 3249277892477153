import { describe, expect, it } from 'vitest'
import { plainParams } from '../support/plain-bodies'

function post(body: BodyInit, type?: string): Request {
  return new Request('https://fieldfare.test/', {
    method: 'POST',
    body,
    headers: type === undefined ? {} : { 'Content-Type': type },
  })
}

describe('line breaks of a body', () => {
  const typed = 'Sings.\nLoudly.'

  it('are the ones typed, though forms send CR LF', async () => {
    const form = new FormData()
    form.set('note', typed)
    expect(await plainParams(post(form))).toEqual({ note: typed })
    const fields = new URLSearchParams({ note: 'Sings.\r\nLoudly.' })
    expect(await plainParams(post(fields))).toEqual({ note: typed })
  })

  it('stay as they are in JSON', async () => {
    const body = JSON.stringify({ note: 'a\r\nb' })
    expect(await plainParams(post(body, 'application/json'))).toEqual({ note: 'a\r\nb' })
  })
})

describe('the body of a GET', () => {
  const json = { 'Content-Type': 'application/json' }
  const bearing = { ...json, Authorization: 'Bearer token' }

  /** The platform receives such requests and lets no program make them. */
  function get(headers: Record<string, string>, body: string): Request {
    const request = new Request('https://fieldfare.test/?a=b', { method: 'POST', headers, body })
    return Object.defineProperty(request, 'method', { value: 'GET' })
  }

  it('is read as JSON with a token, as Mastodon.py sends lists of ids', async () => {
    expect(await plainParams(get(bearing, '{"id":["1"]}'))).toEqual({ a: 'b', id: ['1'] })
  })

  it('is not read for anonymous visitors, whose answers are cached by their URL', async () => {
    expect(await plainParams(get(json, '{"a":"c"}'))).toEqual({ a: 'b' })
  })

  it('is not read as a form', async () => {
    const form = { ...bearing, 'Content-Type': 'application/x-www-form-urlencoded' }
    expect(await plainParams(get(form, 'a=c'))).toEqual({ a: 'b' })
  })
})

describe('a body of bare JSON text', () => {
  const headers = { 'Content-Type': 'application/json' }
  const send = (method: string, body: string) =>
    plainParams(new Request('https://fieldfare.test/?a=b', { method, headers, body }))

  it('is ignored where something is deleted: masto.js sends the id once more', async () => {
    expect(await send('DELETE', '"3"')).toEqual({ a: 'b' })
  })

  it.each(['POST', 'PUT', 'PATCH', 'DELETE'])('is ignored where it is null: %s', async (method) => {
    expect(await send(method, 'null')).toEqual({ a: 'b' })
  })

  it.each([
    ['POST', '"3"'],
    ['DELETE', '["3"]'],
    ['DELETE', '3'],
    ['DELETE', '"3'],
  ])('is refused otherwise, as is everything that is no object: %s %s', async (method, body) => {
    await expect(send(method, body)).rejects.toMatchObject({ status: 400 })
  })
})
