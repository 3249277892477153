import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { unstable_readConfig } from 'wrangler'
import * as z from 'zod'
import { buttonConfigurationOf } from '../../scripts/lib/deploy/configuration.mjs'
import { deployUnattended, isUnattended } from '../../scripts/lib/deploy/unattended.mjs'

const full = readFileSync('wrangler.full.toml', 'utf8')

describe('the configuration of the button', () => {
  const button = unstable_readConfig({ config: 'wrangler.toml' })
  const whole = unstable_readConfig({ config: 'wrangler.full.toml' })

  it('wrangler.toml is written from wrangler.full.toml: run npm run button', () => {
    expect(readFileSync('wrangler.toml', 'utf8')).toBe(buttonConfigurationOf(full))
  })

  it('the button asks for no service that an account may lack, and for no variable', () => {
    expect(button.images).toBeUndefined()
    expect(button.send_email).toEqual([])
    expect(button.queues).toEqual({ producers: [], consumers: [] })
    expect(button.vars).toEqual({})
    expect(button.workers_dev).toBe(true)
    expect(button.keep_vars).toBe(true)
    expect([whole.images?.binding, whole.send_email.length, whole.queues.producers?.length]).toEqual([
      'IMAGES',
      1,
      2,
    ])
  })

  it('the button deploys the same Worker with the same objects, database, files, limits and cron', () => {
    for (const key of [
      'main',
      'compatibility_date',
      'compatibility_flags',
      'durable_objects',
      'migrations',
      'd1_databases',
      'r2_buckets',
      'ratelimits',
      'triggers',
      'assets',
    ] as const)
      expect([key, button[key]]).toEqual([key, whole[key]])
  })

  it('the form of the button asks for the one secret, and describes what Cloudflare makes', () => {
    const Manifest = z.object({
      cloudflare: z.object({ bindings: z.record(z.string(), z.object({ description: z.string() })) }),
    })
    const { cloudflare } = Manifest.parse(JSON.parse(readFileSync('package.json', 'utf8')))
    expect(Object.keys(cloudflare.bindings)).toEqual(['SETUP_SECRET', 'DB', 'MEDIA'])
    const fields = readFileSync('.dev.vars.example', 'utf8').match(/^\w+(?==)/gm)
    expect(fields).toEqual(['SETUP_SECRET'])
  })
})

describe('npm run deploy in a build of Cloudflare', () => {
  const answering = (code: number, output: string) => {
    const calls: (readonly string[])[] = []
    const lines: string[] = []
    const command = async (_: string, args: readonly string[]) => {
      calls.push(args)
      return { code, output, stdout: output }
    }
    const run = () => deployUnattended({ folder: '.', log: (line) => void lines.push(line), command })
    return { run, calls, lines }
  }

  it('npm run deploy asks nobody in a build, and in no other place', () => {
    expect(isUnattended({ WORKERS_CI: '1' })).toBe(true)
    expect(isUnattended({ CI: '1' })).toBe(false)
  })

  it('npm run deploy uploads with the configuration that Cloudflare wrote its ids into, and says where set-up is', async () => {
    const { run, calls, lines } = answering(0, 'https://fieldfare.birds.workers.dev')
    await run()
    expect(calls).toHaveLength(1)
    expect(calls[0]?.slice(0, 4)).toEqual(['deploy', '--minify', '--config', 'wrangler.toml'])
    expect(lines.join('\n')).toContain('https://fieldfare.birds.workers.dev')
    expect(lines.at(-1)).toContain('/setup')
  })

  it('npm run deploy in a build says what to do where R2 is not switched on', async () => {
    const { run } = answering(1, 'Please enable R2 through the Cloudflare Dashboard. [code: 10042]')
    await expect(run()).rejects.toThrow('Switch R2 on: dashboard, "R2 object storage".')
  })
})
