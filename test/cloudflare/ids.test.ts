import { env } from 'cloudflare:workers'
import { expect, it } from 'vitest'
import { wire } from '../../src/wire'

it('gives different ids to requests of one isolate in the same millisecond', () => {
  const clock = { now: () => new Date('2026-11-01T12:00:00Z'), sleep: () => Promise.resolve() }
  const lifetime = { waitUntil: () => undefined }
  const ids = Array.from({ length: 500 }, () => wire(env, lifetime, { clock }).ids.next())
  expect(new Set(ids).size).toBe(500)
})
