import { expect, it } from 'vitest'
import { parseChoice, savePreferences } from '../../src/domain/users/preferences'
import { as } from '../support/as'
import { freshName, given, type TestAccount } from '../support/given'
import { givenFilter } from '../support/given-filter'
import { storedList } from '../support/given-list'
import { relation } from '../support/given-relationships'
import { eventsIn, streamSurfaces, subscribeToAll } from '../support/stream-surfaces'
import { context, settleLateWork } from '../support/test-app'

interface Scene {
  readonly viewer: TestAccount
  readonly author: TestAccount
  readonly list: number
}

interface Interaction {
  readonly act: (scene: Scene) => unknown
  /** Streams that carry nothing of the author afterwards. */
  readonly silences: RegExp
  /** Takes it back; what was silent is heard again. */
  readonly undo?: (scene: Scene) => unknown
}

const on = (who: 'viewer' | 'author', interaction: string) => (scene: Scene) => {
  const other = who === 'viewer' ? scene.author : scene.viewer
  return as(scene[who]).post(`/api/v1/accounts/${other.id}/${interaction}`)
}
const everywhere = /./
const aloud = /^(public|hashtag)/

const interactions: Readonly<Record<string, Interaction>> = {
  'a block': { act: on('viewer', 'block'), silences: everywhere },
  'a block by the author': { act: on('author', 'block'), silences: everywhere },
  'a mute': { act: on('viewer', 'mute'), silences: everywhere, undo: on('viewer', 'unmute') },
  'a choice of languages': {
    act: ({ viewer }) => choose(viewer, ['de']),
    silences: aloud,
    undo: ({ viewer }) => choose(viewer, []),
  },
  'an unfollow': { act: on('viewer', 'unfollow'), silences: /^(user|list)/ },
  'a removal from a list': {
    act: ({ viewer, list, author }) =>
      as(viewer).delete(`/api/v1/lists/${list}/accounts?account_ids[]=${author.id}`),
    silences: /^list/,
  },
  'a filter that hides': {
    act: ({ viewer }) => givenFilter(viewer, { context: ['home'], filter_action: 'hide', words: ['wren'] }),
    silences: /^(user|list)/,
  },
}

async function choose({ id }: TestAccount, chosenLanguages: readonly string[]): Promise<void> {
  const choice = parseChoice({
    defaultVisibility: 'public',
    defaultSensitive: false,
    defaultLanguage: null,
    defaultQuotePolicy: 'public',
    expandMedia: 'default',
    expandSpoilers: false,
    autoplayGifs: false,
    remindsOfDescriptions: false,
    showApplication: true,
    chosenLanguages,
  })
  if (choice === null) throw new Error('No such choice')
  await savePreferences(context(), id, choice)
  await settleLateWork()
}

async function scene() {
  const [viewer, author] = await given.accounts(2)
  if (viewer === undefined || author === undefined) throw new Error('nobody')
  await relation.follow(viewer, author)
  const list = await storedList({ of: viewer, members: [author] })
  const tag = freshName('obeyed')
  const socket = await subscribeToAll(viewer, streamSurfaces(tag, list))
  const post = () => as(author).post('/api/v1/statuses', { status: `A wren #${tag}`, language: 'en' })
  const told = async () => {
    await post()
    return eventsIn((await socket.rest()).filter(({ event }) => event === 'update'))
  }
  return { viewer, author, list, socket, told }
}

for (const [name, { act, silences, undo }] of Object.entries(interactions))
  it(`the next status applies ${name}`, async () => {
    const { socket, told, ...all } = await scene()
    const before = await told()
    expect(before).toHaveLength(6)
    await act(all)
    await socket.rest()
    expect(await told()).toEqual(before.filter((place) => !silences.test(place)))
    if (undo !== undefined) {
      await undo(all)
      expect(await told()).toEqual(before)
    }
    socket.close()
  })

/** A remote author with a local follower. */
async function followedPeer() {
  const peer = await given.peer()
  await relation.follow(await given.account(), peer)
  return peer
}

it('the next status applies the block of a domain, and its end', async () => {
  const viewer = await given.account()
  const peer = await followedPeer()
  const socket = await subscribeToAll(viewer, streamSurfaces(freshName('obeyed'), null))
  const told = async () => {
    await peer.send(peer.create(peer.note()))
    return eventsIn(await socket.rest())
  }
  expect(await told()).toEqual(['public update', 'public:remote update'])
  await as(viewer).post(`/api/v1/domain_blocks?domain=${peer.host}`)
  expect(await told()).toEqual([])
  await as(viewer).delete(`/api/v1/domain_blocks?domain=${peer.host}`)
  expect(await told()).toHaveLength(2)
  socket.close()
})

it('the next status applies a remote block and its end', async () => {
  const viewer = await given.account()
  const peer = await followedPeer()
  const socket = await subscribeToAll(viewer, streamSurfaces(freshName('obeyed'), null))
  const told = async () => {
    await peer.send(peer.create(peer.note()))
    return (await socket.rest()).length
  }
  expect(await told()).toBe(2)
  const { origin } = context().config
  const block = peer.block({ uri: `${origin}/users/${viewer.username}` })
  await peer.send(block)
  expect(await told()).toBe(0)
  await peer.send(peer.undo(block))
  expect(await told()).toBe(2)
  socket.close()
})

it('the next status has filtered by a filter, and not after its deletion', async () => {
  const { viewer, author } = await scene()
  const socket = await subscribeToAll(viewer, streamSurfaces(freshName('obeyed'), null))
  const marks = async () => {
    await as(author).post('/api/v1/statuses', { status: 'A wren' })
    const updates = (await socket.rest()).filter(({ event }) => event === 'update')
    return updates.map(({ payload }) => Object(JSON.parse(payload ?? '')).filtered.length)
  }
  expect(await marks()).toEqual([0, 0, 0])
  const filter = await givenFilter(viewer, { words: ['wren'] })
  expect(await marks()).toEqual([1, 1, 1])
  await as(viewer).delete(`/api/v2/filters/${filter.id}`)
  expect(await marks()).toEqual([0, 0, 0])
  socket.close()
})
