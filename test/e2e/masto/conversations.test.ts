import { describe, expect, it } from 'vitest'
import { mastoFailure, mastoOf } from '../support/masto'
import { aliceAndBob, newPerson } from '../support/people'

describe('conversations with masto', () => {
  it('are listed, read and removed', async () => {
    const { alice, bob, asAlice, asBob } = await aliceAndBob(mastoOf)
    const sent = await asAlice.v1.statuses.create({ status: `${bob.acct} psst`, visibility: 'direct' })
    const [found, ...more] = await asBob.v1.conversations.list()
    expect(found).toMatchObject({ unread: true, accounts: [{ id: alice.id }], lastStatus: { id: sent.id } })
    expect(more).toEqual([])
    const one = asBob.v1.conversations.$select(String(found?.id))
    expect(await one.read()).toMatchObject({ unread: false })
    expect(await one.unread()).toMatchObject({ unread: true })
    await one.remove()
    expect(await asBob.v1.conversations.list()).toEqual([])
    expect(await asAlice.v1.conversations.list()).toMatchObject([
      { unread: false, accounts: [{ id: bob.id }] },
    ])
  })

  it('are paged down, each once, and private to their owner', async () => {
    const { bob, asAlice, asBob } = await aliceAndBob(mastoOf)
    const sent: string[] = []
    for (let nth = 1; nth <= 5; nth += 1)
      sent.push((await asAlice.v1.statuses.create({ status: `${bob.acct} ${nth}`, visibility: 'direct' })).id)
    const down: string[] = []
    for await (const page of asBob.v1.conversations.list({ limit: 2 }))
      down.push(...page.map(({ lastStatus }) => String(lastStatus?.id)))
    expect(down).toEqual(sent.toReversed())
    const [theirs] = await asBob.v1.conversations.list()
    const asCarol = mastoOf(await newPerson('carol'))
    const one = asCarol.v1.conversations.$select(String(theirs?.id))
    expect(await mastoFailure(one.read())).toMatchObject({ statusCode: 404 })
  })
})

describe('reports with masto', () => {
  it('are accepted with a comment and statuses', async () => {
    const { bob, asAlice, asBob } = await aliceAndBob(mastoOf)
    const { id } = await asBob.v1.statuses.create({ status: 'Buy seeds' })
    const report = {
      accountId: bob.id,
      statusIds: [id],
      comment: 'An advertisement',
      category: 'spam' as const,
    }
    expect(await asAlice.v1.reports.create({ ...report, forward: true })).toMatchObject({
      category: 'spam',
      comment: 'An advertisement',
      forwarded: false,
      statusIds: [id],
      actionTaken: false,
      targetAccount: { id: bob.id },
    })
    const foreign = { ...report, accountId: '1' }
    expect(await mastoFailure(asAlice.v1.reports.create(foreign))).toMatchObject({ statusCode: 404 })
  })
})
