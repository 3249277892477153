import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readlinkSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import * as z from 'zod'

const lock = (version: string) =>
  JSON.stringify({
    packages: {
      '': {},
      'node_modules/a': { version },
      'node_modules/of-another-platform': { version: '1.0.0', optional: true },
    },
  })

/** A project of one dependency, with an npm that deletes what is installed and then succeeds or is offline. */
let root = ''
const at = (...names: readonly string[]) => join(root, ...names)
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'fieldfare-install-'))
  mkdirSync(at('scripts/lib'), { recursive: true })
  mkdirSync(at('bin'))
  for (const name of ['ensure-installed.mjs', 'lib/link-node.mjs', 'lib/node-version.mjs'])
    copyFileSync(`scripts/${name}`, at('scripts', name))
  writeFileSync(at('package.json'), '{"type":"module"}')
  writeFileSync(at('package-lock.json'), lock('1.0.0'))
  const npm = `#!/bin/sh
rm -rf node_modules
echo "$@" >> asked
[ -e offline ] && { mkdir node_modules; exit 7; }
mkdir -p node_modules/a && cp package-lock.json node_modules/.package-lock.json
`
  writeFileSync(at('bin/npm'), npm)
  chmodSync(at('bin/npm'), 0o755)
  return () => rmSync(root, { recursive: true, force: true })
})

function run() {
  const PATH = [at('bin'), dirname(process.execPath), process.env['PATH']].join(delimiter)
  const { status, stderr } = spawnSync(process.execPath, [at('scripts/ensure-installed.mjs')], {
    env: { ...process.env, PATH },
    encoding: 'utf8',
  })
  return { status, stderr }
}
const asked = () =>
  existsSync(at('asked')) ? readFileSync(at('asked'), 'utf8').trim().split('\n').length : 0

describe('the installation of dependencies', () => {
  it('happens once, whatever the times of files are', () => {
    expect(run()).toEqual({ status: 0, stderr: '' })
    expect(asked()).toBe(1)
    utimesSync(at('package-lock.json'), new Date('2040-01-01'), new Date('2040-01-01'))
    expect(run().status).toBe(0)
    expect(asked()).toBe(1)
  })

  it('happens again where the lockfile differs, also an older one', () => {
    run()
    writeFileSync(at('package-lock.json'), lock('0.9.0'))
    utimesSync(at('package-lock.json'), new Date('2001-01-01'), new Date('2001-01-01'))
    expect(run().status).toBe(0)
    expect(asked()).toBe(2)
    expect(existsSync(at('node_modules.before'))).toBe(false)
  })

  it('the installation of dependencies is npm’s own where its versions are those of the lockfile', () => {
    mkdirSync(at('node_modules'))
    writeFileSync(
      at('node_modules/.package-lock.json'),
      '{"packages":{"node_modules/a":{"version":"1.0.0"}}}',
    )
    expect(run().status).toBe(0)
    expect(asked()).toBe(0)
    writeFileSync(at('package-lock.json'), lock('2.0.0'))
    expect(run().status).toBe(0)
    expect(asked()).toBe(1)
  })

  it('installs nothing for a version of the project with the same dependencies', () => {
    run()
    writeFileSync(at('package-lock.json'), lock('1.0.0').replace('"":{}', '"":{"version":"9.9.9"}'))
    expect([run().status, asked()]).toEqual([0, 1])
  })

  it('keeps installed packages where it fails offline, with one sentence and the exit code of npm', () => {
    run()
    writeFileSync(at('node_modules/a/index.js'), 'works')
    writeFileSync(at('package-lock.json'), lock('2.0.0'))
    writeFileSync(at('offline'), '')
    expect(run()).toEqual({
      status: 7,
      stderr: 'The dependencies could not be installed (npm says why above). Those of before are back.\n',
    })
    expect(readFileSync(at('node_modules/a/index.js'), 'utf8')).toBe('works')
    writeFileSync(at('package-lock.json'), lock('1.0.0'))
    expect(run().status).toBe(0)
    expect(asked()).toBe(2)
  })

  it('restores what an interrupted one had moved aside', () => {
    mkdirSync(at('node_modules.before/a'), { recursive: true })
    writeFileSync(at('node_modules.before/.fieldfare-lock'), lock('1.0.0'))
    mkdirSync(at('node_modules'))
    expect(run().status).toBe(0)
    expect([asked(), existsSync(at('node_modules/a'))]).toEqual([0, true])
  })

  it('links the Node that npm 10 installs without a link, and keeps a link that is there', () => {
    const binary = `node-${process.platform}-${process.arch}/bin/node`
    run()
    expect(existsSync(at('node_modules/.bin'))).toBe(false)
    mkdirSync(at('node_modules', dirname(binary)), { recursive: true })
    writeFileSync(at('node_modules', binary), '')
    expect([run(), run()]).toEqual(Array.from({ length: 2 }, () => ({ status: 0, stderr: '' })))
    expect(readlinkSync(at('node_modules/.bin/node'))).toBe(`../${binary}`)
    expect(asked()).toBe(1)
  })

  it('links that Node also where npm ci is typed by hand, before npx is', () => {
    const { scripts } = z
      .object({ scripts: z.record(z.string(), z.string()) })
      .parse(JSON.parse(readFileSync('package.json', 'utf8')))
    expect(scripts['postinstall']).toBe('node scripts/lib/link-node.mjs')
    const binary = `node-${process.platform}-${process.arch}/bin/node`
    mkdirSync(at('node_modules', dirname(binary)), { recursive: true })
    writeFileSync(at('node_modules', binary), '')
    spawnSync(process.execPath, [at('scripts/lib/link-node.mjs')])
    expect(readlinkSync(at('node_modules/.bin/node'))).toBe(`../${binary}`)
  })

  it('runs later commands in their own shell, because the current one knows only the previous Node', () => {
    const { scripts } = z
      .object({ scripts: z.record(z.string(), z.string()) })
      .parse(JSON.parse(readFileSync('package.json', 'utf8')))
    const installing = Object.values(scripts).filter((script) => script.includes('ensure-installed'))
    expect(installing.length).toBeGreaterThan(5)
    for (const script of installing)
      expect(script).toMatch(/^node scripts\/ensure-installed\.mjs( && npm run --silent \w+)?$/)
  })
})
