import { afterAll, beforeAll, expect, it } from 'vitest'
import * as z from 'zod'
import { Status } from '../../../src/contract/entities/status'
import { List } from '../../../src/contract/entities/timelines'
import { as, eventually, follows } from './support/api'
import type { Instance, Person } from './support/instance'
import { Visitor } from './support/pages'
import { openWorld, type World } from './support/world'

/** Files of follows, lists, blocks, mutes, limits and bookmarks, carried from one server to the next. */

let world: World
let a: Instance
let b: Instance
let old: Person
let fresh: Person
/** People whom the files name: two of the old server, and two of the new one. */
let heron: Person
let magpie: Person
let crow: Person
let jay: Person

beforeAll(async () => {
  world = await openWorld('a', 'b')
  a = world.instance('a')
  b = world.instance('b')
  old = await a.member('wren')
  fresh = await b.member('jenny')
  heron = await a.member('heron')
  crow = await b.member('crow')
  magpie = await a.member('magpie')
  jay = await b.member('jay')
})
afterAll(() => world?.close())

const Token = z.object({ token: z.string() })
const Named = z.looseObject({ username: z.string(), acct: z.string() })

/** Relations of a person that the files carry. */
async function relations(person: Person) {
  const { domain } = person.instance
  const handles = async (path: string) =>
    (await as(person).get(path, z.array(Named)))
      .map(({ username, acct }) => (acct.includes('@') ? acct : `${username}@${domain}`))
      .toSorted()
  const lists = await as(person).get('/api/v1/lists', z.array(List))
  return {
    following: await handles(`/api/v1/accounts/${person.id}/following`),
    lists: await Promise.all(
      lists.map(async ({ id, title }) => [title, await handles(`/api/v1/lists/${id}/accounts?limit=0`)]),
    ),
    blocks: await handles('/api/v1/blocks'),
    mutes: await handles('/api/v1/mutes'),
    domains: await as(person).get('/api/v1/domain_blocks', z.array(z.string())),
    bookmarks: (await as(person).get('/api/v1/bookmarks', z.array(Status))).map(({ uri }) => uri).toSorted(),
  }
}

it('imports follows, lists, blocks, mutes, limits and bookmarks of one server into the next', async () => {
  const me = as(old)
  const ids = { heron: await follows(old, heron), crow: await follows(old, crow) }
  const { id: list } = await me.post('/api/v1/lists', List, { title: 'Waders, and others' })
  await me.post(`/api/v1/lists/${list}/accounts`, z.looseObject({}), { account_ids: [ids.heron, ids.crow] })
  await me.block((await me.find(magpie.handle)).id)
  const muted = await me.find(jay.handle)
  await me.post(`/api/v1/accounts/${muted.id}/mute`, z.looseObject({}))
  await me.post('/api/v1/domain_blocks', z.looseObject({}), { domain: 'cuckoo.test' })
  for (const author of [heron, crow]) {
    const { uri } = await as(author).write(`Words of ${author.username}`)
    const copy = await eventually(async () => {
      const found = await me.received(uri)
      if (found === null) throw new Error('It did not arrive')
      return found
    })
    await me.act(copy.id, 'bookmark')
  }
  const before = await relations(old)
  expect(before).toEqual({
    following: [crow.handle, heron.handle],
    lists: [['Waders, and others', [crow.handle, heron.handle]]],
    blocks: [magpie.handle],
    mutes: [jay.handle],
    domains: ['cuckoo.test'],
    bookmarks: [expect.any(String), expect.any(String)],
  })

  const [there, here] = [await Visitor.of(old), await Visitor.of(fresh)]
  // A password chosen anew ends all tokens.
  const order = { username: fresh.username, scopes: ['read'] }
  const reader = { ...fresh, ...Token.parse(await b.setup('tokens/create', order)) }
  const files = [
    ['following', 'follows', 'following'],
    ['lists', 'lists', 'lists'],
    ['blocks', 'blocks', 'blocks'],
    ['mutes', 'mutes', 'mutes'],
    ['domain_blocks', 'domain_blocks', 'domains'],
    ['bookmarks', 'bookmarks', 'bookmarks'],
  ] as const
  for (const [kind, name, relation] of files) {
    const file = new Blob([await there.download(`/settings/exports/${name}.csv`)], { type: 'text/csv' })
    const asked = await here.fill('/settings/imports', '/settings/imports', { kind, file })
    const start = asked.forms.find(({ action }) => action.endsWith('/start'))?.action ?? 'nowhere'
    await here.fill('/settings/imports', new URL(start, asked.url).pathname, {})
    // Lists take those who are followed already.
    await eventually(async () => expect((await relations(reader))[relation]).toEqual(before[relation]))
  }
  expect(await relations(reader)).toEqual(before)
  for (const author of [heron, crow]) expect(await as(author).followers(author.id)).toHaveLength(2)
})
