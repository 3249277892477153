import { describe, expect, it } from 'vitest'
import { Browser } from '../support/browser'
import { given } from '../support/given'
import { storedStatus } from '../support/given-stored'
import { givenMember, password } from '../support/members'

/** The name of this server lent to others: paths and parameters that lead on, in the spellings browsers misread. */

const elsewhere = [
  'https://evil.example/',
  '//evil.example/',
  '///evil.example/',
  '/\\evil.example/',
  '\\\\evil.example',
  '/\t/evil.example/',
  '/\n/evil.example',
  'https:evil.example',
  'javascript:alert(1)',
  '/..//evil.example',
  '/.//evil.example',
  '/%2e%2e//evil.example',
  '%2f%2fevil.example',
  'https://fieldfare.test@evil.example/',
  'https://fieldfare.test.evil.example/',
  '//fieldfare.test:pw@evil.example',
  ' //evil.example',
  '/ /evil.example/..',
]

/** Whether `location` leads a browser that is at `path` to another host. */
const leaves = (path: string, location: string | null) =>
  location !== null && new URL(location, `https://fieldfare.test${path}`).host !== 'fieldfare.test'

describe('a path', () => {
  it('no path redirects a browser to another server [T-026]', async () => {
    const [alice, peer] = [await givenMember(), await given.peer()]
    const remote = await storedStatus({
      accountId: peer.id,
      local: false,
      uri: `${peer.uri}/1`,
      url: `${peer.uri}/1`,
    })
    const reblog = await storedStatus({ accountId: alice.id, reblogOfId: remote })
    const remoteHandle = `@${peer.username}@${new URL(peer.uri).host}`
    const paths = [
      ...[
        '',
        '/web',
        '/web/',
        '/@x',
        '/users',
        '/users/x',
        '/@x/..',
        '/auth',
        '/.',
        '/..',
        '/settings',
        '/tags',
      ].flatMap((start) =>
        [
          '//evil.example',
          '//evil.example/',
          '//evil.example/%2e%2e',
          '/%2f%2fevil.example',
          '/\\evil.example',
        ].map((end) => start + end),
      ),
      `/${remoteHandle}`,
      `/${remoteHandle}/${remote}`,
      `/@${alice.username}/${reblog}`,
      `/@${alice.username}/${remote}`,
      `/users/${alice.username}/statuses/${reblog}`,
      `/users/${alice.username}/statuses/${remote}`,
      `/users/${peer.username}`,
      `/web/accounts/${peer.id}`,
      `/web/statuses/${remote}`,
      `/deck/${remoteHandle}`,
      `/authorize_interaction?uri=${peer.uri}`,
      `/interact/${remote}`,
      `/redirect?url=https://evil.example/`,
    ]
    for (const path of paths) {
      const { location } = await new Browser().get(path)
      expect([path, location, leaves(path, location)]).toEqual([path, location, false])
    }
  })
})

describe('the target of a redirect', () => {
  it.each(elsewhere)('signing in and out never redirects to %j [T-027]', async (place) => {
    const alice = await givenMember()
    const browser = new Browser()
    const signIn = await browser.signIn(alice.username, password, place)
    expect([signIn.status, leaves('/auth/sign_in', signIn.location)]).toEqual([303, false])
    const again = await browser.get(`/auth/sign_in?${new URLSearchParams({ return_to: place })}`)
    expect([again.status, leaves('/auth/sign_in', again.location)]).toEqual([302, false])
    const signOut = await browser.fill('/auth/sign_out', { return_to: place })
    expect([signOut.status, leaves('/auth/sign_out', signOut.location)]).toEqual([303, false])
  })

  it('the target of a redirect is the previous page on this server, as a counter-check', async () => {
    const page = await new Browser().signIn((await givenMember()).username, password, '/auth/edit/email')
    expect(page.location).toBe('/auth/edit/email')
  })
})
