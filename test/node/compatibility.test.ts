import { readdirSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import * as z from 'zod'

const document = readFileSync('docs/operate/compatibility.md', 'utf8')
const { devDependencies } = z
  .object({ devDependencies: z.record(z.string(), z.string()) })
  .parse(JSON.parse(readFileSync('package.json', 'utf8')))

it('names the versions of clients and servers that the tests run', () => {
  for (const [name, word] of [
    ['masto', 'masto.js | '],
    ['megalodon', 'megalodon | '],
    ['@fedify/fedify', 'made with Fedify '],
  ] as const)
    expect(document).toContain(`${word}${devDependencies[name]}`)
})

it('names every software whose documents the tests read, with its versions, and no other', () => {
  const read = new Map<string, Set<string>>()
  for (const file of readdirSync('test/wire')) {
    const [, name, version] = /^([a-z-]+?)-(\d[\d.]*)-.*\.json$/.exec(file) ?? []
    if (name === undefined || version === undefined || name === 'relay') continue
    read.set(name, (read.get(name) ?? new Set()).add(version))
  }
  const listed = [...document.matchAll(/^- ([A-Za-z ]+) (\d[\d., ]*)$/gm)].map(
    ([, name = '', versions = '']) =>
      `${name.toLowerCase().replaceAll(' ', '-')} ${versions.split(', ').toSorted().join(' ')}`,
  )
  const expected = [...read].map(([name, versions]) => `${name} ${[...versions].toSorted().join(' ')}`)
  expect(expected.length).toBeGreaterThan(10)
  expect(listed.toSorted()).toEqual(expected.toSorted())
})
