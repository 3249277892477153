import { createExecutionContext } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { BadConfiguration, parseConfig } from '../src/config'
import worker from '../src/index'
import { textOf } from './support/browser'

const lines: string[] = []
beforeEach(() => {
  lines.length = 0
  vi.spyOn(console, 'error').mockImplementation((line: string) => void lines.push(line))
})
afterEach(() => void vi.restoreAllMocks())

/** The Worker as it is deployed with other variables. */
function deployed(variables: Readonly<Record<string, unknown>>) {
  const own: Env = Object.assign({ ...env }, variables)
  return {
    own,
    get: (path: string, { host = 'https://fieldfare.test', accept = 'text/html', language = 'en' } = {}) => {
      const headers = { accept, 'accept-language': language }
      return worker.fetch(new Request(`${host}${path}`, { headers }), own, createExecutionContext())
    },
  }
}

const shortSecret = { INSTANCE_SECRET: 'too-short-a-secret', MAX_IMAGE_BYTES: 'many' }
const sentence =
  'This server is not configured correctly. INSTANCE_SECRET cannot be used: it has to be a secret of 32 characters ' +
  'or more. MAX_IMAGE_BYTES cannot be used: it has to be a whole number above 0.'

describe('a bad configuration', () => {
  it.each(['/api/v2/instance', '/health', '/inbox', '/oauth/token', '/.well-known/webfinger?resource=x'])(
    'answers %s with its own sentence in JSON',
    async (path) => {
      const answer = await deployed(shortSecret).get(path, { accept: '*/*' })
      expect(answer.status).toBe(503)
      expect(await answer.json()).toEqual({ error: sentence })
      expect(answer.headers.get('cache-control')).toBe('no-store')
      expect(answer.headers.get('retry-after')).toBe('300')
    },
  )

  it.each(['/', '/@alice', '/nowhere', '/auth/sign_in'])(
    'answers %s with a page for browsers',
    async (path) => {
      const answer = await deployed(shortSecret).get(path)
      const html = await answer.text()
      expect(answer.status).toBe(503)
      expect(answer.headers.get('content-type')).toContain('text/html')
      expect(textOf(html)).toContain(sentence)
      expect(html).not.toContain(shortSecret.INSTANCE_SECRET)
      expect(answer.headers.get('content-security-policy')).toContain("default-src 'none'")
    },
  )

  it('a bad configuration is shown in the language of the browser, and in English where no files are bound', async () => {
    const german = await deployed(shortSecret).get('/', { language: 'de' })
    expect(await german.text()).toContain('<h1>Nicht eingerichtet</h1>')
    expect(await (await deployed(shortSecret).get('/', { language: 'es' })).text()).not.toContain(
      'Not set up',
    )
    const { get } = deployed({ ...shortSecret, ASSETS: undefined })
    const answer = await get('/', { language: 'es' })
    expect([answer.status, (await answer.text()).includes('<h1>Not set up</h1>')]).toEqual([503, true])
  })

  it('a bad configuration is logged once, without what the variables contain, and not with every request', async () => {
    const { own, get } = deployed(shortSecret)
    for (const path of ['/', '/health', '/api/v2/instance']) await get(path)
    const tick = { cron: '* * * * *', scheduledTime: 0, noRetry: () => undefined, type: 'scheduled' as const }
    await worker.scheduled(tick, own, createExecutionContext())
    expect(lines.map((line) => JSON.parse(line))).toEqual([{ level: 'error', message: sentence }])
  })

  it('keeps queue messages for a retry', async () => {
    const { own } = deployed(shortSecret)
    const delays: unknown[] = []
    const batch: MessageBatch = {
      messages: [],
      queue: 'fieldfare-jobs',
      ackAll: () => undefined,
      metadata: { metrics: { backlogCount: 0, backlogBytes: 0 } },
      retryAll: (options) => void delays.push(options),
    }
    await worker.queue(batch, own, createExecutionContext())
    expect(delays).toEqual([{ delaySeconds: 60 }])
  })

  it.each([
    [{ ORIGIN: 'social.example.org' }, 'ORIGIN cannot be used: it has to be an address such as'],
    [{ ORIGIN: undefined }, 'ORIGIN is missing: it has to be an address such as'],
    [{ LIMITED_FEDERATION: 'perhaps' }, 'LIMITED_FEDERATION cannot be used: it has to be true or false.'],
    [{ MAIL_FROM: 'nobody' }, 'MAIL_FROM cannot be used: it has to be an e-mail address.'],
    [{ SETUP_TOKEN: 'short' }, 'SETUP_TOKEN cannot be used: it has to be a secret of 16 characters or more.'],
  ])('names the allowed form of %j', (variables, words) => {
    const read = () => parseConfig({ ...env, ...variables })
    expect(read).toThrow(BadConfiguration)
    expect(read).toThrow(words)
  })
})

describe('an ORIGIN on localhost', () => {
  const local = { ORIGIN: 'http://localhost:8787' }

  it('an ORIGIN on localhost is refused in one sentence where the server is deployed', async () => {
    const { get } = deployed(local)
    const answer = await get('/api/v2/instance', { host: 'https://social.example.org' })
    const again = await get('/', { host: 'https://social.example.org' })
    const refusal =
      'This server is not configured correctly. ORIGIN is http://localhost:8787, but this request came to ' +
      'social.example.org. Set ORIGIN to the public address, such as https://social.example.org, and deploy again.'
    expect([answer.status, again.status]).toEqual([503, 503])
    expect(await answer.json()).toEqual({ error: refusal })
    expect(lines.map((line) => JSON.parse(line).message)).toEqual([refusal])
  })

  it.each(['http://localhost:8787', 'http://127.0.0.1:8787', 'http://[::1]:9000', 'http://a.localhost'])(
    'an ORIGIN on localhost serves %s',
    async (host) => {
      const answer = await deployed(local).get('/api/v1/instance/rules', { host })
      expect(answer.status).toBe(200)
    },
  )
})

describe('a public ORIGIN', () => {
  it.each(['https://other.example.org', 'https://fieldfare.example.workers.dev'])(
    'a public ORIGIN is not served at %s',
    async (host) => {
      const answer = await deployed({}).get('/api/v1/instance/rules', { host })
      expect(answer.status).toBe(503)
      expect(await answer.json()).toEqual({
        error:
          `This server is not configured correctly. ORIGIN is ${env.ORIGIN}, but this request came to ` +
          `${new URL(host).hostname}. Take that address from the Worker, or use ${env.ORIGIN}.`,
      })
    },
  )

  it.each([
    ['the domain of handles', { ACCOUNT_DOMAIN: 'example.org' }, 'https://example.org'],
    ['the host of media', { MEDIA_ORIGIN: 'https://files.example.org' }, 'https://files.example.org'],
    ['its own machine', {}, 'http://localhost:8787'],
  ])('a public ORIGIN is served at %s', async (_what, variables, host) => {
    const answer = await deployed(variables).get('/api/v1/instance/rules', { host })
    expect(answer.status).not.toBe(503)
  })
})
