import { eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { accounts } from '../../src/db/schema'
import { Browser, textOf } from '../support/browser'
import { given } from '../support/given'
import { storedCollection } from '../support/given-collection'
import { clock, context } from '../support/test-app'

const open = (path: string) => new Browser().get(path)
const noindex = '<meta name="robots" content="noindex"/>'

describe('the page of a collection', () => {
  it('shows anonymous visitors the members, in one round trip, cacheable', async () => {
    const alice = await given.account({ indexable: true })
    const bob = await given.account({ displayName: 'Bob <Owl>' })
    const waiting = await given.account({ displayName: 'Not Yet' })
    const { id } = await storedCollection({ by: alice, of: [bob], name: 'Night & day', tag: 'Owls' })
    const page = await open(`/collections/${id}`)
    expect(page.status).toBe(200)
    for (const words of ['Night & day', 'Bob <Owl>', `@${alice.username}@fieldfare.test`, '#owls'])
      expect(textOf(page.html)).toContain(words)
    expect(textOf(page.html)).not.toContain(waiting.username)
    expect(page.costs.trips).toBeLessThanOrEqual(1)
    expect(page.html).not.toContain(noindex)
    expect(page.headers.get('cache-control')).toBe('public, max-age=60')
    expect(page.html).toContain(`<link rel="canonical" href="https://fieldfare.test/collections/${id}"/>`)
    const uri = `https://fieldfare.test/users/${alice.username}/collections/${id}`
    expect(page.headers.get('link')).toBe(`<${uri}>; rel="alternate"; type="application/activity+json"`)
    const redirect = await open(`/users/${alice.username}/collections/${id}`)
    expect(redirect.headers.get('location')).toBe(`https://fieldfare.test/collections/${id}`)
  })

  it('the page of a collection is excluded from search engines when it is unlisted or its owner is', async () => {
    const [shy, bold] = [await given.account(), await given.account({ indexable: true })]
    const [of, unlisted] = [
      await storedCollection({ by: shy }),
      await storedCollection({ by: bold, discoverable: false }),
    ]
    for (const { id } of [of, unlisted]) expect((await open(`/collections/${id}`)).html).toContain(noindex)
  })

  it('collapses a sensitive collection, and keeps its texts out of the title', async () => {
    const alice = await given.account()
    const { id } = await storedCollection({ by: alice, sensitive: true, name: 'Vultures' })
    const { html } = await open(`/collections/${id}`)
    expect(html).toContain('<details class="block">')
    expect(/<title>[^<]*/.exec(html)?.[0]).not.toContain('Vultures')
  })

  it('names the address of a remote collection, without a redirect', async () => {
    const remote = await given.remoteAccount({ domain: 'lure.test' })
    const at = { uri: 'https://lure.test/collections/1', url: 'https://lure.test/c/1' }
    const { id } = await storedCollection({ by: remote, ...at })
    const page = await open(`/collections/${id}`)
    expect([page.status, page.location]).toEqual([200, null])
    expect(page.html).toContain(`<a href="${at.url}"`)
  })

  it('answers 404 for unknown collections and suspended owners, and leaves out accounts without consent', async () => {
    const [alice, bob] = [await given.account(), await given.account()]
    const there = await given.remoteAccount({ displayName: 'Somebody Asked' })
    const pending = await storedCollection({ by: alice, of: [there], state: 'pending' })
    expect(textOf((await open(`/collections/${pending.id}`)).html)).not.toContain('Somebody Asked')
    const { id } = await storedCollection({ by: bob })
    const { db } = context()
    await db.update(accounts).set({ suspendedAt: clock.now() }).where(eq(accounts.id, bob.id))
    expect((await open(`/collections/${id}`)).status).toBe(404)
    expect((await open('/collections/1')).status).toBe(404)
  })
})
