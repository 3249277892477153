import { beforeEach, describe, expect, it } from 'vitest'
import { Search } from '../../src/contract/entities/search'
import { as } from '../support/as'
import { textOf } from '../support/browser'
import { fediverse } from '../support/fediverse'
import { freshName, given, type TestAccount } from '../support/given'
import { signedIn } from '../support/members'

const { network } = fediverse

let alice: TestAccount
let handle: string
let atHost: string

beforeEach(async () => {
  alice = await given.account()
  const name = freshName('split').toLowerCase()
  const username = freshName('rosa').toLowerCase()
  await fediverse.actor({ host: `social.${name}.test`, accountDomain: `${name}.test`, username })
  handle = `${username}@${name}.test`
  atHost = `${username}@social.${name}.test`
})

const find = async (path: string, params: Readonly<Record<string, string>>) =>
  (await as(alice).get(`${path}?${new URLSearchParams(params)}`)).body

/** Spellings of the handle at the host of its actor. */
const spellings = (): readonly string[] => [
  atHost,
  `@${atHost}`,
  ` @${atHost} `,
  atHost.toUpperCase(),
  `@${atHost.toUpperCase()}`,
]

describe('a handle at the host of an actor whose handle has another domain', () => {
  it('finds the unknown account with resolve, in every spelling', async () => {
    for (const q of spellings())
      for (const type of [{}, { type: 'accounts' }])
        expect(await find('/api/v2/search', { q, resolve: 'true', ...type }), q).toMatchObject({
          accounts: [{ acct: handle }],
        })
  })

  it('finds the known account without resolve and without a request, in every spelling', async () => {
    await find('/api/v2/search', { q: handle, resolve: 'true' })
    const mark = network.mark()
    for (const q of spellings())
      for (const type of [{}, { type: 'accounts' }])
        expect(await find('/api/v2/search', { q, ...type }), q).toMatchObject({
          accounts: [{ acct: handle }],
        })
    expect(network.since(mark)).toEqual([])
  })

  it('finds the account in the search for accounts', async () => {
    for (const q of spellings())
      expect(await find('/api/v1/accounts/search', { q, resolve: 'true' }), q).toMatchObject([
        { acct: handle },
      ])
    for (const q of spellings())
      expect(await find('/api/v1/accounts/search', { q }), q).toMatchObject([{ acct: handle }])
  })

  it('finds the account with exactly this handle, where there is one', async () => {
    const namesake = await given.remoteAccount({
      username: atHost.split('@')[0] ?? '',
      domain: atHost.split('@')[1] ?? '',
    })
    await find('/api/v2/search', { q: handle, resolve: 'true' })
    const { accounts } = Search.parse(await find('/api/v2/search', { q: atHost }))
    expect(accounts[0]).toMatchObject({ id: String(namesake.id), acct: atHost })
  })

  it('finds no account of another host, whatever its handle', async () => {
    await find('/api/v2/search', { q: handle, resolve: 'true' })
    const [username = '', domain = ''] = handle.split('@')
    for (const host of [`www.${domain}`, `social.${domain}.evil.test`, `ocial.${domain}`, 'social'])
      expect(await find('/api/v2/search', { q: `${username}@${host}` }), host).toMatchObject({ accounts: [] })
    expect(await find('/api/v2/search', { q: `other-${atHost}` })).toMatchObject({ accounts: [] })
  })

  it('opens the account on the page for addresses', async () => {
    const { browser } = await signedIn()
    for (const uri of [...spellings(), `acct:${atHost}`]) {
      const page = await browser.get(`/authorize_interaction?${new URLSearchParams({ uri })}`)
      expect(textOf(page.html), uri).toContain(`@${handle}`)
    }
  })
})
