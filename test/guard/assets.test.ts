import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import { expect, it } from 'vitest'
import { bundleIslands } from '../../scripts/islands/bundle.mjs'
import { assetVersions } from '../../src/lib/asset-versions'
import { sourceFiles } from './source'

const folder = 'public/assets'
const versionOf = (name: string) =>
  createHash('sha256')
    .update(readFileSync(`${folder}/${name}`))
    .digest('hex')
    .slice(0, 10)

it('the address of each file of public/assets contains its version: run npm run assets', () => {
  const found = readdirSync(folder).toSorted()
  expect(Object.fromEntries(found.map((name) => [name, versionOf(name)]))).toEqual(assetVersions)
})

it('bundled scripts are those of scripts/islands and their libraries: run npm run assets', async () => {
  const bundled = await bundleIslands()
  expect(bundled.map(({ name }) => name)).toEqual(['challenge.js'])
  for (const { name, text } of bundled) expect(readFileSync(`${folder}/${name}`, 'utf8')).toBe(text)
  for (const { text } of bundled) expect(gzipSync(text).byteLength).toBeLessThan(30 * 1024)
})

it('no file is named by another address: use assetPath() of lib/assets', () => {
  const naming = sourceFiles('src').filter(
    ({ path, text }) => text.includes('/assets/') && !path.startsWith('src/lib/asset'),
  )
  expect(naming.map(({ path }) => path)).toEqual([])
})
