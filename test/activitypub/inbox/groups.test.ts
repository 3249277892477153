import { beforeEach, describe, expect, it } from 'vitest'
import type { Job } from '../../../src/messages/jobs'
import { as } from '../../support/as'
import { fediverse } from '../../support/fediverse'
import type { Activity, Document } from '../../support/fediverse/documents'
import { given, type TestAccount } from '../../support/given'
import type { KnownPeer } from '../../support/given-peer'
import { relation } from '../../support/given-relationships'
import { runJob } from '../../support/run-job'
import { clock, context, settleLateWork } from '../../support/test-app'

/** Groups pass on what their members write (FEP-1b12), each software in a form of its own. */

const PUBLIC = 'https://www.w3.org/ns/activitystreams#Public'
const { network } = fediverse

let reader: TestAccount
let group: KnownPeer
let author: KnownPeer
let jobs: { readonly job: Job; readonly delaySeconds: number }[]

beforeEach(async () => {
  reader = await given.account()
  group = await given.peer({ type: 'Group' })
  author = await given.peer()
  jobs = []
  await relation.follow(reader, group)
})

const overrides = {
  jobs: {
    send: async (job: Job, options?: { readonly delaySeconds: number }) =>
      void jobs.push({ job, delaySeconds: options?.delaySeconds ?? 0 }),
  },
}

let made = 0

/** The Announce of a group, as Lemmy, PieFed and Mbin write it. */
function announced(object: unknown, by: KnownPeer = group): Activity {
  made += 1
  const id = `${new URL(by.uri).origin}/activities/announce/${made}`
  return { ...by.announce(`${id}#object`), id, to: [PUBLIC], cc: [by.followers], object }
}

async function pass(object: unknown, by: KnownPeer = group) {
  expect((await by.send(announced(object, by), { overrides })).status).toBe(202)
}

/** Runs what was queued, and lets the time of delayed jobs pass. */
async function settle() {
  for (const { job, delaySeconds } of jobs.splice(0)) {
    clock.advance(delaySeconds * 1_000)
    await runJob(context({ jobs: overrides.jobs }), job)
  }
  await settleLateWork()
}

async function home() {
  const { body } = await as(reader).get('/api/v1/timelines/home')
  return Array.isArray(body) ? body.map(({ reblog }) => reblog) : []
}

/** A Page of Lemmy, which PieFed and Mbin copy. */
function page(by: KnownPeer, over: Document = {}) {
  return by.note({
    document: {
      type: 'Page',
      url: undefined,
      to: [group.uri, PUBLIC],
      cc: [],
      audience: group.uri,
      name: 'Ferns',
      content: '<p>First</p>',
      contentMap: undefined,
      mediaType: 'text/html',
      source: { content: 'First', mediaType: 'text/markdown' },
      attachment: [],
      sensitive: false,
      commentsEnabled: true,
      language: { identifier: 'en', name: 'English' },
      ...over,
    },
  })
}

function activity(type: string, by: KnownPeer, object: unknown, over: Document = {}): Document {
  made += 1
  const id = `${new URL(by.uri).origin}/activities/${type.toLowerCase()}/${made}`
  return { id, type, actor: by.uri, to: [PUBLIC], cc: [group.uri], audience: group.uri, object, ...over }
}

async function stored(by: KnownPeer = author, over: Document = {}) {
  const post = page(by, over)
  await pass(activity('Create', by, post))
  await settle()
  expect(await home()).toMatchObject([{ uri: post.id }])
  clock.advance(120_000)
  return post
}

describe('a Create that a group announces', () => {
  it.each<[string, (post: Document) => unknown]>([
    ['Lemmy, PieFed and Mbin: the Create', (post) => activity('Create', author, post)],
    ['PieFed to microblogs: the id of the page', (post) => post['id']],
    ['NodeBB: the object itself', (post) => post],
    [
      'Discourse: with actors written out',
      (post) => activity('Create', author, post, { actor: author.document }),
    ],
    ['an object by its id alone', (post) => activity('Create', author, post['id'])],
  ])('boosts the object of an announced Create, fetched from its server. %s', async (_software, objectOf) => {
    const post = page(author)
    await pass(objectOf({ ...post, content: '<p>Forged</p>' }))
    await settle()
    expect(await home()).toMatchObject([{ uri: post.id, content: expect.stringContaining('<p>First</p>') }])
  })
})

