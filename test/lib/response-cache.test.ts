import { describe, expect, it } from 'vitest'
import { ResponseCache } from '../../src/lib/response-cache'

const at = (seconds: number) => new Date(1_800_000_000_000 + seconds * 1000)
const responseOf = (body: string) => ({ body, headers: { 'content-type': 'text/plain' }, isCounted: true })
const source = { tables: ['accounts'], position: 1, readAt: at(0), seconds: 5 }
const isCurrent = () => true

describe('cached responses', () => {
  it('finds a response for its seconds, counted from the moment it was read', () => {
    const cache = new ResponseCache()
    cache.set('a', responseOf('x'), source)
    expect(cache.get('a', at(4.999), isCurrent)?.body).toBe('x')
    expect(cache.get('a', at(5), isCurrent)).toBeNull()
    expect(cache.bytes).toBe(0)
  })

  it('expires a response when the clock is turned back', () => {
    const cache = new ResponseCache()
    cache.set('a', responseOf('x'), source)
    expect(cache.get('a', at(-1), isCurrent)).toBeNull()
  })

  it('checks the sources of a response, and drops it where they changed', () => {
    const cache = new ResponseCache()
    cache.set('a', responseOf('x'), source)
    expect(cache.get('a', at(1), ({ tables, position }) => tables[0] === 'users' || position > 1)).toBeNull()
    expect(cache.get('a', at(1), isCurrent)).toBeNull()
  })

  it('limits the cache in bytes, and drops the least recently used first', () => {
    const cache = new ResponseCache({ bytes: 10_000, entryBytes: 4_000 })
    cache.set('used', responseOf('x'), source)
    for (let index = 0; index < 1_000; index += 1) {
      cache.set(`made up ${index}`, responseOf('y'.repeat(500)), source)
      expect(cache.get('used', at(1), isCurrent)?.body).toBe('x')
      expect(cache.bytes).toBeLessThanOrEqual(10_000)
    }
    expect(cache.get('made up 0', at(1), isCurrent)).toBeNull()
    expect(cache.get('made up 999', at(1), isCurrent)).not.toBeNull()
  })

  it('counts a replaced response once, and refuses one that is too large', () => {
    const cache = new ResponseCache({ bytes: 10_000, entryBytes: 4_000 })
    cache.set('a', responseOf('x'), source)
    const once = cache.bytes
    cache.set('a', responseOf('y'), source)
    expect(cache.bytes).toBe(once)
    cache.set('large', responseOf('y'.repeat(4_000)), source)
    expect(cache.bytes).toBe(once)
    expect(cache.get('large', at(1), isCurrent)).toBeNull()
  })
})
