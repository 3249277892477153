import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import * as z from 'zod'

const Versions = z.record(z.string(), z.string()).default({})
const Manifest = z.object({
  dependencies: Versions,
  devDependencies: Versions,
  optionalDependencies: Versions,
})
const Lock = z.object({
  packages: z.record(
    z.string(),
    z.object({
      version: z.string().optional(),
      integrity: z.string().optional(),
      optionalDependencies: Versions,
    }),
  ),
})

const root = fileURLToPath(new URL('../../', import.meta.url).href)
const read = (name: string): unknown => JSON.parse(readFileSync(`${root}${name}`, 'utf8'))
const manifest = Manifest.parse(read('package.json'))
const { packages } = Lock.parse(read('package-lock.json'))
const entries = Object.entries(packages).filter(([path]) => path !== '')
const nameOf = (path: string) => path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length)
const versionsOf = (name: string) =>
  entries.filter(([path]) => nameOf(path) === name).map(([, { version }]) => version)

describe('package-lock.json', () => {
  it('package-lock.json has every optional build of every package, without which `npm ci` fails on other platforms', () => {
    const locked = new Set(entries.map(([path]) => nameOf(path)))
    const wanted = entries.flatMap(([, { optionalDependencies }]) => Object.keys(optionalDependencies))
    expect(wanted.length).toBeGreaterThan(20)
    expect(wanted.filter((name) => !locked.has(name))).toEqual([])
  })

  it('package-lock.json has a hash for everything it fetches', () => {
    expect(entries.filter(([, { integrity }]) => integrity === undefined).map(([path]) => path)).toEqual([])
  })

  it.each(['miniflare', 'workerd', 'wrangler', 'vitest', 'zod'])(
    'package-lock.json has one version of %s',
    (name) => {
      expect(versionsOf(name)).toHaveLength(1)
    },
  )

  it('agrees with package.json, which pins exactly', () => {
    const wanted = Object.entries({
      ...manifest.dependencies,
      ...manifest.devDependencies,
      ...manifest.optionalDependencies,
    })
    expect(wanted.filter(([, version]) => !/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(version))).toEqual([])
    const others = wanted.filter(([name, version]) => packages[`node_modules/${name}`]?.version !== version)
    expect(others).toEqual([])
  })
})
