import { beforeAll, describe, expect, it } from 'vitest'
import { favourites, quotes } from '../../../src/db/schema'
import { fetchDocument } from '../../support/fetch-document'
import { freshName, given, type TestAccount } from '../../support/given'
import { relation } from '../../support/given-relationships'
import { storedStatus } from '../../support/given-stored'
import { askAs, signedBy } from '../../support/signed-reader'
import { clock, context } from '../../support/test-app'

/** Consents of a local author to a reply, a reblog or a quote: each document names both statuses. */

type Remote = Awaited<ReturnType<typeof given.remoteAccount>>
type Reader = 'anybody' | 'follower' | 'stranger' | 'neighbour' | 'blocked'
type Open = 'public' | 'private'

/** Accounts of other servers: `neighbour` is on that of the doer, whose own followers are none here. */
interface Scene {
  readonly alice: TestAccount
  readonly doer: Remote
  readonly readers: Readonly<Record<Exclude<Reader, 'anybody'>, Remote>>
}

let scene: Scene
beforeAll(async () => {
  const domains = ['doer', 'follower', 'stranger', 'blocked'].map((name) => `${freshName(name)}.test`)
  const [alice, doer] = [await given.account(), await given.remoteAccount({ domain: domains[0] ?? '' })]
  const readers = {
    follower: await given.remoteAccount({ domain: domains[1] ?? '' }),
    stranger: await given.remoteAccount({ domain: domains[2] ?? '' }),
    neighbour: await given.remoteAccount({ domain: doer.domain }),
    blocked: await given.remoteAccount({ domain: domains[3] ?? '' }),
  }
  for (const one of [readers.follower, readers.neighbour]) await relation.follow(one, alice)
  await relation.block(alice, readers.blocked)
  scene = { alice, doer, readers }
})

const kinds = {
  reply: (target: number) => ({ inReplyToId: target, approval: { state: 'accepted' } }),
  reblog: (target: number) => ({ reblogOfId: target, approval: { state: 'accepted' } }),
  quote: () => ({}),
} as const
type Kind = keyof typeof kinds

/** Path of the consent to an interaction of the doer with a status of alice. */
async function consent(kind: Kind, target: Open, interaction: Open): Promise<string> {
  const { alice, doer } = scene
  const targetId = await storedStatus({ accountId: alice.id, visibility: target })
  const id = await storedStatus({
    accountId: doer.id,
    local: false,
    visibility: interaction,
    ...kinds[kind](targetId),
  })
  if (kind === 'quote')
    await context()
      .db.insert(quotes)
      .values({
        statusId: id,
        accountId: doer.id,
        quotedStatusId: targetId,
        quotedAccountId: alice.id,
        quotedUri: `https://fieldfare.test/users/${alice.username}/statuses/${targetId}`,
        state: 'accepted',
        createdAt: clock.now(),
      })
  return `/users/${alice.username}/${kind === 'quote' ? 'quote_authorizations' : 'authorizations'}/${id}`
}

/** Readers of a consent: those who may see the target, and the interaction or are on the server that asked for it. */
const allowed: readonly (readonly [target: Open, interaction: Open, readers: readonly Reader[]])[] = [
  ['public', 'public', ['anybody', 'follower', 'stranger', 'neighbour']],
  ['public', 'private', ['neighbour']],
  ['private', 'public', ['follower', 'neighbour']],
  ['private', 'private', ['neighbour']],
]

const cases = (['reply', 'reblog', 'quote'] as const).flatMap((kind) =>
  allowed.map(([target, interaction, readers]) => [kind, target, interaction, readers] as const),
)

/** Path of the consent to a favourite by the doer. */
async function consentToLike(target: Open, doer = scene.doer): Promise<string> {
  const { alice } = scene
  const ctx = context()
  const id = ctx.ids.next()
  await ctx.db.insert(favourites).values({
    id,
    accountId: doer.id,
    statusId: await storedStatus({ accountId: alice.id, visibility: target }),
    uri: `${doer.uri}/liked/${id}`,
    approval: { state: 'accepted', uri: null, held: null },
  })
  return `/users/${alice.username}/authorizations/${id}`
}

async function readersOf(path: string): Promise<readonly Reader[]> {
  const found: Reader[] = []
  if ((await fetchDocument(path)).status === 200) found.push('anybody')
  for (const reader of ['follower', 'stranger', 'neighbour', 'blocked'] as const) {
    const { status } = await askAs(signedBy(scene.readers[reader]), path)
    expect([200, 404]).toContain(status)
    if (status === 200) found.push(reader)
  }
  return found
}

describe('consent', () => {
  it.each(cases)(
    'serves consent to a %s of a %s status by a %s one to %j',
    async (kind, target, interaction, to) => {
      expect(await readersOf(await consent(kind, target, interaction))).toEqual(to)
    },
  )

  it('serves consent to a favourite to those who may see the status', async () => {
    const everybody = ['anybody', 'follower', 'stranger', 'neighbour']
    expect(await readersOf(await consentToLike('public'))).toEqual(everybody)
    expect(await readersOf(await consentToLike('private'))).toEqual(['follower', 'neighbour'])
  })

  it('does not serve consent to a favourite of a suspended account', async () => {
    const gone = await given.remoteAccount({ suspendedAt: clock.now() })
    expect(await readersOf(await consentToLike('public', gone))).toEqual([])
  })
})
