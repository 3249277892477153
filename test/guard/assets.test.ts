import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { buildIslands, buildServiceWorker } from '../../scripts/lib/islands.mjs'
import { iconNames, sprite } from '../../scripts/sprite.mjs'
import { bundleStyle, sheets } from '../../scripts/styles.mjs'
import { assetVersions, islandParts } from '../../src/lib/asset-versions'
import { sourceFiles } from './source'

const folder = 'public/assets'
const versionOf = (name: string) =>
  createHash('sha256')
    .update(readFileSync(`${folder}/${name}`))
    .digest('hex')
    .slice(0, 10)

const zipped = (name: string) => gzipSync(readFileSync(`${folder}/${name}`)).byteLength
const kibibyte = 1024

it('the address of each file of public/assets contains its version: run npm run assets', () => {
  const found = readdirSync(folder).toSorted()
  expect(Object.fromEntries(found.map((name) => [name, versionOf(name)]))).toEqual(assetVersions)
})

it('no file is named by another address: use assetPath() of lib/assets', () => {
  const naming = sourceFiles('src').filter(
    ({ path, text }) => text.includes('/assets/') && !path.startsWith('src/lib/asset'),
  )
  expect(naming.map(({ path }) => path)).toEqual([])
})

describe('the service worker', () => {
  it('the service worker is that of src/islands/worker: run npm run assets', async () => {
    expect(readFileSync('public/sw.js', 'utf8')).toBe(await buildServiceWorker())
  })

  it('the service worker keeps the offline page and its files alone, in at most 2 KiB', () => {
    const text = readFileSync('public/sw.js', 'utf8')
    expect(text).toContain('"push"')
    expect(text.match(/\.(put|add|addAll)\(/g)).toEqual(['.put(', '.put('])
    for (const forbidden of ['importScripts', 'indexedDB']) expect(text).not.toContain(forbidden)
    expect(gzipSync(text).byteLength).toBeLessThanOrEqual(2 * kibibyte)
  })

  it('the service worker passes the type checker with the types of workers', () => {
    const tsc = 'node_modules/typescript/bin/tsc'
    const done = execFileSync(process.execPath, [tsc, '--noEmit', '-p', 'src/islands/worker'], {
      encoding: 'utf8',
    })
    expect(done).toBe('')
  })
})

describe('scripts of pages', () => {
  it('scripts of pages are those of src/islands and their libraries: run npm run assets', async () => {
    const built = await buildIslands()
    const served = readdirSync(folder).filter((name) => name.endsWith('.js'))
    expect(built.map(({ name }) => name).toSorted()).toEqual(served.toSorted())
    for (const { name, text } of built) expect(readFileSync(`${folder}/${name}`, 'utf8')).toBe(text)
    const entries = built.flatMap(({ name, isEntry, parts, later }) =>
      isEntry ? [[name, { parts, later }] as const] : [],
    )
    expect(Object.fromEntries(entries)).toEqual(islandParts)
  })

  it('scripts of pages carry the licences of their libraries', () => {
    expect(readFileSync(`${folder}/challenge.js`, 'utf8')).toContain('altcha-lib: MIT License')
    expect(readFileSync(`${folder}/charts.js`, 'utf8')).not.toContain('License')
  })

  it.each(Object.entries(islandParts))(
    '%s and its parts have at most 25 KiB to load first',
    (name, { parts }) => {
      const bytes = [name, ...parts].reduce((sum, file) => sum + zipped(file), 0)
      expect(bytes).toBeLessThanOrEqual(25 * kibibyte)
    },
  )

  it('scripts of pages have at most 60 KiB in all', () => {
    const scripts = readdirSync(folder).filter((name) => name.endsWith('.js'))
    expect(scripts.length).toBeGreaterThan(3)
    expect(scripts.reduce((sum, name) => sum + zipped(name), 0)).toBeLessThanOrEqual(60 * kibibyte)
  })

  it('scripts of pages pass the type checker with the types of browsers', () => {
    const tsc = 'node_modules/typescript/bin/tsc'
    expect(execFileSync(process.execPath, [tsc, '--noEmit', '-p', 'src/islands'], { encoding: 'utf8' })).toBe(
      '',
    )
  })

  it('scripts of pages take hooks from hono/jsx/dom: hono/jsx brings the renderer of the server along', () => {
    const heavy = sourceFiles('src').filter(
      ({ path, text }) => path.startsWith('src/islands/') && /from 'hono(\/jsx)?'/.test(text),
    )
    expect(heavy.map(({ path }) => path)).toEqual([])
  })

  it('scripts of pages have no texts: these come from the server', () => {
    const texts = sourceFiles('src')
      .filter(({ path }) => path.startsWith('src/islands/'))
      .flatMap(({ path, text }) =>
        [...text.matchAll(/(textContent|innerText|placeholder|title|ariaLabel) = ['"`][^'"`]/g)].map(
          ([found]) => `${path}: ${found}`,
        ),
      )
    expect(texts).toEqual([])
  })
})

it.each(sheets)('%s is that of src/styles, at most 11 KiB: run npm run assets', async (name) => {
  expect(readFileSync(`${folder}/${name}`, 'utf8')).toBe(await bundleStyle(name))
  expect(zipped(name)).toBeLessThanOrEqual(11 * kibibyte)
})

it('the sprite has the icons that pages use and no others, in at most 4 KiB: run npm run assets', () => {
  expect(readFileSync(`${folder}/sprite.svg`, 'utf8')).toBe(sprite())
  expect(zipped('sprite.svg')).toBeLessThanOrEqual(4 * kibibyte)
  const users = sourceFiles('src').filter(({ path }) => path !== 'src/web/components/icon.tsx')
  const unused = iconNames().filter(
    (name) => !users.some(({ text }) => text.includes(`'${name}'`) || text.includes(`"${name}"`)),
  )
  expect(unused).toEqual([])
})
