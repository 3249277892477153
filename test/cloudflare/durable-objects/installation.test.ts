import { createExecutionContext, runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test'
import { describe, expect, it } from 'vitest'
import { configOf } from '../../../src/cloudflare/config-cache'
import { prepareConfiguration } from '../../../src/cloudflare/installation'
import { BadConfiguration } from '../../../src/config'
import worker from '../../../src/index'
import { finish, type OwnInstallation, ownInstallation } from '../../support/own-installation'

const setupSecret = 'a set-up secret of more than thirty-two characters'
const otherSecret = 'another set-up secret of thirty-two characters and more'

const wanted = { state: 'unfinished', variables: { INSTANCE_SECRET: expect.stringMatching(/^[\w-]{43}$/) } }
const locked = { state: 'locked' }

/** The secret of an installation that is not locked. */
async function secretOf(object: OwnInstallation['object'], setupSecret: string): Promise<string> {
  const installed = await object.open(setupSecret)
  return installed.state === 'locked' ? '' : installed.variables.INSTANCE_SECRET
}

describe('the installation', () => {
  it('the installation makes a secret once, and opens it under its set-up secret alone', async () => {
    const { object } = ownInstallation()
    const first = await object.open(setupSecret)
    expect(first).toEqual(wanted)
    expect(await object.open(setupSecret)).toEqual(first)
    expect(await object.open(otherSecret)).toEqual(locked)
  })

  it('the installation makes one secret for two first calls at once', async () => {
    const { object } = ownInstallation()
    const [one, two] = await Promise.all([object.open(setupSecret), object.open(setupSecret)])
    expect(one).toEqual(wanted)
    expect(two).toEqual(one)
  })

  it('the installation stores neither of the two secrets in the clear', async () => {
    const { object } = ownInstallation()
    const secret = await secretOf(object, setupSecret)
    const stored = await runInDurableObject(object, async (_, state) =>
      JSON.stringify([...(await state.storage.list())]),
    )
    expect(stored).toContain('aesgcm2$')
    expect(stored).not.toContain(setupSecret)
    expect(stored).not.toContain(secret)
  })

  it.each(['the former set-up secret', 'the secret of the file'])(
    'the installation is sealed again by %s',
    async (proof) => {
      const { object } = ownInstallation()
      const opened = await object.open(setupSecret)
      const given = proof === 'the secret of the file' ? await secretOf(object, setupSecret) : setupSecret
      expect(await object.sealAgain(otherSecret, given)).toBe(true)
      expect(await object.open(otherSecret)).toEqual(opened)
      expect(await object.open(setupSecret)).toEqual(locked)
    },
  )

  it('the installation is not sealed again by another text, nor before it has a secret', async () => {
    const { object } = ownInstallation()
    expect(await object.sealAgain(otherSecret, otherSecret)).toBe(false)
    const opened = await object.open(setupSecret)
    for (const proof of [otherSecret, '', 'a'.repeat(43)])
      expect(await object.sealAgain(otherSecret, proof)).toBe(false)
    expect(await object.open(setupSecret)).toEqual(opened)
  })
})

describe('the set-up of a server', () => {
  const now = Date.UTC(2026, 10, 1)
  const minute = 60_000

  it('set-up belongs to the first of two browsers, until the other takes it over', async () => {
    const { object } = ownInstallation()
    const outcomes = await Promise.all([object.hold('one', now, false), object.hold('two', now, false)])
    expect(outcomes).toEqual([null, now])
    expect(await object.choose('two', { PLAN: 'paid' })).toBe(false)
    expect(await object.choose('one', { PLAN: 'free' })).toBe(true)
    expect(await object.hold('two', now, true)).toBeNull()
    expect(await object.choose('one', { PLAN: 'paid' })).toBe(false)
    expect((await object.state(setupSecret, 'two', now)).chosen).toEqual({ PLAN: 'free' })
  })

  it('set-up is free again once its browser did nothing for half an hour', async () => {
    const { object } = ownInstallation()
    await object.hold('one', now, false)
    await object.state(setupSecret, 'one', now + 20 * minute)
    expect(await object.hold('two', now + 49 * minute, false)).toBe(now + 20 * minute)
    expect(await object.hold('two', now + 50 * minute, false)).toBeNull()
  })

  it('set-up keeps its steps and choices, and tells them without a secret', async () => {
    const { object } = ownInstallation()
    await object.hold('one', now, false)
    await object.choose('one', { ORIGIN: 'https://social.example' })
    await object.choose('one', { PLAN: 'paid' }, 'services')
    await object.countWrongSecret()
    const state = await object.state(setupSecret, 'one', now)
    expect(state).toEqual({
      isLocked: false,
      isHolder: true,
      chosen: { ORIGIN: 'https://social.example', PLAN: 'paid' },
      done: ['services'],
      migration: { state: 'waiting', done: 0, total: 0 },
      wrongSecrets: 1,
      serverId: expect.stringMatching(/^[\w-]{43}$/),
    })
  })

  it('set-up gives the secret to its browser alone, and no more once that has stored it', async () => {
    const { object } = ownInstallation()
    const secret = await secretOf(object, setupSecret)
    await object.hold('one', now, false)
    expect(await object.secretForFile(setupSecret, 'two')).toBeNull()
    expect(await object.secretForFile(setupSecret, 'one')).toBe(secret)
    await object.choose('one', {}, 'secrets')
    expect(await object.secretForFile(setupSecret, 'one')).toBeNull()
  })

  it('set-up brings the database to this version by alarms, whatever it had', async () => {
    const { object } = ownInstallation()
    await object.startMigration()
    expect((await object.state(setupSecret, null, now)).migration.state).toBe('running')
    while (await runDurableObjectAlarm(object));
    const { migration } = await object.state(setupSecret, null, now)
    expect(migration.state).toBe('done')
    expect(migration.done).toBe(migration.total)
  })

  it('a server that was set up migrates by itself once a new version asks for more', async () => {
    const { object } = ownInstallation()
    await finish(object)
    expect((await object.open(setupSecret)).state).toBe('open')
    await runInDurableObject(object, (_, { storage }) =>
      storage.put('migration', { state: 'done', done: 1, total: 1, last: '0001_initial.sql' }),
    )
    expect((await object.open(setupSecret)).state).toBe('migrating')
    while (await runDurableObjectAlarm(object));
    expect((await object.open(setupSecret)).state).toBe('open')
  })
})

describe('the configuration of a server without INSTANCE_SECRET', () => {
  it('the configuration of a server without INSTANCE_SECRET takes the secret of the installation, by one call an isolate', async () => {
    const { own, object, secret, calls } = ownInstallation()
    await finish(object)
    for (let request = 0; request < 3; request++) await prepareConfiguration(own)
    expect(calls.count).toBe(1)
    expect(configOf(own).secrets.current.text).toBe(await secretOf(object, secret))
  })

  it('the configuration of a server without INSTANCE_SECRET fills in what was chosen, but for variables of the environment', async () => {
    const { own, object } = ownInstallation({ MAIL_FROM: 'post@social.example' })
    await object.hold('one', 0, false)
    await object.choose('one', { PLAN: 'free' })
    await object.choose('one', { PLAN: 'paid', MAIL_FROM: 'other@social.example' })
    await finish(object)
    await prepareConfiguration(own)
    const { plan, mailFrom, origin } = configOf(own)
    expect({ plan, mailFrom, origin }).toEqual({
      plan: 'paid',
      mailFrom: 'post@social.example',
      origin: 'https://fieldfare.test',
    })
  })

  it('the configuration of a server without INSTANCE_SECRET answers requests as one with a secret of its own does', async () => {
    const { own, object } = ownInstallation()
    await finish(object)
    const address = 'https://fieldfare.test/api/v2/instance'
    const response = await worker.fetch(new Request(address), own, createExecutionContext())
    expect(response.status).toBe(200)
  })

  it('the configuration of a server without INSTANCE_SECRET is refused until set-up has ended, and the database has this version', async () => {
    const { own, object } = ownInstallation()
    await prepareConfiguration(own)
    expect(() => configOf(own)).toThrow('This server is not set up yet: open /setup in a browser.')
    await object.complete()
    await prepareConfiguration(own)
    expect(() => configOf(own)).toThrow('The database of this server is being brought to this version.')
    await finish(object)
    await prepareConfiguration(own)
    expect(configOf(own).plan).toBe('free')
  })

  it('the configuration of a server without INSTANCE_SECRET is refused with one sentence under a short set-up secret, without a call', async () => {
    const { own, calls } = ownInstallation({ SETUP_SECRET: 'short' })
    await prepareConfiguration(own)
    expect(() => configOf(own)).toThrow(
      new BadConfiguration('SETUP_SECRET cannot be used: it has to be a secret of 32 characters or more.'),
    )
    expect(calls.count).toBe(0)
  })

  it('the configuration of a server without INSTANCE_SECRET is refused under another set-up secret until the installation is sealed again', async () => {
    const { own, secret, object } = ownInstallation()
    await object.open(otherSecret)
    await finish(object)
    await prepareConfiguration(own)
    expect(() => configOf(own)).toThrow(/SETUP_SECRET is another than the one/)
    await object.sealAgain(secret, otherSecret)
    await prepareConfiguration(own)
    expect(configOf(own).origin).toBe('https://fieldfare.test')
  })

  it('the configuration of a server without INSTANCE_SECRET is that of the environment alone where it holds a secret, without a call', async () => {
    const { own, calls } = ownInstallation({
      INSTANCE_SECRET: 'a secret of forty-three characters of its own',
    })
    await prepareConfiguration(own)
    expect(configOf(own).secrets.current.text).toBe('a secret of forty-three characters of its own')
    expect(calls.count).toBe(0)
  })
})
