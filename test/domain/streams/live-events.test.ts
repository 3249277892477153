import { expect, it } from 'vitest'
import { deleteOwnAccount } from '../../../src/domain/accounts/delete-own'
import { Changes, commit } from '../../../src/domain/core/changes'
import { enableAccount } from '../../../src/domain/moderation/act'
import { rejectMember } from '../../../src/domain/moderation/delete-account'
import { operator } from '../../../src/domain/policy/permissions'
import {
  blockAccount,
  muteAccount,
  receiveBlock,
  receiveUnblock,
  unblockAccount,
  unmuteAccount,
} from '../../../src/domain/relationships/block'
import { blockDomain, unblockDomain } from '../../../src/domain/relationships/domain-block'
import { revokeApplication } from '../../../src/domain/sessions/authorized-applications'
import { findToken, revokeToken } from '../../../src/domain/sessions/tokens'
import { addUserToken, resetPassword } from '../../../src/domain/users/passwords'
import { parseChoice, savePreferences } from '../../../src/domain/users/preferences'
import { assignRole } from '../../../src/domain/users/roles'
import type { LiveEvent } from '../../../src/messages/live'
import type { Ctx } from '../../../src/ports/ctx'
import { given, type TestAccount } from '../../support/given'
import { moderate } from '../../support/moderate'
import { context } from '../../support/test-app'

interface Scene {
  readonly ctx: Ctx
  readonly viewer: TestAccount
  readonly other: TestAccount
  readonly stranger: { readonly id: number }
}

const rules = ({ id: accountId }: TestAccount): LiveEvent => ({ kind: 'rules.changed', accountId })
const over = ({ id: accountId }: TestAccount): LiveEvent => ({
  kind: 'sessions.ended',
  accountId,
  tokenIds: null,
})
const standing = ({ id: accountId }: TestAccount): LiveEvent => ({ kind: 'standing.changed', accountId })

const mute = { hideNotifications: true, durationSeconds: 60 }

/** Live events of each command that changes a viewer's hiding rules or the right to connect. */
const interactions: Readonly<
  Record<string, [(scene: Scene) => unknown, (scene: Scene) => readonly LiveEvent[]]>
> = {
  'a block': [
    ({ ctx, viewer, other }) => blockAccount(ctx, viewer, other.id),
    ({ viewer, other }) => [rules(viewer), rules(other)],
  ],
  'a block of somebody elsewhere': [
    ({ ctx, viewer, stranger }) => blockAccount(ctx, viewer, stranger.id),
    ({ viewer }) => [rules(viewer)],
  ],
  'its end': [
    ({ ctx, viewer, other }) => unblockAccount(ctx, viewer, other.id),
    ({ viewer, other }) => [rules(viewer), rules(other)],
  ],
  'a block from elsewhere': [
    ({ ctx, viewer, stranger }) =>
      receiveBlock(ctx, stranger, { username: viewer.username, uri: 'https://elsewhere.test/block' }),
    ({ viewer }) => [rules(viewer)],
  ],
  'its end from elsewhere': [
    ({ ctx, viewer, stranger }) => receiveUnblock(ctx, stranger, { username: viewer.username, uri: null }),
    ({ viewer }) => [rules(viewer)],
  ],
  'a mute': [
    ({ ctx, viewer, other }) => muteAccount(ctx, viewer, other.id, mute),
    ({ viewer }) => [rules(viewer)],
  ],
  'the end of a mute': [
    ({ ctx, viewer, other }) => unmuteAccount(ctx, viewer, other.id),
    ({ viewer }) => [rules(viewer)],
  ],
  'a domain block': [
    ({ ctx, viewer }) => blockDomain(ctx, viewer, 'told.test'),
    ({ viewer }) => [rules(viewer)],
  ],
  'the end of a domain block': [
    ({ ctx, viewer }) => unblockDomain(ctx, viewer, 'told.test'),
    ({ viewer }) => [rules(viewer)],
  ],
  'languages chosen': [({ ctx, viewer }) => choose(ctx, viewer), ({ viewer }) => [rules(viewer)]],
  'the deletion of an account': [
    ({ ctx, viewer }) => deleteOwnAccount(ctx, viewer.id),
    ({ viewer }) => [over(viewer)],
  ],
  'a password reset': [({ ctx, viewer }) => reset(ctx, viewer), ({ viewer }) => [over(viewer)]],
  'a lock-out': [
    ({ ctx, viewer }) => moderate(viewer, 'disable', { ctx, text: 'Enough' }),
    ({ viewer }) => [over(viewer)],
  ],
  'a suspension': [({ ctx, viewer }) => moderate(viewer, 'suspend', { ctx }), ({ viewer }) => [over(viewer)]],
  'the end of a lock-out': [({ ctx, viewer }) => enableAccount(ctx, operator, viewer.id), () => []],
  'another role': [
    ({ ctx, viewer }) => assignRole(ctx, operator, viewer.id, 2),
    ({ viewer }) => [standing(viewer)],
  ],
  'an application put out': [
    ({ ctx, viewer }) => revokeApplication(ctx, viewer.id, 1),
    ({ viewer }) => [standing(viewer)],
  ],
}

async function choose(ctx: Ctx, { id }: TestAccount): Promise<void> {
  const choice = parseChoice({
    defaultVisibility: 'public',
    defaultSensitive: false,
    defaultLanguage: null,
    defaultQuotePolicy: 'public',
    chosenLanguages: ['de'],
    expandMedia: 'default',
    expandSpoilers: false,
    autoplayGifs: false,
    remindsOfDescriptions: false,
    showApplication: true,
  })
  if (choice === null) throw new Error('no choice')
  await savePreferences(ctx, id, choice)
}

async function reset(ctx: Ctx, { id, email }: TestAccount): Promise<void> {
  const changes = new Changes()
  const token = await addUserToken(ctx, changes, { accountId: id, purpose: 'reset', email })
  await commit(ctx, changes)
  await resetPassword(ctx, token, 'a long enough secret')
}

async function scene() {
  const published: LiveEvent[] = []
  const ctx = context({ streams: { publish: (event) => void published.push(event) } })
  const [viewer, other] = await given.accounts(2)
  if (viewer === undefined || other === undefined) throw new Error('nobody')
  return { ctx, viewer, other, stranger: await given.remoteAccount({ domain: 'told.test' }), published }
}

for (const [name, [act, expected]] of Object.entries(interactions))
  it(`publishes ${name} to connected users`, async () => {
    const { published, ...all } = await scene()
    await act(all)
    const kinds = ['rules.changed', 'sessions.ended', 'standing.changed']
    expect(published.filter(({ kind }) => kinds.includes(kind))).toEqual(expected(all))
  })

it('publishes the end of a token to its streams, and nothing for a token without an account', async () => {
  const { ctx, viewer, published } = await scene()
  const own = await findToken(ctx, viewer.token)
  const application = await findToken(ctx, await given.token({ scopes: 'read' }))
  if (own === null || application === null) throw new Error('no token')
  await revokeToken(ctx, application.token)
  await revokeToken(ctx, own.token)
  expect(published).toEqual([{ kind: 'sessions.ended', accountId: viewer.id, tokenIds: [own.token.id] }])
})

it('publishes the rejection to an account that waits for approval', async () => {
  const { ctx, published } = await scene()
  const waiting = await given.account({ user: { approved: false } })
  await rejectMember(ctx, operator, waiting.id)
  expect(published).toEqual([over(waiting)])
})
