import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import * as z from 'zod'
import { fillDemo } from '../../../scripts/demo.mjs'
import { setup } from '../../../scripts/lib/server.mjs'
import { type Instance, startInstance } from '../support/instance'

const Token = z.object({ token: z.string() })
const Statuses = z.array(
  z.object({
    id: z.string(),
    account: z.object({ username: z.string() }),
    reblog: z.object({ id: z.string() }).nullable(),
  }),
)
const Account = z.object({
  display_name: z.string(),
  avatar: z.string(),
  header: z.string(),
  statuses_count: z.number(),
  followers_count: z.number(),
  following_count: z.number(),
})
const Post = z.object({
  content: z.string(),
  replies_count: z.number(),
  reblogs_count: z.number(),
  favourites_count: z.number(),
  media_attachments: z.array(z.object({ description: z.string() })),
  poll: z.object({ votes_count: z.number() }).nullable(),
})

/** Counts of everything a second run could double. */
async function census(origin: string) {
  const get = async (path: string): Promise<unknown> => (await fetch(`${origin}${path}`)).json()
  const names = ['merle', 'tomasz', 'ines', 'jun', 'petra', 'saoirse', 'bertil', 'amara']
  const accounts = names.map((name) => get(`/api/v1/accounts/lookup?acct=${name}`))
  const posts = await get('/api/v1/timelines/public?local=true&limit=40')
  return { accounts: z.array(Account).parse(await Promise.all(accounts)), posts: z.array(Post).parse(posts) }
}

describe('npm start -- --demo', () => {
  let instance: Instance
  const server = () => ({ origin: instance.origin, secrets: { SETUP_TOKEN: instance.setupToken } })

  beforeAll(async () => {
    instance = await startInstance({})
    await fillDemo(server())
  }, 120_000)
  afterAll(() => instance.close())

  it('makes accounts with avatars who follow each other, pictures, a poll and threads', async () => {
    const { accounts, posts } = await census(instance.origin)
    expect(accounts.filter(({ avatar, header }) => `${avatar}${header}`.includes('/assets/'))).toEqual([])
    expect(
      accounts.every(({ followers_count, statuses_count }) => followers_count > 1 && statuses_count > 2),
    ).toBe(true)
    expect(posts.filter(({ media_attachments }) => media_attachments.length > 0).length).toBeGreaterThan(3)
    expect(posts.map(({ poll }) => poll?.votes_count ?? 0)).toContain(7)
    expect(posts.some(({ replies_count }) => replies_count > 0)).toBe(true)
  })

  it('fills the home timeline of the owner', async () => {
    const { body } = await setup(server(), 'POST', 'account', { username: 'owner' })
    const headers = { Authorization: `Bearer ${Token.parse(body).token}` }
    const home = await fetch(`${instance.origin}/api/v1/timelines/home?limit=40`, { headers })
    const shown = Statuses.parse(await home.json())
    expect(shown).toHaveLength(38)
    expect(new Set(shown.map(({ account }) => account.username)).size).toBe(8)
    // A reblog of a status that is already in the timeline does not repeat it.
    const posts = shown.map(({ id, reblog }) => reblog?.id ?? id)
    expect(posts).toEqual([...new Set(posts)])
  })

  it('doubles nothing when it runs again', async () => {
    const before = await census(instance.origin)
    await fillDemo(server())
    expect(await census(instance.origin)).toEqual(before)
  }, 60_000)
})