describe('an Update that a group announces', () => {
  const newer = { content: '<p>Second</p>', source: { content: 'Second', mediaType: 'text/markdown' } }
  const now = () => clock.now().toISOString()

  it.each<[string, (post: Document) => { readonly served: Document; readonly sent: unknown }]>([
    [
      'Lemmy: Page with the date of the edit',
      (post) => {
        const served = { ...post, ...newer, updated: now() }
        return { served, sent: activity('Update', author, served) }
      },
    ],
    [
      'PieFed: the page at its address has no date',
      (post) => ({
        served: { ...post, ...newer },
        sent: activity('Update', author, { ...post, ...newer, updated: now() }),
      }),
    ],
    [
      'Mbin: no date, but in a property of its own',
      (post) => ({
        served: { ...post, ...newer },
        sent: activity('Update', author, { ...post, ...newer, object: { updated: now() } }),
      }),
    ],
    [
      'NodeBB: Note, with an id that is a fragment',
      (post) => {
        const served = { ...post, ...newer, type: 'Note', name: undefined, updated: now() }
        const id = `${post['id']}#activity/update/${clock.now().getTime()}`
        return { served, sent: activity('Update', author, served, { id, audience: undefined }) }
      },
    ],
    [
      'Discourse: actors written out',
      (post) => {
        const served = { ...post, ...newer, type: 'Note', updated: now() }
        return {
          served,
          sent: activity('Update', author, served, { actor: author.document, '@context': PUBLIC }),
        }
      },
    ],
    [
      'by the id of its object',
      (post) => ({ served: { ...post, ...newer }, sent: activity('Update', author, post['id']) }),
    ],
  ])('updates the announced post from its own server. %s', async (_software, documentsFor) => {
    const post = await stored()
    const { served, sent } = documentsFor(post)
    network.serve(post.id, served)
    await pass(sent)
    await settle()
    expect(await home()).toMatchObject([
      { uri: post.id, content: expect.stringContaining('<p>Second</p>'), edited_at: expect.any(String) },
    ])
  })

  it('does not edit where nothing changed, or where only the group claims a change', async () => {
    const post = await stored()
    await pass(activity('Update', author, { ...post, ...newer, updated: now() }))
    await settle()
    expect(await home()).toMatchObject([{ edited_at: null, content: expect.stringContaining('First') }])
  })
})

