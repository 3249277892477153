import { beforeAll, describe, expect, it } from 'vitest'
import { type AttackScenario, attackScenario } from '../../support/attack-scenario'
import { portRecorder } from '../../support/capture-delivery'
import { given } from '../../support/given'
import type { KnownPeer } from '../../support/given-peer'
import { relation } from '../../support/given-relationships'
import { type DocumentPool, mutate, SeededRandom } from '../../support/mutation'
import { foreignChanges } from '../../support/ownership'
import { runJob } from '../../support/run-job'
import { changesBetween, snapshot } from '../../support/snapshot'
import { clock, context, settleLateWork } from '../../support/test-app'
import { corpus } from '../../wire/corpus'

/**
 * Honest documents with a few places spoilt, in the name of a hostile server with a good signature: none brings the
 * server down, and none touches what others have. The same seed makes the same documents.
 */

const seeds = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]
const perSeed = 40

let scene: AttackScenario

beforeAll(async () => {
  scene = await attackScenario()
  // The first document ever asked for makes the actor that asks.
  await scene.eve.send(scene.eve.activity('Dance', 'x'), { keyId: 'https://evil.test/none' })
})

describe('a mutated document', () => {
  it.each(seeds)('causes neither an exception nor a foreign write: seed %i', async (seed) => {
    const random = new SeededRandom(seed)
    const eve = await given.peer({ host: `evil${seed}.test`, username: 'eve' })
    const accomplice = await given.peer({ host: eve.host, username: 'accomplice' })
    await relation.follow(scene.ada, eve)
    await relation.followRequest(scene.ada, accomplice)
    const pool = poolOf(eve)
    const before = await snapshot()
    const sent: string[] = []
    for (let index = 0; index < perSeed; index += 1) {
      const body = mutate(random, attributedTo(eve, random.pick(pool.documents), `${seed}-${index}`), pool)
      sent.push(body)
      await expectSurvived(eve, body)
    }
    const after = await snapshot()
    const changes = changesBetween(before, after)
    const foreign = foreignChanges(eve.host, changes, { before, after })
    if (foreign.length > 0) throw new Error(`${JSON.stringify(foreign)} after\n${sent.join('\n')}`)
    // A trial without any change to the database would prove nothing.
    expect(changes.length).toBeGreaterThan(0)
  })
})

/** Delivers the body and does the work that follows; neither may log an error. */
async function expectSurvived(eve: KnownPeer, body: string): Promise<void> {
  // Keys are fetched so many times a minute and no more.
  clock.advance(2_000)
  const recorder = portRecorder()
  const reply = await eve.send(body, { overrides: recorder.overrides })
  const { jobs, errors } = recorder.read()
  // 503: the host does not answer, or failed a moment ago and is not asked. Failures of this server log errors.
  const isPaused = reply.fetches.length === 0
  const hasFailed = reply.fetches.some(({ status }) => status === 0 || status >= 500)
  const isTheirs = reply.status === 503 && (hasFailed || isPaused)
  if (!(reply.status < 500 || isTheirs) || errors.length > 0)
    throw new Error(`${reply.status} ${reply.text} ${errors.join()} for ${body}`)
  for (const job of jobs) {
    const work = runJob(context(portRecorder().overrides), job)
    await work.catch((failure: unknown) => {
      if (!(failure instanceof Error) || failure.message !== 'Its server does not answer')
        throw new Error(`${JSON.stringify(job)} of ${body}`, { cause: failure })
    })
    await settleLateWork()
  }
}

const honest = corpus.filter(({ isHostile }) => !isHostile).map(({ text }) => text)

function poolOf(eve: KnownPeer): DocumentPool {
  const { ada, posts, rosa, finn, rosaNote, rosaSecret } = scene
  const local = [ada.uri, `${ada.uri}/followers`, `${ada.uri}#follows/1`, 'https://fieldfare.test/actor']
  const theirs = [rosa.uri, finn.uri, rosaNote, rosaSecret, rosa.followers, rosa.keyId, rosa.inbox]
  const own = [`${eve.at.origin}/users/accomplice`, eve.followers, eve.at.featured, `${eve.uri}#follows/1`]
  const [first = '', ...rest] = honest
  return { ids: [eve.uri, ...local, ...Object.values(posts), ...theirs, ...own], documents: [first, ...rest] }
}

/** The document as if `eve` had sent it, with ids of its own, about the posts that are here. */
function attributedTo(eve: KnownPeer, text: string, mark: string): string {
  const document = asRecord(JSON.parse(text))
  const author = idOf(document['actor']) ?? idOf(document['attributedTo']) ?? idOf(document['id']) ?? eve.uri
  const posts = Object.values(scene.posts)
  const spoken = text
    .replaceAll(author, eve.uri)
    .replaceAll(`${new URL(author).origin}/`, `${eve.at.origin}/`)
    .replaceAll(
      /https:\/\/fieldfare\.test\/users\/ada\/statuses\/\d+/g,
      () => posts[mark.length % posts.length] ?? '',
    )
  const made = asRecord(JSON.parse(spoken))
  const marked = { ...made, id: `${idOf(made['id']) ?? eve.uri}-${mark}` }
  if ('actor' in made) return JSON.stringify(marked)
  const isActor = 'inbox' in made
  return JSON.stringify(
    isActor
      ? eve.activity('Update', made)
      : eve.activity('Create', marked, { to: made['to'], cc: made['cc'] }),
  )
}

function asRecord(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? { ...value } : {}
}

function idOf(value: unknown): string | null {
  const named: unknown = Array.isArray(value) ? value[0] : value
  const id = typeof named === 'string' ? named : asRecord(named)['id']
  return typeof id === 'string' && URL.canParse(id) ? id : null
}
