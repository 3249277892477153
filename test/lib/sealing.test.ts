import { describe, expect, it } from 'vitest'
import { seal, unseal } from '../../src/lib/sealing'
import { instanceSecrets } from '../../src/lib/secrets'
import { sealUnbound } from '../support/sealed-values'

const text = 'a secret of forty-three characters for tests'
const next = 'the secret that comes after it, long enough'
const secrets = instanceSecrets(text)
const binding = { kind: 'actor key', owner: 42 } as const
const bytes = new TextEncoder().encode('a private key')
const opened = async (...args: Parameters<typeof unseal>) => new Uint8Array(await unseal(...args))

it('opens what it sealed', async () => {
  expect(await opened(secrets, binding, await seal(secrets, binding, bytes))).toEqual(bytes)
})

it('seals the same text differently each time, and names the version of its secret', async () => {
  const sealed = await seal(secrets, binding, bytes)
  expect(await seal(secrets, binding, bytes)).not.toBe(sealed)
  expect(sealed.split('$').slice(0, 2)).toEqual(['aesgcm2', secrets.current.version])
  expect(secrets.current.version).toMatch(/^[0-9a-f]{8}$/)
})

it('opens nothing that was changed', async () => {
  const sealed = await seal(secrets, binding, bytes)
  const end = sealed.endsWith('AAAA') ? 'BBBB' : 'AAAA'
  await expect(unseal(secrets, binding, sealed.slice(0, -4) + end)).rejects.toThrow('does not open')
})

it.each([
  ['of another account', { kind: 'actor key', owner: 43 }],
  ['of another kind', { kind: 'authenticator app', owner: 42 }],
  ['of the server', { kind: 'push key', owner: 0 }],
] as const)('opens nothing in the row %s', async (_where, other) => {
  const sealed = await seal(secrets, binding, bytes)
  await expect(unseal(secrets, other, sealed)).rejects.toThrow('damaged, or that of another row')
})

describe('with several secrets', () => {
  const during = instanceSecrets(next, [text])

  it('opens values of a former secret, and seals with the current one', async () => {
    expect(await opened(during, binding, await seal(secrets, binding, bytes))).toEqual(bytes)
    const sealed = await seal(during, binding, bytes)
    expect(await opened(instanceSecrets(next), binding, sealed)).toEqual(bytes)
  })

  it('opens values of the next secret before it is current', async () => {
    const before = instanceSecrets(text, [next, text])
    expect(before.accepted.map((secret) => secret.text)).toEqual([text, next])
    expect(await opened(before, binding, await seal(during, binding, bytes))).toEqual(bytes)
  })

  it('names the missing secret, and none of the existing ones', async () => {
    const sealed = await seal(secrets, binding, bytes)
    const failure = await unseal(instanceSecrets(next), binding, sealed).catch(String)
    expect(failure).toBe(
      `UnopenableSecret: The actor key of 42 is encrypted under the secret ${secrets.current.version}, ` +
        'which is not configured. Put the former INSTANCE_SECRET into ACCEPTED_INSTANCE_SECRETS.',
    )
  })
})

describe('values of earlier versions', () => {
  it('opens older values under any accepted secret', async () => {
    const sealed = await sealUnbound(text, bytes)
    expect(await opened(secrets, binding, sealed)).toEqual(bytes)
    expect(await opened(instanceSecrets(next, [text]), binding, sealed)).toEqual(bytes)
    const failure = unseal(instanceSecrets(next), binding, sealed)
    await expect(failure).rejects.toThrow('opens under none of the configured secrets')
  })

  it('opens authenticator apps for their own account only', async () => {
    const sealed = await sealUnbound(text, bytes, 'authenticator app of 42')
    expect(await opened(secrets, { kind: 'authenticator app', owner: 42 }, sealed)).toEqual(bytes)
    await expect(unseal(secrets, { kind: 'authenticator app', owner: 43 }, sealed)).rejects.toThrow('none')
  })
})

it.each(['', 'plain', 'aesgcm2$a$b', 'aesgcm1$', 'aesgcm1$AAAA', 'aesgcm3$a$b$c'])(
  'opens nothing of the form %j',
  async (sealed) => {
    await expect(unseal(secrets, binding, sealed)).rejects.toThrow('unknown format')
  },
)

it.each(['aesgcm1$!$!', `aesgcm2$${secrets.current.version}$!$!`])(
  'opens nothing of the damaged %j',
  async (sealed) => {
    await expect(unseal(secrets, binding, sealed)).rejects.toThrow(
      /^The actor key of 42 (does not open|opens under none)/,
    )
  },
)