describe('a Delete that a group announces', () => {
  const tombstone = (post: Document) => ({ id: post['id'], type: 'Tombstone' })

  it.each<[string, (post: Document) => unknown, (uri: string, deletion: Document) => void]>([
    [
      'Lemmy: id, Tombstone with 410',
      (post) => activity('Delete', author, post['id']),
      (uri) => network.gone(uri),
    ],
    [
      'Lemmy, by a moderator elsewhere',
      (post) => activity('Delete', group, post['id'], { summary: 'spam' }),
      (uri) => network.gone(uri),
    ],
    [
      'NodeBB: id, Tombstone with 200',
      (post) =>
        activity('Delete', author, post['id'], {
          id: `${post['id']}#activity/delete/1`,
          origin: 'https://a.test/topic/1',
        }),
      (uri) => network.serve(uri, { id: uri, type: 'Tombstone', formerType: 'Note' }),
    ],
    [
      'Mbin: Tombstone, while its page is served still',
      (post) => activity('Delete', author, tombstone(post)),
      (_uri, deletion) => network.serve(String(deletion['id']), deletion),
    ],
    [
      'Discourse: the note, then 404, the Delete can be fetched',
      (post) => activity('Delete', author, post, { actor: author.document }),
      (uri, deletion) => {
        network.missing(uri)
        network.serve(String(deletion['id']), deletion)
      },
    ],
    [
      'Discourse, where its topic is hidden: 401',
      (post) => activity('Delete', author, post),
      (uri, deletion) => {
        network.fail(uri, { status: 401 })
        network.serve(String(deletion['id']), deletion)
      },
    ],
  ])('deletes the post that its own server has deleted. %s', async (_software, deletionOf, change) => {
    const post = await stored()
    const deletion = Object(deletionOf(post))
    change(post.id, deletion)
    await pass(deletion)
    await settle()
    expect(await home()).toEqual([])
  })

  it('deletes a post on the server of the group that answers 404, where the Delete cannot be fetched', async () => {
    const member = await given.peer({ host: group.host })
    const post = await stored(member)
    network.missing(post.id)
    await pass(activity('Delete', member, post.id))
    await settle()
    expect(await home()).toEqual([])
  })

  it.each<[string, (post: Document) => Promise<Document> | Document]>([
    [
      'of another server, that answers 404 and has no Delete',
      (post) => activity('Delete', author, post['id']),
    ],
    [
      'whose Delete is on another server',
      (post) => {
        const deletion = activity('Delete', author, post['id'], { id: 'https://evil.test/delete/1' })
        network.serve('https://evil.test/delete/1', deletion)
        return deletion
      },
    ],
    [
      'whose Delete is about something else',
      (post) => {
        const deletion = activity('Delete', author, post['id'])
        network.serve(String(deletion['id']), { ...deletion, object: `${post['id']}0` })
        return deletion
      },
    ],
    [
      'whose Delete is by a neighbour',
      async (post) => {
        const neighbour = await given.peer({ host: author.host })
        const deletion = activity('Delete', neighbour, post['id'])
        network.serve(String(deletion['id']), deletion)
        return deletion
      },
    ],
    [
      'whose Delete leads to another server',
      (post) => {
        const deletion = activity('Delete', author, post['id'])
        network.respond(
          String(deletion['id']),
          () => new Response('', { status: 302, headers: { location: 'https://evil.test/delete/2' } }),
        )
        network.serve('https://evil.test/delete/2', { ...deletion, id: 'https://evil.test/delete/2' })
        return deletion
      },
    ],
  ])('an announced Delete keeps a post %s', async (_case, deletionOf) => {
    const post = await stored()
    const deletion = await deletionOf(post)
    network.missing(post.id)
    await pass(deletion)
    await settle()
    expect(await home()).toMatchObject([{ uri: post.id }])
  })

  it('keeps a followers-only post, because a 404 is no proof that it is deleted', async () => {
    const member = await given.peer({ host: group.host })
    await relation.follow(reader, member)
    const secret = member.note({ visibility: 'private' })
    await member.send(member.create(secret))
    network.missing(secret.id)
    await pass(activity('Delete', member, secret.id))
    await settle()
    const { body } = await as(reader).get('/api/v1/timelines/home')
    expect(body).toMatchObject([{ uri: secret.id }])
  })

  it('retries later where the server of the Delete does not answer', async () => {
    const post = await stored()
    const deletion = activity('Delete', author, post.id)
    network.missing(post.id)
    network.fail(String(deletion['id']), { status: 503 })
    await pass(deletion)
    await expect(settle()).rejects.toThrow('Its server does not answer')
    expect(await home()).toMatchObject([{ uri: post.id }])
  })

  it('runs an announced Delete a minute later where it follows an Update at once', async () => {
    const post = await stored()
    await pass(activity('Update', author, { ...post, content: '<p>x</p>' }))
    await settle()
    network.gone(post.id)
    await pass(activity('Delete', author, post.id))
    expect(jobs).toMatchObject([{ delaySeconds: 60 }])
    await settle()
    expect(await home()).toEqual([])
  })

  it('runs announced Deletes of one server at a rate of a hundred a minute', async () => {
    await relation.follow(reader, author)
    const many = Array.from({ length: 120 }, () => page(author))
    for (const post of many) {
      await author.send(author.create(post))
      await pass(activity('Delete', author, post.id))
    }
    expect(jobs.map(({ delaySeconds }) => delaySeconds)).toEqual([
      ...Array(100).fill(0),
      ...Array(20).fill(60),
    ])
  })
})
