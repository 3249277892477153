import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { flows, routesWithoutFlow } from '../e2e/support/panel-flows'

it('every page and form of administration is clicked through in a browser', () => {
  expect(routesWithoutFlow()).toEqual([])
})

// The last test of each file compares what the browser was answered with this list.
it.each(Object.keys(flows))(
  'the flow %s has a test that opens all of its pages and sends all of its forms',
  (name) => {
    const text = readFileSync(`test/e2e/browser/administration-${name}.test.ts`, 'utf8')
    expect(text).toContain(
      `expect(routesOf('${name}').filter((route) => !panel.used.has(route))).toEqual([])`,
    )
  },
)
