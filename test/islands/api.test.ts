import { afterEach, describe, expect, it, vi } from 'vitest'
import { callApi } from '../../src/islands/lib/api'

const answer = (body: string, init: ResponseInit = {}) => new Response(body, init)

/** Stands for the network; returns the calls made. */
function network(given: Response) {
  const fetch = vi.fn(async (_path: string, _init: RequestInit) => given)
  vi.stubGlobal('fetch', fetch)
  return () => fetch.mock.calls[0] ?? []
}

afterEach(() => {
  vi.unstubAllGlobals()
})

describe('a call of the API from a page', () => {
  it('sends the CSRF token to the same origin alone', async () => {
    const call = network(answer('{"id":"1"}', { headers: { 'Content-Type': 'application/json' } }))
    const answered = await callApi('token', '/api/v1/statuses', {
      method: 'POST',
      body: { status: 'Hello' },
      headers: { 'Idempotency-Key': 'once' },
    })
    expect(answered).toEqual({ status: 200, body: { id: '1' } })
    const [path, init] = call()
    expect(path).toBe('/api/v1/statuses')
    expect(init).toMatchObject({
      method: 'POST',
      mode: 'same-origin',
      credentials: 'same-origin',
      body: '{"status":"Hello"}',
      headers: {
        'X-CSRF-Token': 'token',
        'Content-Type': 'application/json',
        'Idempotency-Key': 'once',
      },
    })
  })

  it('leaves the type of a form to the browser', async () => {
    const call = network(answer('{}', { headers: { 'Content-Type': 'application/json' } }))
    const form = new FormData()
    await callApi('token', '/api/v2/media', { method: 'POST', body: form })
    const [, init] = call()
    expect(init?.body).toBe(form)
    expect(init?.headers).not.toHaveProperty('Content-Type')
  })

  it('gives refusals as answers, and nothing for what is not JSON', async () => {
    network(answer('{"error":"No"}', { status: 403, headers: { 'Content-Type': 'application/json' } }))
    expect(await callApi('token', '/api/v1/statuses')).toEqual({ status: 403, body: { error: 'No' } })
    network(answer('<html>', { status: 502, headers: { 'Content-Type': 'text/html' } }))
    expect(await callApi('token', '/api/v1/statuses')).toEqual({ status: 502, body: null })
    network(new Response(null, { status: 204 }))
    expect(await callApi('token', '/api/v1/statuses')).toEqual({ status: 204, body: null })
  })

  it('a call of the API from a page is null where the server cannot be reached, and fails loudly for anything else', async () => {
    vi.stubGlobal('fetch', vi.fn().mockRejectedValue(new TypeError('Failed to fetch')))
    expect(await callApi('token', '/api/v1/statuses')).toBeNull()
    vi.stubGlobal('fetch', vi.fn().mockRejectedValue(new DOMException('Stopped', 'AbortError')))
    await expect(callApi('token', '/api/v1/statuses')).rejects.toThrow('Stopped')
  })
})
