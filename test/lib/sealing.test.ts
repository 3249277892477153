import { expect, it } from 'vitest'
import { seal, unseal } from '../../src/lib/sealing'

const secret = 'a secret of forty-three characters for tests'
const bytes = new TextEncoder().encode('a private key')

it('opens what it closed', async () => {
  expect(new Uint8Array(await unseal(secret, await seal(secret, bytes)))).toEqual(bytes)
})

it('closes the same text differently each time', async () => {
  expect(await seal(secret, bytes)).not.toBe(await seal(secret, bytes))
})

it('opens nothing under another secret, and nothing that was changed', async () => {
  const sealed = await seal(secret, bytes)
  await expect(unseal(`${secret}!`, sealed)).rejects.toThrow()
  const end = sealed.endsWith('AAAA') ? 'BBBB' : 'AAAA'
  await expect(unseal(secret, sealed.slice(0, -4) + end)).rejects.toThrow()
})

it.each(['', 'plain', 'aesgcm2$a$b', 'aesgcm1$', 'aesgcm1$AAAA'])(
  'opens nothing of the form %j',
  async (text) => {
    await expect(unseal(secret, text)).rejects.toThrow('Unknown format')
  },
)
