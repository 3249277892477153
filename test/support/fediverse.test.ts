import { eq } from 'drizzle-orm'
import { expect, it } from 'vitest'
import { accountKeys, accounts } from '../../src/db/schema'
import { Unreachable } from '../../src/errors'
import { as } from './as'
import { fediverse } from './fediverse'
import { testKey } from './fediverse/keys'
import { signed } from './fediverse/signing'
import { given } from './given'
import { clock, context } from './test-app'

const get = (url: string) =>
  context().http.send({ method: 'GET', url, headers: { accept: 'application/activity+json' } })

const bodyOf = async (url: string): Promise<unknown> => new Response((await get(url)).body).json()

it('serves an actor, its key and its WebFinger, and counts what was asked', async () => {
  const peer = await fediverse.actor({ username: 'wren' })
  const document = await bodyOf(peer.uri)
  expect(document).toMatchObject({ id: peer.uri, publicKey: { id: peer.keyId, owner: peer.uri } })
  const finger = await bodyOf(`https://${peer.host}/.well-known/webfinger?resource=acct:wren@${peer.host}`)
  expect(finger).toMatchObject({ links: [{ rel: 'self', href: peer.uri }] })
  expect(peer.fetched()).toBe(1)
})

it('fails as set, and only as often as set', async () => {
  const peer = await fediverse.actor()
  fediverse.network.fail(peer.uri, { status: 503, times: 1 })
  fediverse.network.fail(peer.uri, { broken: 'timeout', times: 1 })
  expect((await get(peer.uri)).status).toBe(503)
  await expect(get(peer.uri)).rejects.toThrow(Unreachable)
  expect((await get(peer.uri)).status).toBe(200)
})

it('reaches no host that no test made', async () => {
  await expect(get('https://nobody.test/')).rejects.toThrow(Unreachable)
  await expect(fetch('https://nobody.test/')).rejects.toThrow('No test put a server at https://nobody.test/')
})

it.each(['rsa', 'ed25519'] as const)('signs with %s so that the published key proves it', async (name) => {
  const key = await testKey(name)
  const asked = { method: 'POST', url: 'https://fieldfare.test/inbox', body: '{}' } as const
  const headers = await signed('cavage', { ...asked, keyId: 'https://x.test/#k', key, at: clock.now() })
  const parts = Object.fromEntries(
    [...(headers['signature'] ?? '').matchAll(/(\w+)="([^"]*)"/g)].map(([, part, value]) => [part, value]),
  )
  const line = (part: string) =>
    part === '(request-target)' ? `${part}: post /inbox` : `${part}: ${headers[part]}`
  const base = String(parts['headers']).split(' ').map(line).join('\n')
  const algorithm = name === 'rsa' ? 'RSASSA-PKCS1-v1_5' : 'Ed25519'
  const bytes = Uint8Array.fromBase64(String(parts['signature']))
  const text = new TextEncoder().encode(base)
  expect(await crypto.subtle.verify(algorithm, key.publicKey, bytes, text)).toBe(true)
})

it('gives local accounts a key that the vault signs with', async () => {
  const ctx = context()
  const alice = await given.account()
  const [row] = await ctx.db
    .select({ sealed: accountKeys.privateKey, publicKey: accounts.publicKey })
    .from(accountKeys)
    .innerJoin(accounts, eq(accounts.id, accountKeys.accountId))
    .where(eq(accountKeys.accountId, alice.id))
  const key = await testKey('rsa')
  expect(row?.publicKey).toBe(key.publicPem)
  const bytes = new TextEncoder().encode('said')
  const signature = await ctx.vault.sign(row?.sealed ?? '', bytes, alice.id)
  expect(await crypto.subtle.verify('RSASSA-PKCS1-v1_5', key.publicKey, signature, bytes)).toBe(true)
})

it('sends and makes what a server like Mastodon would', async () => {
  const peer = await fediverse.actor({ software: 'gotosocial' })
  const alice = fediverse.local(await given.account())
  const note = peer.note({ visibility: 'direct', mentions: [alice] })
  expect(peer.create(note)).toMatchObject({
    type: 'Create',
    actor: peer.uri,
    to: [alice.uri],
    cc: [],
    object: { type: 'Note', attributedTo: peer.uri, tag: [{ type: 'Mention', href: alice.uri }] },
  })
  expect(await bodyOf(note.id)).toMatchObject({ id: note.id })
  expect(await bodyOf(peer.keyId)).toMatchObject({ id: peer.uri, publicKey: { id: peer.keyId } })
})

it('sends signed requests to the app, and shows the fetches they caused', async () => {
  const peer = await fediverse.actor()
  const answer = await peer.get('/api/v1/instance')
  expect(answer.status).toBe(200)
  expect(answer.fetches).toEqual([])
})

it('makes a remote account that this server knows already', async () => {
  const peer = await given.peer({ keyKind: 'ed25519' })
  const reader = await given.account()
  const shown = await as(reader).get(`/api/v1/accounts/${peer.id}`)
  expect(shown.body).toMatchObject({ acct: peer.handle, uri: peer.uri })
  expect(peer.fetched()).toBe(0)
})
