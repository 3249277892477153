import { describe, expect, it } from 'vitest'
import { megalodonFailure, megalodonOf, posted } from '../support/megalodon'
import { aliceAndBob } from '../support/people'

describe('conversations with megalodon', () => {
  it('are listed, read and deleted', async () => {
    const { alice, bob, asAlice, asBob } = await aliceAndBob(megalodonOf)
    const sent = posted(await asAlice.postStatus(`${bob.acct} psst`, { visibility: 'direct' }))
    const { data } = await asBob.getConversationTimeline({ limit: 5 })
    expect(data).toMatchObject([{ unread: true, accounts: [{ id: alice.id }], last_status: { id: sent.id } }])
    const id = String(data[0]?.id)
    expect((await asBob.readConversation(id)).data).toMatchObject({ id, unread: false })
    await asBob.deleteConversation(id)
    expect((await asBob.getConversationTimeline()).data).toEqual([])
    expect(await megalodonFailure(asAlice.readConversation('1'))).toMatchObject({ status: 404 })
  })
})

describe('reports with megalodon', () => {
  it('are accepted, with rules as a violation of them', async () => {
    const { bob, asAlice, asBob } = await aliceAndBob(megalodonOf)
    const { id } = posted(await asBob.postStatus('Buy seeds', {}))
    const { data } = await asAlice.report(bob.id, { status_ids: [id], comment: 'An advertisement' })
    expect(data).toMatchObject({ category: 'other', status_ids: [id], target_account: { id: bob.id } })
    const missing = asAlice.report(bob.id, { comment: '', category: 'violation', rule_ids: [1] })
    expect(await megalodonFailure(missing)).toMatchObject({ status: 422 })
  })
})
