import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { importStatus } from '../../../src/domain/statuses/remote/import'
import { receiveDelete } from '../../../src/domain/statuses/remote/receive-edit'
import type { RemoteStatus } from '../../../src/domain/statuses/remote/remote-status'
import { countingDb } from '../../support/costs'
import { given, type TestAccount } from '../../support/given'
import { conversationSummary, conversationsOf, direct } from '../../support/given-direct'
import { remotePost } from '../../support/given-remote'
import { clock, context } from '../../support/test-app'

const origin = 'https://fieldfare.test'
const actor = ({ username }: TestAccount) => `${origin}/users/${username}`

type Author = Awaited<ReturnType<typeof given.remoteAccount>>

const note = (author: Author, to: readonly TestAccount[], more: Partial<RemoteStatus> = {}) =>
  remotePost(author, { visibility: 'direct', mentioned: to.map(actor), ...more })

async function deliver(author: Author, status: RemoteStatus): Promise<string> {
  const imported = await importStatus(context(), author.id, { status, occasion: 'delivered' })
  if (imported.kind !== 'stored') throw new Error(imported.kind)
  return String(imported.id)
}

const minutesAgo = (minutes: number) => new Date(clock.now().getTime() - minutes * 60_000)

describe('a direct post of another server', () => {
  it('opens an unread conversation for each mentioned local account', async () => {
    const [alice, bob] = [await given.account(), await given.account()]
    const author = await given.remoteAccount()
    const last = await deliver(author, note(author, [alice, bob]))
    expect((await conversationsOf(alice)).map(conversationSummary)).toEqual([
      { unread: true, with: [bob.username, author.username], last },
    ])
    expect(await conversationsOf(bob)).toHaveLength(1)
  })

  it('opens no conversation for accounts it only addresses, nor for old fetched posts', async () => {
    const [alice, bob] = [await given.account(), await given.account()]
    const author = await given.remoteAccount()
    await deliver(author, note(author, [alice, bob], { silent: [actor(bob)] }))
    const old = note(author, [bob], { publishedAt: minutesAgo(60 * 24) })
    await importStatus(context(), author.id, { status: old, occasion: 'fetched' })
    expect((await conversationsOf(alice)).map((c) => c.accounts.map(({ username }) => username))).toEqual([
      [author.username],
    ])
    expect(await conversationsOf(bob)).toEqual([])
  })

  it('continues the conversation of its parent, and leaves it when its server deletes the post', async () => {
    const alice = await given.account()
    const author = await given.remoteAccount()
    const first = await direct(alice, [author])
    const answer = note(author, [alice], {
      inReplyTo: `${origin}/users/${alice.username}/statuses/${first.id}`,
    })
    const last = await deliver(author, answer)
    expect((await conversationsOf(alice)).map(conversationSummary)).toMatchObject([{ unread: true, last }])
    await receiveDelete(context(), author, answer.uri)
    expect((await conversationsOf(alice)).map(conversationSummary)).toMatchObject([{ last: first.id }])
  })

  it('joins the conversation of its parent when the parent arrives later', async () => {
    const alice = await given.account()
    const author = await given.remoteAccount()
    const first = await direct(alice, [author])
    clock.advance(10 * 60_000)
    const between = note(author, [alice], {
      inReplyTo: `${origin}/users/${alice.username}/statuses/${first.id}`,
      publishedAt: minutesAgo(5),
    })
    const last = await deliver(author, note(author, [alice], { inReplyTo: between.uri }))
    expect(await conversationsOf(alice)).toHaveLength(2)
    await deliver(author, between)
    expect((await conversationsOf(alice)).map(conversationSummary)).toEqual([
      { unread: true, with: [author.username], last },
    ])
  })

  it('costs the two round trips of every post', async () => {
    const alice = await given.account()
    const author = await given.remoteAccount()
    await deliver(author, note(author, [alice]))
    const counted = countingDb(env.DB)
    await importStatus(context({}, counted.db), author.id, {
      status: note(author, [alice]),
      occasion: 'delivered',
    })
    expect(counted.read().trips).toBeLessThanOrEqual(2)
    // Six and what a mention adds, the row of the thread, and three of the conversation.
    // The mention has an index by account.
    expect(counted.read().rowsWritten).toBeLessThanOrEqual(16)
  })
})
