import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { withKeptBundle } from '../../scripts/lib/kept-bundles.mjs'

const folders: string[] = []

afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true })
})

/** A checkout with one source, and how often it was bundled. */
function checkout() {
  const root = mkdtempSync(join(tmpdir(), 'fieldfare-bundles-'))
  folders.push(root)
  const config = join(root, 'wrangler.toml')
  const write = (name: string, text: string) => writeFileSync(join(root, name), text)
  mkdirSync(join(root, 'src/deep'), { recursive: true })
  write('wrangler.toml', 'name = "one"')
  write('package-lock.json', '{}')
  write('src/deep/index.ts', 'export default 1')
  let made = 0
  const start = async (instance = 'instance') => {
    const into = join(root, instance)
    await withKeptBundle({ root, config, into }, async () => {
      made += 1
      mkdirSync(into, { recursive: true })
      writeFileSync(join(into, 'index.js'), `bundle ${made}`)
    })
    return readFileSync(join(into, 'index.js'), 'utf8')
  }
  return { root, write, start }
}

describe('a kept bundle', () => {
  it('serves later starts, also of other instances', async () => {
    const { start } = checkout()
    expect([await start(), await start(), await start('other')]).toEqual(['bundle 1', 'bundle 1', 'bundle 1'])
  })

  it.each([
    ['a source', 'src/deep/index.ts', 'export default 2'],
    ['a new source', 'src/new.ts', 'export default 1'],
    ['the configuration', 'wrangler.toml', 'name = "two"'],
    ['a dependency', 'package-lock.json', '{"packages":{}}'],
    ['variables of the developer', '.dev.vars', 'ORIGIN=https://other.example'],
  ])(
    'a kept bundle is not used after a change of %s, and again after that was undone',
    async (_of, name, text) => {
      const { root, write, start } = checkout()
      const before = await start()
      const existed = existsSync(join(root, name))
      const old = existed ? readFileSync(join(root, name), 'utf8') : null
      write(name, text)
      expect(await start()).toBe('bundle 2')
      if (old === null) rmSync(join(root, name))
      else write(name, old)
      expect(await start()).toBe(before)
    },
  )

  it('a kept bundle is not stored where bundling failed', async () => {
    const { root, start } = checkout()
    const into = join(root, 'instance')
    const failing = withKeptBundle({ root, config: join(root, 'wrangler.toml'), into }, () =>
      Promise.reject(new Error('The Worker could not be bundled')),
    )
    await expect(failing).rejects.toThrow('could not be bundled')
    expect(await start()).toBe('bundle 1')
  })

  it('a kept bundle keeps at most four', async () => {
    const { root, write, start } = checkout()
    for (const number of [1, 2, 3, 4, 5, 6]) {
      write('src/deep/index.ts', `export default ${number}`)
      await start()
    }
    expect(readdirSync(join(root, '.wrangler/bundles'))).toHaveLength(4)
  })
})
