import { describe, expect, it } from 'vitest'
import { readParams } from '../../src/lib/params'

function post(body: BodyInit, type?: string): Request {
  return new Request('https://fieldfare.test/', {
    ...{ method: 'POST', body },
    headers: type === undefined ? {} : { 'Content-Type': type },
  })
}

describe('line breaks of a body', () => {
  const typed = 'Sings.\nLoudly.'

  it('are the ones typed, though forms send CR LF', async () => {
    const form = new FormData()
    form.set('note', typed)
    expect(await readParams(post(form), {})).toEqual({ note: typed })
    const fields = new URLSearchParams({ note: 'Sings.\r\nLoudly.' })
    expect(await readParams(post(fields), {})).toEqual({ note: typed })
  })

  it('stay as they are in JSON', async () => {
    const body = JSON.stringify({ note: 'a\r\nb' })
    expect(await readParams(post(body, 'application/json'), {})).toEqual({ note: 'a\r\nb' })
  })
})

describe('a body of bare JSON text', () => {
  const headers = { 'Content-Type': 'application/json' }
  const send = (method: string, body: string) =>
    readParams(new Request('https://fieldfare.test/?a=b', { method, headers, body }), {})

  it('says nothing where something is deleted: masto.js sends the id once more', async () => {
    expect(await send('DELETE', '"3"')).toEqual({ a: 'b' })
  })

  it.each([
    ['POST', '"3"'],
    ['DELETE', '["3"]'],
    ['DELETE', '3'],
    ['DELETE', '"3'],
  ])('is refused elsewhere, as is all that is no object: %s %s', async (method, body) => {
    await expect(send(method, body)).rejects.toMatchObject({ status: 400 })
  })
})
