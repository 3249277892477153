import { describe, expect, it } from 'vitest'
import { Browser } from '../support/browser'
import { given } from '../support/given'
import { signedIn } from '../support/members'
import { context } from '../support/test-app'

const { config } = context()
const limited = { config: { ...config, federation: { ...config.federation, limited: true } } }

const signInFor = (path: string) => `/auth/sign_in?${new URLSearchParams({ return_to: path })}`

describe('a server in allow-list mode', () => {
  it.each([
    ['a profile', ''],
    ['posts of a profile by hashtag', '/tagged/birds'],
    ['a post', '/:id'],
    ['a post in a frame', '/:id/embed'],
  ])('shows %s to members, and redirects visitors to sign-in', async (_, rest) => {
    const alice = await given.account()
    const { id } = await given.status({ by: alice })
    const { browser } = await signedIn()
    const path = `/@${alice.username}${rest.replace(':id', String(id))}`

    const stranger = await new Browser(limited).get(path)
    const member = await browser.get(path, { overrides: limited })

    expect([stranger.status, stranger.location]).toEqual([302, signInFor(path)])
    expect(member.status).toBe(200)
    expect((await new Browser().get(path)).status).toBe(200)
  })

  it.each([
    ['a profile', '/@nobody_has_this_name'],
    ['a collection', '/collections/1'],
    ['a report of a year', '/@nobody_has_this_name/wrapstodon/2025/key'],
  ])('does not reveal to visitors whether %s exists', async (_, path) => {
    const stranger = await new Browser(limited).get(path)
    expect([stranger.status, stranger.location]).toEqual([302, signInFor(path)])
    expect((await new Browser().get(path)).status).toBe(404)
  })
})
