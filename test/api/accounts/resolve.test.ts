import { describe, expect, it } from 'vitest'
import { anonymous, as } from '../../support/as'
import { fediverse } from '../../support/fediverse'
import { given } from '../../support/given'

const { network } = fediverse

describe('GET /api/v1/accounts/lookup', () => {
  it('finds remote accounts for signed-in users', async () => {
    const alice = await given.account()
    const peer = await fediverse.actor()

    const { status, body } = await as(alice).get(`/api/v1/accounts/lookup?acct=@${peer.handle}`)

    expect(status).toBe(200)
    expect(body).toMatchObject({ acct: peer.handle, uri: peer.uri, display_name: peer.username })
  })

  it('fetches nothing without a token', async () => {
    const peer = await fediverse.actor()
    const mark = network.mark()

    expect((await anonymous.get(`/api/v1/accounts/lookup?acct=${peer.handle}`)).status).toBe(404)
    expect(network.since(mark)).toEqual([])
  })

  it('answers 404 for handles that do not resolve', async () => {
    const alice = await given.account()

    expect((await as(alice).get('/api/v1/accounts/lookup?acct=x@unreached-of.test')).status).toBe(404)
    expect((await as(alice).get('/api/v1/accounts/lookup?acct=nobody-of-ours')).status).toBe(404)
  })

  it('shows a known remote account in the round trip that finds the caller', async () => {
    const alice = await given.account()
    const peer = await given.peer()

    const { body, costs } = await as(alice).get(`/api/v1/accounts/lookup?acct=${peer.handle}`)

    expect(body).toMatchObject({ id: String(peer.id) })
    expect(costs.trips).toBeLessThanOrEqual(2)
  })
})

describe('GET /api/v1/accounts/search', () => {
  it('finds a handle at its own server with resolve, and shows it first [T-216]', async () => {
    const alice = await given.account()
    const peer = await fediverse.actor()

    const { body } = await as(alice).get(`/api/v1/accounts/search?q=@${peer.handle}&resolve=true`)

    expect(body).toMatchObject([{ acct: peer.handle, uri: peer.uri }])
  })

  it.each(['', '&resolve=true&following=true', '&resolve=true&offset=1'])(
    'GET /api/v1/accounts/search fetches nothing with %s',
    async (parameters) => {
      const alice = await given.account()
      const peer = await fediverse.actor()
      const mark = network.mark()

      const { body } = await as(alice).get(`/api/v1/accounts/search?q=${peer.handle}${parameters}`)

      expect(body).toEqual([])
      expect(network.since(mark)).toEqual([])
    },
  )

  it('does not fetch known accounts or invalid handles', async () => {
    const alice = await given.account()
    const peer = await given.peer()
    const mark = network.mark()

    const known = await as(alice).get(`/api/v1/accounts/search?q=${peer.handle}&resolve=true`)
    const words = await as(alice).get('/api/v1/accounts/search?q=some+words&resolve=true')

    expect(known.body).toMatchObject([{ id: String(peer.id) }])
    expect(words.body).toEqual([])
    expect(network.since(mark)).toEqual([])
  })

  it('returns known accounts when the other server fails', async () => {
    const alice = await given.account()
    const peer = await fediverse.actor()
    network.fail(peer.at.origin, { broken: 'timeout' })

    const { status, body } = await as(alice).get(`/api/v1/accounts/search?q=${peer.handle}&resolve=true`)

    expect(status).toBe(200)
    expect(body).toEqual([])
  })
})

describe('accounts found by handle', () => {
  it('accounts found by handle can be followed with a request to their server', async () => {
    const alice = await given.account()
    const peer = await fediverse.actor()
    const found = await as(alice).get(`/api/v1/accounts/lookup?acct=${peer.handle}`)
    const { id } = found.body as { id: string }

    const { body } = await as(alice).post(`/api/v1/accounts/${id}/follow`)

    expect(body).toMatchObject({ id, following: false, requested: true })
  })
})
