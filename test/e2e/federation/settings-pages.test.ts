import { afterAll, beforeAll, expect, it } from 'vitest'
import { Account } from '../../../src/contract/entities/account'
import { launch, newWindows, press, withChromium } from '../support/browser'
import { as, eventually, follows } from './support/api'
import { type Door, openDoor } from './support/door'
import type { Instance, Person } from './support/instance'
import { password, Visitor } from './support/pages'
import { openWorld, type World } from './support/world'

withChromium('what a member clicks on pages of settings', () => {
  let world: World
  let door: Door
  let browser: Awaited<ReturnType<typeof launch>>
  let [a, b]: [Instance | null, Instance | null] = [null, null]

  beforeAll(async () => {
    world = await openWorld('a', 'b')
    door = await openDoor(world.router, ['a.test', 'b.test'])
    browser = await launch(`--proxy-server=${door.proxy}`)
    a = world.instance('a')
    b = world.instance('b')
  })
  afterAll(async () => {
    await browser?.close()
    door?.close()
    await world?.close()
  })

  /** Instances, which are open within tests. */
  function servers(): readonly [Instance, Instance] {
    if (a === null || b === null) throw new Error('The servers are open within tests only')
    return [a, b]
  }

  /** A window signed in as a person, on a page of their server; `isTyped`: by typing there, over https. */
  async function open(person: Person, path: string, isTyped = false) {
    const { context, complaints } = await newWindows(browser, { ignoreHTTPSErrors: true })
    // Files come from the folder: what is in front of a Worker serves them, and here nothing is.
    await context.route('**/assets/**', (route) =>
      route.fulfill({ path: `public${new URL(route.request().url()).pathname}` }),
    )
    const visitor = await Visitor.of(person)
    if (!isTyped) await context.addCookies(visitor.cookies())
    const page = await context.newPage()
    await page.goto(person.instance.origin + path)
    if (isTyped) {
      await page.getByLabel('E-mail address or username').fill(person.username)
      await page.getByLabel('Password', { exact: true }).fill(password)
      await press(page, 'Sign in')
    }
    return { context, complaints, page }
  }

  /** Two people of the first server, and one of the second who follows the first of them. */
  async function followed(names: readonly [string, string]) {
    const [here, there] = servers()
    const [member, follower] = [await here.member(names[0]), await there.member(names[1])]
    return { member, follower, id: await follows(follower, member) }
  }

  it('delivers a new name and biography to the servers of followers (/settings/profile)', async () => {
    const { member, follower, id } = await followed(['ada', 'bob'])
    const { context, complaints, page } = await open(member, '/settings/profile', true)
    await page.locator('[name=display_name]').fill('Ada of the Heath')
    await page.locator('[name=note]').fill('Counts larks')
    await press(page, 'Save')
    await page.getByText('Your profile is saved.').waitFor()
    await eventually(async () => {
      const { display_name, note } = await as(follower).get(`/api/v1/accounts/${id}`, Account)
      expect([display_name, note]).toEqual(['Ada of the Heath', '<p>Counts larks</p>'])
    })
    expect(complaints).toEqual([])
    await context.close()
  })

  it('removes the followers of a blocked server (/settings/blocks)', async () => {
    const { member, follower, id } = await followed(['carla', 'dan'])
    const { context, complaints, page } = await open(member, '/settings/blocks')
    await page.getByText('Block a server…').click()
    await page.getByLabel('Domain of the server').fill('b.test')
    await press(page, 'Block the server')
    await page.getByText('The server is blocked.').waitFor()
    await eventually(async () =>
      expect(await as(follower).relationship(id)).toMatchObject({ following: false, requested: false }),
    )
    expect(complaints).toEqual([])
    await context.close()
  })

  it('moves followers to the new account (/settings/migration)', async () => {
    const [, there] = servers()
    const { member, follower } = await followed(['emil', 'frida'])
    const target = await there.member('emil_new')
    const arriving = await open(target, '/settings/migration')
    await arriving.page.getByLabel('Your old account').fill(member.handle)
    await press(arriving.page, 'Add')
    await arriving.page.getByText('The alias is added.').waitFor()
    const leaving = await open(member, '/settings/migration')
    await leaving.page.getByLabel('Your new account').fill(target.handle)
    await leaving.page.getByLabel('Your password').fill(password)
    await press(leaving.page, 'Move followers')
    await leaving.page.getByText('Your account has moved.').waitFor()
    await eventually(async () =>
      expect(await as(follower).relationship(target.id)).toMatchObject({ following: true }),
    )
    expect([...arriving.complaints, ...leaving.complaints]).toEqual([])
    await arriving.context.close()
    await leaving.context.close()
  })

  it('deletes a deleted account on other servers (/settings/delete)', async () => {
    const { member, follower, id } = await followed(['gerd', 'hanna'])
    const { context, complaints, page } = await open(member, '/settings/delete')
    await page.getByLabel('Your password').fill(password)
    await press(page, 'Delete my account')
    await page.getByText('Your account is deleted.').waitFor()
    await eventually(async () => {
      const left = await as(follower).get(`/api/v1/accounts/${id}`, Account)
      expect(left).toMatchObject({ suspended: true, display_name: '', followers_count: 0 })
    })
    expect(complaints).toEqual([])
    await context.close()
  })
})
