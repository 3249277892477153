import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import * as z from 'zod'
import { root } from '../../../scripts/lib/server.mjs'
import { CustomEmoji } from '../../../src/contract/entities/custom-emoji'
import type { Status } from '../../../src/contract/entities/status'
import { FeaturedTag } from '../../../src/contract/entities/tag'
import { arrival, as, eventually, follows } from './support/api'
import type { Instance } from './support/instance'
import { openWorld, type World } from './support/world'

let world: World
let a: Instance
let b: Instance

beforeAll(async () => {
  world = await openWorld('a', 'b')
  a = world.instance('a')
  b = world.instance('b')
})
afterAll(() => world?.close())

const emojis = '/api/fieldfare/v1/admin/custom_emojis'
const wren = `data:image/png;base64,${readFileSync(join(root, 'test/data/media/rgba.png')).toString('base64')}`

let made = 0
/** Alice at a follows Bob at b, and has a post of his. */
async function acquainted() {
  made += 1
  const [alice, bob] = await Promise.all([a.member(`alice${made}`), b.member(`bob${made}`)])
  const bobId = await follows(alice, bob)
  const post = await as(bob).write('The wren sings.')
  const copy = await arrival(() => as(alice).received(post.uri))
  return { alice, bob, bobId, post, copy }
}

const namesOf = ({ reactions = [] }: Status) => reactions.map(({ name, count }) => [name, count])

describe('two servers', () => {
  it('two servers show each other reactions, and undo them', async () => {
    const { alice, bob, post, copy } = await acquainted()
    await a.setup(emojis, { shortcode: 'wren', image: wren })
    for (const name of ['🎉', 'wren']) await as(alice).act(copy.id, `react/${encodeURIComponent(name)}`)
    await eventually(async () =>
      expect(namesOf(await as(bob).status(post.id))).toEqual([
        ['🎉', 1],
        ['wren@a.test', 1],
      ]),
    )
    expect((await as(bob).notifications()).map(({ type }) => type)).toContain('favourite')
    await as(bob).act(post.id, 'react/wren@a.test')
    expect(namesOf(await as(bob).status(post.id))).toContainEqual(['wren@a.test', 2])
    for (const name of ['🎉', 'wren']) await as(alice).act(copy.id, `unreact/${encodeURIComponent(name)}`)
    await eventually(async () => expect(namesOf(await as(bob).status(post.id))).toEqual([['wren@a.test', 1]]))
  })

  it('copy emojis from each other', async () => {
    const { bob } = await acquainted()
    await a.setup(emojis, { shortcode: 'owl', image: wren })
    await b.setup(`${emojis}/copy`, { shortcode: 'owl', domain: 'a.test', category: 'Birds' })
    const listed = await as(bob).get('/api/v1/custom_emojis', z.array(CustomEmoji))
    const copied = listed.find(({ shortcode }) => shortcode === 'owl')
    expect(copied).toMatchObject({
      category: 'Birds',
      url: expect.stringMatching(/^https:\/\/b\.test\/media\//),
    })
  })

  it('two servers receive hashtags on profiles', async () => {
    const { alice, bob, bobId } = await acquainted()
    const shown = () => as(alice).get(`/api/v1/accounts/${bobId}/featured_tags`, z.array(FeaturedTag))
    const { id } = await as(bob).post('/api/v1/featured_tags', FeaturedTag, { name: 'WrenWatch' })
    await eventually(async () => expect((await shown()).map(({ name }) => name)).toEqual(['WrenWatch']))
    await as(bob).remove(`/api/v1/featured_tags/${id}`)
    await eventually(async () => expect(await shown()).toEqual([]))
  })
})
