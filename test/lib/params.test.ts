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

  it('keeps line breaks as typed, though forms send CR LF', async () => {
    const form = new FormData()
    form.set('note', typed)
    expect(await plainParams(post(form))).toEqual({ note: typed })
    const fields = new URLSearchParams({ note: 'Sings.\r\nLoudly.' })
    expect(await plainParams(post(fields))).toEqual({ note: typed })
  })

  it('keeps line breaks in JSON', async () => {
    const body = JSON.stringify({ note: 'a\r\nb' })
    expect(await plainParams(post(body, 'application/json'))).toEqual({ note: 'a\nb' })
  })
})

describe('texts of a request', () => {
  const controls = Array.from({ length: 0xa0 }, (_, code) => String.fromCharCode(code)).filter((character) =>
    /\p{Cc}/u.test(character),
  )
  const [sent, kept] = [`a${controls.join('')}b`, 'a\t\nb']

  it('removes control characters except tab and line feed, from any nesting and format', async () => {
    const fields = { note: sent, options: [sent], meta: { deep: [{ text: sent }] } }
    const clean = { note: kept, options: [kept], meta: { deep: [{ text: kept }] } }
    expect(await plainParams(post(JSON.stringify(fields), 'application/json'))).toEqual(clean)
    const names = ['note', 'options[]', 'meta[deep][][text]']
    const pairs = new URLSearchParams(names.map((name) => [name, sent]))
    expect(await plainParams(post(pairs))).toEqual(clean)
    expect(await plainParams(new Request(`https://fieldfare.test/?${pairs}`))).toEqual(clean)
    const form = new FormData()
    for (const name of names) form.set(name, sent)
    form.set('file', new Blob([new Uint8Array([0, 13, 10, 127])]))
    expect(await plainParams(post(form))).toEqual({ ...clean, file: new Uint8Array([0, 13, 10, 127]) })
  })

  it('refuses endlessly nested JSON', async () => {
    const body = `{"a":${'['.repeat(100_000)}${']'.repeat(100_000)}}`
    await expect(plainParams(post(body, 'application/json'))).rejects.toThrow('nested too deeply')
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

  it('reads the body of a GET as JSON with a token, as Mastodon.py sends lists of ids', async () => {
    expect(await plainParams(get(bearing, '{"id":["1"]}'))).toEqual({ a: 'b', id: ['1'] })
  })

  it('ignores the body of a GET for anonymous visitors, whose responses are cached by their URL', async () => {
    expect(await plainParams(get(json, '{"a":"c"}'))).toEqual({ a: 'b' })
  })

  it('does not read the body of a GET as a form', async () => {
    const form = { ...bearing, 'Content-Type': 'application/x-www-form-urlencoded' }
    expect(await plainParams(get(form, 'a=c'))).toEqual({ a: 'b' })
  })
})

describe('a body of bare JSON text', () => {
  const headers = { 'Content-Type': 'application/json' }
  const send = (method: string, body: string) =>
    plainParams(new Request('https://fieldfare.test/?a=b', { method, headers, body }))

  it('ignores bare JSON text where something is deleted, because masto.js sends the id again', async () => {
    expect(await send('DELETE', '"3"')).toEqual({ a: 'b' })
  })

  it.each(['POST', 'PUT', 'PATCH', 'DELETE'])('a body of bare JSON text ignores null: %s', async (method) => {
    expect(await send(method, 'null')).toEqual({ a: 'b' })
  })

  it.each([
    ['POST', '"3"'],
    ['DELETE', '["3"]'],
    ['DELETE', '3'],
    ['DELETE', '"3'],
  ])(
    'refuses bare JSON text otherwise, and everything that is not an object: %s %s',
    async (method, body) => {
      await expect(send(method, body)).rejects.toMatchObject({ status: 400 })
    },
  )
})
