import { expect } from 'vitest'
import { Status } from '../../src/contract/entities/status'
import { as } from './as'
import { type CapturedDelivery, captureDelivery } from './capture-delivery'
import { fediverse } from './fediverse'
import { given, type TestAccount } from './given'
import type { KnownPeer } from './given-peer'
import { relation } from './given-relationships'
import { storedStatus } from './given-stored'
import { foreignChanges } from './ownership'
import { changesBetween, type RowChange, snapshot } from './snapshot'

/** A server with something to lose: what its people wrote and whom they know, and somebody who is after it. */
export interface AttackScenario {
  /** Of this server: followed by rosa, asks to follow finn, follows rosa and eve. */
  readonly ada: TestAccount & { readonly uri: string }
  readonly posts: Readonly<Record<'public' | 'private' | 'direct' | 'poll' | 'privatePoll', string>>
  /** Honest people of another server. */
  readonly rosa: KnownPeer
  readonly finn: KnownPeer
  readonly rosaNote: string
  readonly rosaSecret: string
  /** The attacker, at `evil.test`, and an honest neighbour of theirs. */
  readonly eve: KnownPeer
  readonly neighbour: KnownPeer
  readonly neighbourNote: string
}

export const evilHost = 'evil.test'

/** Builds the accounts and peers of the attacks, as the hostile corpus names them. */
export async function attackScenario(): Promise<AttackScenario> {
  const ada = await given.account({ username: 'ada' })
  const host = 'mastodon.test'
  const [rosa, finn] = [
    await given.peer({ host, username: 'rosa' }),
    await given.peer({ host, username: 'finn', locked: true }),
  ]
  const [eve, neighbour] = [
    await given.peer({ host: evilHost, username: 'eve' }),
    await given.peer({ host: evilHost, username: 'neighbour' }),
  ]
  await relation.follow(ada, rosa)
  await relation.follow(rosa, ada)
  await relation.follow(ada, eve)
  await relation.followRequest(ada, finn)
  const posts = await postsOf(ada, rosa)
  const rosaNote = `${rosa.uri}/statuses/113400000000000001`
  const rosaSecret = `${rosa.uri}/statuses/113400000000000002`
  const neighbourNote = `${neighbour.uri}/statuses/1`
  await storedStatus({ accountId: rosa.id, local: false, uri: rosaNote })
  await storedStatus({ accountId: rosa.id, local: false, uri: rosaSecret, visibility: 'private' })
  await storedStatus({ accountId: neighbour.id, local: false, uri: neighbourNote })
  // Each server has delivered before: the first delivery of a server is recorded.
  for (const peer of [rosa, eve]) await captureDelivery(peer, peer.activity('Dance', peer.uri))
  return {
    ada: { ...ada, ...fediverse.local(ada) },
    posts,
    rosa,
    finn,
    rosaNote,
    rosaSecret,
    eve,
    neighbour,
    neighbourNote,
  }
}

async function postsOf(ada: TestAccount, rosa: KnownPeer): Promise<AttackScenario['posts']> {
  const post = async (body: Readonly<Record<string, unknown>>) => {
    const answer = await as(ada).post('/api/v1/statuses', body)
    return Status.parse(answer.body).uri
  }
  const poll = { options: ['Wren', 'Robin'], expires_in: 86_400 }
  return {
    public: await post({ status: 'For everybody' }),
    private: await post({ status: 'For followers', visibility: 'private' }),
    direct: await post({ status: `@${rosa.handle} for you`, visibility: 'direct' }),
    poll: await post({ status: 'Who sings?', poll }),
    privatePoll: await post({ status: 'Who sings here?', visibility: 'private', poll }),
  }
}

export interface AttackResult extends CapturedDelivery {
  readonly changes: readonly RowChange[]
  /** Changes to rows in which no account of the attacker's server has a part. */
  readonly foreign: readonly RowChange[]
}

/** Delivers it and looks at every row before and after. */
export async function runAttack(attack: () => Promise<CapturedDelivery>): Promise<AttackResult> {
  const before = await snapshot()
  const heard = await attack()
  const after = await snapshot()
  const changes = changesBetween(before, after)
  return { ...heard, changes, foreign: foreignChanges(evilHost, changes, { before, after }) }
}

/** Asserts that the delivery was answered and explained as stated, and left no trace. */
export function expectRejected(
  { status, reasons, errors, changes, jobs, handed, fetches }: AttackResult,
  expected: { readonly status: number; readonly reason: string },
): void {
  expect({ status, reasons }).toEqual({ status: expected.status, reasons: [expected.reason] })
  const traces = { changes, errors, jobs, handed, fetches }
  expect(traces).toEqual({ changes: [], errors: [], jobs: [], handed: [], fetches: [] })
}
