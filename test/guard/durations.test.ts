import { existsSync } from 'node:fs'
import { expect, it } from 'vitest'
import durations from '../data/durations.json' with { type: 'json' }

it('every file in test/data/durations.json exists: rename it there too, or leave it out', () => {
  expect(Object.keys(durations).filter((path) => !existsSync(path))).toEqual([])
})
