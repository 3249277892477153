import { describe, expect, it } from 'vitest'
import { feedRoutes } from '../../src/web/feeds/routes'
import { adminPages } from '../../src/web/pages/admin'
import { settingsPages } from '../../src/web/pages/settings'
import { pageRoutes } from '../../src/web/routes'
import { Browser } from '../support/browser'
import { freshName } from '../support/given'
import { relation } from '../support/given-relationships'
import { feeds, fromHere, remember, samples, sceneOf, situations, told } from '../support/leak-scenes'
import { signedIn } from '../support/members'

/**
 * Every public page and feed, opened for statuses that nobody but their author may see there: each is pinned, trending,
 * quoted, reblogged and part of a public thread. The table has a sample for each route, or a reason why it has none.
 */

const memberPaths = new Set(
  [...settingsPages, ...adminPages].flatMap(({ routes }) => routes.map(({ path }) => path)),
)
const isMemberPage = (path: string) =>
  memberPaths.has(path) || /^\/(admin|settings|auth|oauth)(\/|$)/.test(path)

it('the table has a sample for every public page', () => {
  const paths = pageRoutes()
    .routes.filter(({ method }) => method === 'GET')
    .map(({ path }) => path)
  const missing = paths.filter((path) => !isMemberPage(path) && !Object.hasOwn(samples, path))
  expect([...new Set(missing)]).toEqual([])
  expect(Object.keys(samples).filter((path) => !paths.includes(path))).toEqual([])
  expect(feedRoutes().routes.filter(({ method }) => method === 'GET').length).toBeGreaterThan(5)
})

describe.each(Object.entries(situations))('a post that is %s', (name, situation) => {
  it('the hidden post is on no page and in no feed, for visitors and followers', async () => {
    const secret = freshName('capercaillie')
    const scene = await sceneOf(situation, secret)
    const { member, browser } = await signedIn()
    await relation.follow(member, scene.author)
    const stranger = await signedIn()
    for (const one of [member, stranger.member]) await remember(one, scene)
    const paths = [...Object.values(samples).flatMap((sample) => sample(scene)), ...feeds(scene)]
    // Pages for members show followers what is for them, and members what is for the server.
    const isForMembers = (path: string, who: string) =>
      (path === '/explore' && who !== 'visitor' && /server/.test(name)) ||
      (/^\/(authorize_interaction|publish|posts|accounts|home|notifications|conversations|bookmarks|favourites|search|public|tags\/\w+$|@[^/.]+(\/[^.]+)?$)/.test(
        path,
      ) &&
        !path.endsWith('/embed') &&
        ((who === 'follower' && /followers|server/.test(name)) || (who === 'member' && /server/.test(name))))
    const found: string[] = []
    for (const [who, visitor] of Object.entries({
      visitor: new Browser(),
      follower: browser,
      member: stranger.browser,
    }))
      for (const path of paths) {
        const page = await visitor.get(path, fromHere)
        if (told(path, page, scene, secret) && !isForMembers(path, who)) found.push(`${who} ${path}`)
        expect([path, page.status]).toEqual([path, expect.toBeOneOf([200, 302, 404, 410])])
      }
    expect(found).toEqual([])
  })
})

/** Samples that show no post at all, whoever may see it: they are opened in case they ever do. */
const withoutPosts = [
  // Shows a post of others only where the member asked to hear of each.
  '/notifications/activity',
  // Shows direct posts alone.
  '/conversations/:id{[0-9]{1,16}}',
  '/conversations/:id{[0-9]{1,16}}/delete',
  '/about',
  '/directory',
  '/posts/:id{[0-9]{1,16}}/delete',
  '/keyboard',
  '/:handle{@[^/]+}/followers',
  '/:handle{@[^/]+}/following',
  '/:handle{@[^/]+}/featured',
  '/:handle{@[^/]+}/:id{[0-9]{1,16}}/reblogs',
  '/:handle{@[^/]+}/:id{[0-9]{1,16}}/favourites',
  '/accounts/:id{[0-9]{1,16}}/mute',
  '/accounts/:id{[0-9]{1,16}}/block',
  '/accounts/:id{[0-9]{1,16}}/block_server',
  '/accounts/:id{[0-9]{1,16}}/remove_follower',
  '/accounts/:id{[0-9]{1,16}}/note',
  '/accounts/:id{[0-9]{1,16}}/shown',
  '/accounts/:id{[0-9]{1,16}}/lists',
]

describe('a public post beside the hidden ones', () => {
  it('a public post beside the hidden ones is found by the same check on every page and feed', async () => {
    const secret = freshName('capercaillie')
    const scene = await sceneOf({ row: {} }, secret)
    const { member, browser } = await signedIn()
    await relation.follow(member, scene.author)
    await remember(member, scene)
    const isFound = async (path: string) => {
      const pages = [await new Browser().get(path, fromHere), await browser.get(path, fromHere)]
      return pages.some((page) => told(path, page, scene, secret))
    }
    const { author, friend } = scene
    const ofFeeds = feeds(scene).map(
      (path) => [path.replace(friend.username, author.username), () => [path]] as const,
    )
    const heard: Record<string, boolean> = {}
    for (const [name, sample] of [...Object.entries(samples), ...ofFeeds])
      for (const path of sample(scene)) heard[name] = (await isFound(path)) || heard[name] === true
    const silent = Object.keys(heard).filter((name) => heard[name] === false)
    expect(silent.toSorted()).toEqual(withoutPosts.toSorted())
  })
})
