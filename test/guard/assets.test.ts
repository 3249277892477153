import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { assetVersions } from '../../src/lib/asset-versions'
import { sourceFiles } from './source'

const folder = 'public/assets'
const versionOf = (name: string) =>
  createHash('sha256')
    .update(readFileSync(`${folder}/${name}`))
    .digest('hex')
    .slice(0, 10)

it('the address of each file of public/assets carries its version: run npm run assets', () => {
  const found = readdirSync(folder).toSorted()
  expect(Object.fromEntries(found.map((name) => [name, versionOf(name)]))).toEqual(assetVersions)
})

it('nothing names such a file but by that address: use assetPath() of lib/assets', () => {
  const naming = sourceFiles('src').filter(
    ({ path, text }) => text.includes('/assets/') && !path.startsWith('src/lib/asset'),
  )
  expect(naming.map(({ path }) => path)).toEqual([])
})
