import { eq } from 'drizzle-orm'
import { afterEach, describe, expect, it } from 'vitest'
import { linkMilliseconds } from '../../src/contract/media-proxy'
import { accounts } from '../../src/db/schema'
import { type LimitValues, liftLimit, limitDomain } from '../../src/domain/moderation/limit-domain'
import { operator } from '../../src/domain/policy/permissions'
import type { Http } from '../../src/ports/federation'
import { fileUrl } from '../../src/view/urls'
import { freshName, given } from '../support/given'
import { clock, context, fetchApp, settleLateWork } from '../support/test-app'

const asked: string[] = []
const png = { status: 200, headers: new Headers({ 'content-type': 'image/png', etag: '"one"' }) }
/** Every other server has a picture under every address. */
const http: Http = {
  sent: () => asked.length,
  send: async ({ url }) => {
    asked.push(url)
    return { ...png, body: new Response('picture').body, url }
  },
}

function addressOf(url: string, owner: number | null = null): string {
  return fileUrl(context().config, { remote: url }, owner)
}

async function get(address: string, headers: Record<string, string> = {}) {
  const { response, costs } = await fetchApp(new Request(address, { headers }), { http })
  return { status: response.status, trips: costs.trips, headers: response.headers }
}

const statusOf = async (address: string) => (await get(address)).status

/** A server nobody else knows, and a picture on a host below it. */
function freshServer() {
  const domain = `${freshName('files')}.test`
  return { domain, picture: `https://cdn.${domain}/one.png` }
}

async function limit(domain: string, order: Partial<LimitValues>): Promise<void> {
  await limitDomain(context(), operator, domain, { severity: 'noop', ...order })
  await settleLateWork()
}

const minute = 60_000

describe('files of limited servers', () => {
  it.each([
    ['suspended', { severity: 'suspend' as const }],
    ['kept from showing media', { rejectMedia: true }],
  ])('does not proxy files while their host is %s, and again afterwards', async (_what, order) => {
    const { domain, picture } = freshServer()
    const address = addressOf(picture)
    expect(await statusOf(address)).toBe(200)
    await limit(domain, order)
    asked.length = 0
    expect(await statusOf(address)).toBe(404)
    expect(asked).toEqual([])
    await liftLimit(context(), operator, domain)
    expect(await statusOf(address)).toBe(200)
  })

  it('proxies files of servers that are only limited', async () => {
    const { domain, picture } = freshServer()
    await limit(domain, { severity: 'silence' })
    expect(await statusOf(addressOf(picture))).toBe(200)
  })

  it('finds the account a file was shown for, on whatever host the file is', async () => {
    const { domain } = freshServer()
    const author = await given.remoteAccount({ domain: `social.${domain}` })
    const elsewhere = freshServer().picture
    const [theirs, others] = [addressOf(elsewhere, author.id), addressOf(elsewhere)]
    expect(await statusOf(theirs)).toBe(200)
    await limit(domain, { rejectMedia: true })
    expect(await statusOf(theirs)).toBe(404)
    expect(await statusOf(others)).toBe(200)
  })

  it('stops proxying files within a minute once the account is suspended or deleted', async () => {
    const { domain, picture } = freshServer()
    const author = await given.remoteAccount({ domain })
    const address = addressOf(picture, author.id)
    expect(await statusOf(address)).toBe(200)
    const { db } = context()
    await db.update(accounts).set({ suspendedAt: clock.now() }).where(eq(accounts.id, author.id))
    clock.advance(minute)
    expect(await statusOf(address)).toBe(404)
    expect(await statusOf(addressOf(picture, context().ids.next()))).toBe(404)
  })

  it('costs one round trip a minute for each host and account', async () => {
    const { domain, picture } = freshServer()
    const author = await given.remoteAccount({ domain })
    const address = addressOf(picture, author.id)
    expect((await get(address)).trips).toBe(1)
    expect((await get(address)).trips).toBe(0)
    expect((await get(addressOf(`${picture}?another`, author.id))).trips).toBe(0)
    clock.advance(minute)
    expect((await get(address)).trips).toBe(1)
  })
})

describe('the address of a proxied file', () => {
  const start = clock.now()
  afterEach(() => clock.set(start))
  const { picture } = freshServer()
  const day = 86_400_000

  it('the address of a proxied file stays the same for four weeks, so that browsers keep their cache', () => {
    const addresses = Array.from({ length: 28 }, () => {
      clock.advance(day)
      return addressOf(picture)
    })
    expect(new Set(addresses).size).toBeLessThanOrEqual(2)
  })

  it('works for four weeks after it was shown, and for eight at most', async () => {
    for (const age of [0, linkMilliseconds / 3, linkMilliseconds / 2]) {
      clock.set(new Date(start.getTime() + age))
      const address = addressOf(picture)
      clock.advance(linkMilliseconds)
      expect(await statusOf(address)).toBe(200)
      clock.advance(linkMilliseconds)
      expect(await statusOf(address)).toBe(404)
    }
  })

  it('differs for each account, and changes at its own time', () => {
    expect(addressOf(picture, 1)).not.toBe(addressOf(picture, 2))
    const pictures = Array.from({ length: 56 }, () => freshServer().picture)
    let changes = pictures.map((one) => addressOf(one))
    const perDay = Array.from({ length: 28 }, () => {
      clock.advance(day)
      const before = changes
      changes = pictures.map((one) => addressOf(one))
      return changes.filter((address, index) => address !== before[index]).length
    })
    expect(perDay.reduce((sum, count) => sum + count, 0)).toBe(56)
    expect(Math.max(...perDay)).toBeLessThan(12)
  })

  it('answers 304 to conditional requests, and is checked again after a day', async () => {
    const { status, headers } = await get(addressOf(picture), { 'if-none-match': '"one"' })
    expect(status).toBe(304)
    expect(headers.get('cache-control')).toBe('public, max-age=86400')
  })
})
