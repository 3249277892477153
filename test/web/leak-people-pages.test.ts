import { eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { accounts, trendingStatuses } from '../../src/db/schema'
import { Browser } from '../support/browser'
import { type AccountOptions, freshName, given, type TestAccount } from '../support/given'
import { relation } from '../support/given-relationships'
import { storedStatus } from '../support/given-stored'
import { signedIn } from '../support/members'
import { clock, context } from '../support/test-app'

/**
 * Every page, feed and document of the site that names people, opened for somebody who may not be named there. What
 * their posts say is hidden elsewhere: leak-pages.test.ts.
 */

/** Addresses that offer people to those who look around, and addresses of one person. */
const offering = ['/', '/directory', '/explore', '/public', '/public/local', '/tags/TAG', '/sitemap.xml']
const asking = [
  '/@NAME',
  '/@NAME/with_replies',
  '/@NAME/media',
  '/@NAME/tagged/TAG',
  '/@NAME.rss',
  '/@NAME.atom',
  '/@NAME/tagged/TAG.rss',
  '/users/NAME/remote_follow',
  '/@OTHER/STATUS',
  '/authorize_interaction?uri=acct:NAME@fieldfare.test',
  '/.well-known/webfinger?resource=acct:NAME@fieldfare.test',
]

interface Situation {
  readonly options: AccountOptions
  /** Addresses that name the person all the same, to visitors or to members. */
  readonly named: readonly string[]
  /** Not let in yet, and so without posts. */
  readonly isNew?: boolean
}

const wanting = { discoverable: true, indexable: true }
/** Pages of a suspended account say no more than that. */
const goneAddresses = ['/.well-known/webfinger?resource=acct:NAME@fieldfare.test']
const known = asking

const situations: Readonly<Record<string, Situation>> = {
  'has not confirmed the address': {
    options: { ...wanting, user: { confirmedAt: null } },
    named: [],
    isNew: true,
  },
  'waits for approval': { options: { ...wanting, user: { approved: false } }, named: [], isNew: true },
  'is suspended': { options: { ...wanting, suspendedAt: clock.now() }, named: goneAddresses },
  'does not want to be found': {
    options: { discoverable: false, indexable: true },
    named: [...known, '/', '/explore', '/public', '/public/local', '/tags/TAG'],
  },
  'is limited by moderators': {
    options: { ...wanting, silencedAt: clock.now() },
    // To those who follow them.
    named: [...known, '/explore', '/public', '/public/local', '/tags/TAG'],
  },
}

interface Scene {
  readonly person: TestAccount
  /** A word in the name that the person shows. */
  readonly shown: string
  readonly addresses: ReadonlyMap<string, string>
}

/** Makes a person who posted, and whose post trends, unless they are new. */
async function sceneOf({ options, isNew = false }: Omit<Situation, 'named'>): Promise<Scene> {
  const shown = `${freshName('Corncrake')}x`
  const [person, other] = [
    await given.account({ ...options, displayName: shown, lastStatusAt: clock.now() }),
    await given.account(),
  ]
  const tag = freshName('bird')
  const { db } = context()
  await db.update(accounts).set({ statusesCount: 1 }).where(eq(accounts.id, person.id))
  const asked = await storedStatus({ accountId: other.id })
  if (!isNew) {
    const statusId = await storedStatus({ accountId: person.id, tags: [tag], language: 'en' })
    await storedStatus({ accountId: person.id, inReplyToId: asked, inReplyToAccountId: other.id })
    const trend = { statusId, accountId: person.id, language: 'en', rank: 1e9, trendable: true }
    await db.insert(trendingStatuses).values(trend)
  }
  const addresses = [...offering, ...asking].map((path) => {
    const address = path
      .replace('NAME', person.username)
      .replace('OTHER', other.username)
      .replace('STATUS', String(asked))
      .replace('TAG', tag)
    return [path, address] as const
  })
  return { person, shown, addresses: new Map(addresses) }
}

/** Addresses that name the person to a visitor or to somebody who follows them. */
async function naming({ person, shown, addresses }: Scene): Promise<readonly string[]> {
  const { member, browser } = await signedIn()
  await relation.follow(member, person)
  const found: string[] = []
  for (const [path, address] of addresses) {
    const pages = [await new Browser().get(address), await browser.get(address)]
    for (const { status } of pages) expect([path, status]).toEqual([path, expect.toBeOneOf(answers)])
    // Pages repeat what was asked for: the name that the person shows has to be read, where there is one.
    const isNamed = ({ html, status }: (typeof pages)[number]) =>
      path === '/sitemap.xml'
        ? html.includes(`/@${person.username}<`)
        : html.includes(shown) || (status === 200 && path.startsWith('/.well-known/'))
    if (pages.some(isNamed)) found.push(path)
  }
  return found
}

const answers = [200, 302, 303, 404, 410, 422]

describe.each(Object.entries(situations))('an account that %s', (_, situation) => {
  it('no page names a hidden account where it names others', async () => {
    const found = await naming(await sceneOf(situation))
    expect(found.filter((path) => !situation.named.includes(path))).toEqual([])
  })
})

it('every page names a discoverable account', async () => {
  const scene = await sceneOf({ options: wanting })
  clock.advance(1_000)
  const found = await naming(scene)
  expect([...offering, ...asking].filter((path) => !found.includes(path))).toEqual([])
})
