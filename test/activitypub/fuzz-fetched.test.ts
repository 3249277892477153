import { beforeAll, describe, expect, it } from 'vitest'
import { Unavailable } from '../../src/errors'
import { type AttackScenario, attackScenario } from '../support/attack-scenario'
import { portRecorder } from '../support/capture-delivery'
import { fediverse } from '../support/fediverse'
import { given } from '../support/given'
import { type KnownPeer, knownPeer } from '../support/given-peer'
import { relation } from '../support/given-relationships'
import { storedStatus } from '../support/given-stored'
import { type DocumentPool, mutate, SeededRandom } from '../support/mutation'
import { foreignChanges } from '../support/ownership'
import { changesBetween, snapshot } from '../support/snapshot'
import { clock, context, settleLateWork } from '../support/test-app'
import { corpus } from '../wire/corpus'

/** Spoilt documents where this server fetches them: as people, posts, lists and what is looked at again. */

const seeds = [1, 2, 3]
const perSeed = 40

let scene: AttackScenario

beforeAll(async () => {
  scene = await attackScenario()
  // As their own servers tell them: asking these again brings nothing new.
  const { resolver } = context(portRecorder().overrides)
  for (const { uri } of [scene.rosa, scene.finn]) await resolver.accountByUri(uri, { fresh: true })
})

const honest = corpus.filter(({ isHostile }) => !isHostile).map(({ text }) => text)

describe('a mutated document that is fetched', () => {
  it.each(seeds)('causes neither an exception nor a foreign write: seed %i', async (seed) => {
    const random = new SeededRandom(1_000 + seed)
    const eve = await knownPeer({ host: `fetched${seed}.test`, username: 'eve' })
    const reader = await given.account()
    await relation.follow(reader, eve)
    const known = await storedStatus({
      accountId: eve.id,
      local: false,
      uri: `${eve.uri}/known`,
      repliesUri: `${eve.uri}/list`,
    })
    const pool = poolOf(eve)
    const before = await snapshot()
    let asked = 0
    for (let index = 0; index < perSeed; index += 1) {
      const address = random.pick([
        `${eve.uri}/posts/${index}`,
        `${eve.uri}/known`,
        `${eve.uri}/list`,
        eve.uri,
        eve.at.outbox,
        eve.at.featured,
      ])
      const text = mutate(random, servedAt(eve, address, random.pick(pool.documents)), pool)
      asked += await expectSurvived(eve, { address, text, known })
    }
    const after = await snapshot()
    const foreign = foreignChanges(eve.host, changesBetween(before, after), { before, after })
    if (foreign.length > 0) throw new Error(JSON.stringify(foreign))
    expect(asked).toBeGreaterThan(perSeed)
  })
})

interface Serving {
  readonly address: string
  readonly text: string
  readonly known: number
}

/** Runs every function that fetches against the document; returns the number of requests made. */
async function expectSurvived(eve: KnownPeer, { address, text, known }: Serving): Promise<number> {
  clock.advance(90_000_000)
  const { network } = fediverse
  network.respond(
    address,
    () => new Response(text, { headers: { 'content-type': 'application/activity+json' } }),
  )
  const mark = network.mark()
  const recorder = portRecorder()
  const ctx = context(recorder.overrides)
  for (const attempt of [
    () => ctx.resolver.statusByUri(address),
    () => ctx.resolver.accountByUri(address, { fresh: true }),
    () => ctx.resolver.refetch(address),
    () => ctx.resolver.fetchWholeCollection(address),
    () => ctx.backfill.fetchReplies(known, 2),
    () => ctx.backfill.backfillAccount(eve.id),
  ]) {
    try {
      await attempt()
    } catch (failure) {
      if (!(failure instanceof Unavailable)) throw new Error(`${address} answers ${text}`, { cause: failure })
    }
    await settleLateWork()
  }
  const { errors } = recorder.read()
  if (errors.length > 0) throw new Error(`${errors.join()} for ${text}`)
  return network.since(mark).length
}

function poolOf(eve: KnownPeer): DocumentPool {
  const { ada, posts, rosa, rosaNote, rosaSecret, finn } = scene
  const [first = '', ...rest] = honest
  const others = [ada.uri, ...Object.values(posts), rosa.uri, rosaNote, rosaSecret, finn.uri, rosa.followers]
  return {
    ids: [eve.uri, eve.followers, eve.at.outbox, `${eve.uri}/list`, ...others],
    documents: [first, ...rest],
  }
}

/** The document as if it were at `address`, by somebody there. */
function servedAt(eve: KnownPeer, address: string, text: string): string {
  const made: unknown = JSON.parse(text)
  const document = typeof made === 'object' && made !== null ? { ...made } : {}
  const author =
    'attributedTo' in document && typeof document.attributedTo === 'string' ? document.attributedTo : null
  const spoken =
    author === null
      ? text
      : text.replaceAll(author, eve.uri).replaceAll(`${new URL(author).origin}/`, `${eve.at.origin}/`)
  return JSON.stringify({ ...JSON.parse(spoken), id: address })
}
