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
