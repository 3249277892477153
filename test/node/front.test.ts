import { describe, expect, it } from 'vitest'
import { asOnPlatform, lastAddress } from '../../scripts/lib/front/requests.mjs'

const origin = 'https://social.example.org'

function given(
  address: string,
  headers: Readonly<Record<string, string>>,
  addresses: 'forwarded' | 'local' | 'given' = 'forwarded',
) {
  const request = asOnPlatform(new Request(address, { headers }), { origin, addresses })
  return request === null
    ? null
    : { url: request.url, ip: request.headers.get('cf-connecting-ip'), headers: [...request.headers.keys()] }
}

describe('requests on a machine of one’s own', () => {
  it('requests have the address that the proxy saw, and none that the visitor wrote', () => {
    const headers = { 'CF-Connecting-IP': '198.51.100.9', 'X-Forwarded-For': '198.51.100.8, 203.0.113.7' }
    const made = given(`http://social.example.org/a?b=c`, headers)
    expect(made).toEqual({ url: `${origin}/a?b=c`, ip: '203.0.113.7', headers: ['cf-connecting-ip'] })
  })

  it('forward no header of the platform, of Miniflare or of other proxies', () => {
    const forged = {
      'CF-Ray': '1',
      'MF-CF-Blob': '{}',
      'MF-Original-URL': 'https://other.example',
      'X-Real-IP': '198.51.100.9',
      'True-Client-IP': '198.51.100.9',
      Forwarded: 'for=198.51.100.9',
      'X-Forwarded-Proto': 'http',
      'X-Forwarded-For': '2001:db8::7',
      Accept: 'text/html',
    }
    expect(given('http://social.example.org/', forged)).toEqual({
      url: `${origin}/`,
      ip: '2001:db8::7',
      headers: ['accept', 'cf-connecting-ip'],
    })
  })

  it('requests are refused where the proxy does not name the client, or names none', () => {
    expect(given('http://social.example.org/', {})).toBeNull()
    expect(given('http://social.example.org/', { 'CF-Connecting-IP': '198.51.100.9' })).toBeNull()
    expect(given('http://social.example.org/', { 'X-Forwarded-For': '203.0.113.7, unknown' })).toBeNull()
  })

  it('requests on a machine of one’s own come from the machine itself without a proxy', () => {
    for (const host of ['localhost:8787', '127.0.0.1:8787', '[::1]:8787'])
      expect(given(`http://${host}/health`, { 'CF-Connecting-IP': '198.51.100.9' })).toMatchObject({
        url: `${origin}/health`,
        ip: '127.0.0.1',
      })
  })

  it('requests on a machine of one’s own name no client where no proxy is in front', () => {
    const forged = { 'CF-Connecting-IP': '198.51.100.9', 'X-Forwarded-For': '198.51.100.9' }
    expect(given('http://localhost:8787/', forged, 'local')?.ip).toBe('127.0.0.1')
  })

  it('requests on a machine of one’s own keep another host, for the server to refuse', () => {
    expect(given('http://other.example/a', { 'X-Forwarded-For': '203.0.113.7' })?.url).toBe(
      'https://other.example/a',
    )
  })

  it('requests on a machine of one’s own keep method, body and upgrade', async () => {
    const order = { method: 'POST', body: 'text', headers: { upgrade: 'websocket' } }
    const request = asOnPlatform(new Request('http://localhost:8787/', order), {
      origin,
      addresses: 'local',
    })
    expect(request?.method).toBe('POST')
    expect(await request?.text()).toBe('text')
    expect(request?.headers.get('upgrade')).toBe('websocket')
  })
})

describe('lastAddress', () => {
  it('reads the addresses that proxies write', () => {
    expect(lastAddress('203.0.113.7:443')).toBe('203.0.113.7')
    expect(lastAddress('198.51.100.8,  [2001:db8::7]:443')).toBe('2001:db8::7')
    expect(lastAddress('[2001:db8::7]')).toBe('2001:db8::7')
    for (const wrong of ['', ' ', 'unknown', '_hidden', '203.0.113', 'a.b.c.d', '203.0.113.7, '])
      expect(lastAddress(wrong)).toBeNull()
  })
})
