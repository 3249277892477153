import { createExecutionContext, runInDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { configOf } from '../../../src/cloudflare/config-cache'
import { prepareConfiguration } from '../../../src/cloudflare/installation'
import { BadConfiguration } from '../../../src/config'
import worker from '../../../src/index'

const setupSecret = 'a set-up secret of more than thirty-two characters'
const otherSecret = 'another set-up secret of thirty-two characters and more'

let made = 0

/** The environment of a server that makes its secret by itself, with an installation of its own. */
function ownEnv(variables: Readonly<Record<string, string>> = {}) {
  made += 1
  const id = env.INSTALLATION.idFromName(`of test ${made}`)
  const calls = { count: 0 }
  const get = () => {
    calls.count += 1
    return env.INSTALLATION.get(id)
  }
  const { INSTANCE_SECRET: _, ...others }: Env & { readonly INSTANCE_SECRET?: string } = env
  const installation = new Proxy(env.INSTALLATION, {
    get: (target, name) => (name === 'get' ? get : Reflect.get(target, name).bind(target)),
  })
  // A secret of its own as well: an isolate remembers what each opened.
  const secret = `${setupSecret} ${made}`
  const own: Env = Object.assign(
    { ...others },
    { SETUP_SECRET: secret, INSTALLATION: installation },
    variables,
  )
  return { own, secret, calls, object: env.INSTALLATION.get(id) }
}

const wanted = { INSTANCE_SECRET: expect.stringMatching(/^[\w-]{43}$/) }

describe('the installation', () => {
  it('the installation makes a secret once, and opens it under its set-up secret alone', async () => {
    const { object } = ownEnv()
    const first = await object.open(setupSecret)
    expect(first).toEqual(wanted)
    expect(await object.open(setupSecret)).toEqual(first)
    expect(await object.open(otherSecret)).toBeNull()
  })

  it('the installation makes one secret for two first calls at once', async () => {
    const { object } = ownEnv()
    const [one, two] = await Promise.all([object.open(setupSecret), object.open(setupSecret)])
    expect(one).toEqual(wanted)
    expect(two).toEqual(one)
  })

  it('the installation stores neither of the two secrets in the clear', async () => {
    const { object } = ownEnv()
    const opened = await object.open(setupSecret)
    const stored = await runInDurableObject(object, async (_, state) =>
      JSON.stringify([...(await state.storage.list())]),
    )
    expect(stored).toContain('aesgcm2$')
    expect(stored).not.toContain(setupSecret)
    expect(stored).not.toContain(opened?.INSTANCE_SECRET)
  })

  it.each(['the former set-up secret', 'the secret of the file'])(
    'the installation is sealed again by %s',
    async (proof) => {
      const { object } = ownEnv()
      const opened = await object.open(setupSecret)
      const given = proof === 'the secret of the file' ? (opened?.INSTANCE_SECRET ?? '') : setupSecret
      expect(await object.sealAgain(otherSecret, given)).toBe(true)
      expect(await object.open(otherSecret)).toEqual(opened)
      expect(await object.open(setupSecret)).toBeNull()
    },
  )

  it('the installation is not sealed again by another text, nor before it has a secret', async () => {
    const { object } = ownEnv()
    expect(await object.sealAgain(otherSecret, otherSecret)).toBe(false)
    const opened = await object.open(setupSecret)
    for (const proof of [otherSecret, '', 'a'.repeat(43)])
      expect(await object.sealAgain(otherSecret, proof)).toBe(false)
    expect(await object.open(setupSecret)).toEqual(opened)
  })
})

describe('the configuration of a server without INSTANCE_SECRET', () => {
  it('takes the secret of the installation, by one call an isolate', async () => {
    const { own, object, secret, calls } = ownEnv()
    for (let request = 0; request < 3; request++) await prepareConfiguration(own)
    expect(calls.count).toBe(1)
    const opened = await object.open(secret)
    expect(configOf(own).secrets.current.text).toBe(opened?.INSTANCE_SECRET)
  })

  it('fills in what was chosen, but for variables of the environment', async () => {
    const { own, object } = ownEnv({ MAIL_FROM: 'post@social.example' })
    await object.choose({ PLAN: 'free' })
    await object.choose({ PLAN: 'paid', MAIL_FROM: 'other@social.example' })
    await prepareConfiguration(own)
    const { plan, mailFrom, origin } = configOf(own)
    expect({ plan, mailFrom, origin }).toEqual({
      plan: 'paid',
      mailFrom: 'post@social.example',
      origin: 'https://fieldfare.test',
    })
  })

  it('answers requests as one with a secret of its own does', async () => {
    const { own } = ownEnv()
    const address = 'https://fieldfare.test/api/v2/instance'
    const response = await worker.fetch(new Request(address), own, createExecutionContext())
    expect(response.status).toBe(200)
  })

  it('is refused with one sentence under a short set-up secret, without a call', async () => {
    const { own, calls } = ownEnv({ SETUP_SECRET: 'short' })
    await prepareConfiguration(own)
    expect(() => configOf(own)).toThrow(
      new BadConfiguration('SETUP_SECRET cannot be used: it has to be a secret of 32 characters or more.'),
    )
    expect(calls.count).toBe(0)
  })

  it('is refused under another set-up secret until the installation is sealed again', async () => {
    const { own, secret, object } = ownEnv()
    await object.open(otherSecret)
    await prepareConfiguration(own)
    expect(() => configOf(own)).toThrow(/SETUP_SECRET is another than the one/)
    await object.sealAgain(secret, otherSecret)
    await prepareConfiguration(own)
    expect(configOf(own).origin).toBe('https://fieldfare.test')
  })

  it('is that of the environment alone where it holds a secret, without a call', async () => {
    const { own, calls } = ownEnv({ INSTANCE_SECRET: 'a secret of forty-three characters of its own' })
    await prepareConfiguration(own)
    expect(configOf(own).secrets.current.text).toBe('a secret of forty-three characters of its own')
    expect(calls.count).toBe(0)
  })
})
