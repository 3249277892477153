import { expect, it } from 'vitest'
import { ExpiringCache } from '../../src/lib/expiring-cache'
import { memoryIn } from '../../src/wire'
import { Browser } from '../support/browser'
import { givenRole } from '../support/given-staff'
import { signedIn } from '../support/members'
import { clock, context } from '../support/test-app'

/** Files of a server that was deployed with the documents, or without, and the addresses that were asked for. */
function files(hasDocuments: boolean) {
  const asked: string[] = []
  const { staticFiles } = context()
  const overrides = {
    memory: memoryIn(new ExpiringCache(10), () => clock.now()),
    staticFiles: {
      fetch: async (address: string) => {
        if (!address.endsWith('/docs/')) return staticFiles.fetch(address)
        asked.push(address)
        return new Response('Page', { status: hasDocuments ? 200 : 404 })
      },
    },
  }
  return { asked, overrides }
}

const link = 'href="/docs/"'
const staff = async () =>
  (await signedIn({ user: { roleId: await givenRole({ permissions: ['manageSettings'] }) } })).browser
const places = ['/admin', '/admin/settings', '/about']

it.each(places)(
  '%s leads to the documents where they were deployed, and to no missing page',
  async (path) => {
    const browser = await staff()
    const [served, missing] = [files(true), files(false)]
    expect((await browser.get(path, served)).html).toContain(link)
    expect((await browser.get(path, missing)).html).not.toContain(link)
  },
)

it('visitors find the documents on the page about the server', async () => {
  const [served, missing] = [files(true), files(false)]
  expect((await new Browser().get('/about', served)).html).toContain(link)
  clock.advance(120_000)
  expect((await new Browser().get('/about', missing)).html).not.toContain(link)
})

it('the files are asked for the documents once a day', async () => {
  const { asked, overrides } = files(true)
  for (const _ of [1, 2, 3]) await (await staff()).get('/admin', { overrides })
  expect(asked).toHaveLength(1)
  clock.advance(86_401_000)
  await (await staff()).get('/admin', { overrides })
  expect(asked).toHaveLength(2)
})

it('staff without a page of administration get no menu for the documents alone', async () => {
  const { browser } = await signedIn()
  const { overrides } = files(true)
  expect((await browser.get('/admin', { overrides })).status).toBe(403)
})
