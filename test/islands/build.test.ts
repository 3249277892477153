import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { buildIslands } from '../../scripts/lib/islands.mjs'

const built = await buildIslands('test/islands/sample')
const named = (name: string) => {
  const found = built.find((script) => script.name === name)
  if (found === undefined) throw new Error(`${name} was not built`)
  return found
}

describe('a script that renders', () => {
  it('a script that renders contains hono/jsx/dom and its licence in at most 8 KiB', () => {
    const { text, isEntry, parts } = named('counter.js')
    expect(isEntry).toBe(true)
    expect(text).toContain('hono: MIT License')
    const texts = [text, ...parts.map((part) => named(part).text)]
    expect(texts.reduce((sum, one) => sum + gzipSync(one).byteLength, 0)).toBeLessThan(8 * 1024)
  })
})

it('a part that is imported later is not preloaded', () => {
  const { parts, later } = named('later.js')
  expect(later).toHaveLength(1)
  expect(parts).not.toContain(later[0])
  expect(built.filter(({ isEntry }) => isEntry).map(({ name }) => name)).toEqual(['counter.js', 'later.js'])
})
