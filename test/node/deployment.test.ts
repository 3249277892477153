import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { unstable_readConfig } from 'wrangler'
import * as z from 'zod'

describe('wrangler.toml', () => {
  const config = unstable_readConfig({ config: './wrangler.toml' })

  it('gives the server no address but its own', () => {
    expect(config).toMatchObject({ workers_dev: false, preview_urls: false })
  })

  it('keeps what the server logs, and no addresses of requests, which hold tokens', () => {
    expect(config.observability).toMatchObject({ enabled: true, logs: { invocation_logs: false } })
  })
})

describe('the command in docs/operate/deploy.md that makes secrets', () => {
  const command = /^node -e "(.+)"$/m.exec(readFileSync('docs/operate/deploy.md', 'utf8'))?.[1] ?? ''

  let clone = ''
  beforeEach(() => {
    const folder = mkdtempSync(join(tmpdir(), 'fieldfare-secrets-'))
    clone = join(folder, 'clone')
    mkdirSync(clone)
    return () => rmSync(folder, { recursive: true, force: true })
  })
  const make = () => execFileSync(process.execPath, ['-e', command], { cwd: clone, stdio: 'pipe' })

  it('writes them beside the clone, readable to the owner only', () => {
    make()
    const file = join(clone, '../secrets.json')
    const secret = z.string().regex(/^[\w-]{43}$/)
    const Secrets = z.strictObject({ INSTANCE_SECRET: secret, SETUP_TOKEN: secret })
    const { INSTANCE_SECRET, SETUP_TOKEN } = Secrets.parse(JSON.parse(readFileSync(file, 'utf8')))
    expect(INSTANCE_SECRET).not.toBe(SETUP_TOKEN)
    expect((statSync(file).mode & 0o777).toString(8)).toBe('600')
  })

  it('never replaces secrets that are there', () => {
    make()
    const before = readFileSync(join(clone, '../secrets.json'), 'utf8')
    expect(make).toThrow('EEXIST')
    expect(readFileSync(join(clone, '../secrets.json'), 'utf8')).toBe(before)
  })
})
