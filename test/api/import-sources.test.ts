import { eq } from 'drizzle-orm'
import { beforeAll, describe, expect, it } from 'vitest'
import { ArchiveImport, ArchiveImportResult } from '../../src/contract/entities/own-account'
import { Status } from '../../src/contract/entities/status'
import { accounts } from '../../src/db/schema'
import { as } from '../support/as'
import { Browser } from '../support/browser'
import { given, type TestAccount } from '../support/given'
import { importedIds, importsPath } from '../support/given-archive'
import type { KnownPeer } from '../support/given-peer'
import { archivedActor, archivedPost, type Item } from '../support/mastodon-archive'
import { signedIn } from '../support/members'
import { context } from '../support/test-app'

const notVerified = 'Imported, not verified'
const someNotVerified = 'Some posts are imported, not verified.'
const day = '2020-01-01T00:00:00Z'

/** An entry of an archive, as the server of `peer` would have made it. */
function archivedBy(peer: KnownPeer, item: Item): unknown {
  return JSON.parse(JSON.stringify(item).replaceAll(archivedActor, peer.uri))
}

async function opened(by: TestAccount, actor: string) {
  return ArchiveImport.parse((await as(by).post(importsPath, { actor })).body)
}

async function importedFrom(by: TestAccount, peer: KnownPeer, item: Item): Promise<string> {
  const { id } = await opened(by, peer.uri)
  const answer = await as(by).post(`${importsPath}/${id}/statuses`, { items: [archivedBy(peer, item)] })
  const [result] = ArchiveImportResult.array().parse(answer.body)
  return result?.id ?? ''
}

const pageOf = async (path: string) => (await new Browser().get(path)).html
const postPage = ({ username }: TestAccount, id: string) => pageOf(`/@${username}/${id}`)

describe('the source of an imported archive', () => {
  let wren: TestAccount
  beforeAll(async () => {
    wren = await given.account()
  })

  it('the alias of the old account proves the source, also a later one', async () => {
    const old = await given.peer()
    expect((await opened(wren, old.uri)).proof).toBeNull()
    old.document['alsoKnownAs'] = [`https://fieldfare.test/users/${wren.username}`]
    expect((await opened(wren, old.uri)).proof).toBe('alias')
    old.document['alsoKnownAs'] = ['https://fieldfare.test/users/somebody-else']
    expect((await opened(wren, old.uri)).proof).toBeNull()
  })

  it('a link in the profile of the old account proves the source', async () => {
    const old = await given.peer()
    const link = (name: string) => {
      const url = `https://fieldfare.test/@${name}`
      old.document['attachment'] = [
        { type: 'PropertyValue', name: 'New account', value: `<a href="${url}" rel="me">${url}</a>` },
      ]
    }
    link(`${wren.username}2`)
    expect((await opened(wren, old.uri)).proof).toBeNull()
    link(wren.username)
    expect((await opened(wren, old.uri)).proof).toBe('link')
  })

  it('a link of the own profile that its page returns proves the source', async () => {
    const robin = await given.account()
    const old = await given.peer()
    const [row] = await context().db.select().from(accounts).where(eq(accounts.id, old.id))
    const field = { name: 'Old', value: row?.url ?? old.uri, html: '', verifiedAt: null }
    const save = (verifiedAt: number | null) =>
      context()
        .db.update(accounts)
        .set({ fields: [{ ...field, verifiedAt }] })
        .where(eq(accounts.id, robin.id))
    await save(null)
    expect((await opened(robin, old.uri)).proof).toBeNull()
    await save(1)
    expect((await opened(robin, old.uri)).proof).toBe('link')
  })

  it('claims of the importing account do not prove the source', async () => {
    const stranger = await given.peer()
    const mallory = await given.account({ alsoKnownAs: [stranger.uri] })
    expect((await opened(mallory, stranger.uri)).proof).toBeNull()
  })

  it('names a proven source on the profile and the post', async () => {
    const old = await given.peer()
    old.document['alsoKnownAs'] = [`https://fieldfare.test/users/${wren.username}`]
    const id = await importedFrom(wren, old, archivedPost(1, day, '<p>A nest</p>'))
    for (const page of [await postPage(wren, id), await pageOf(`/@${wren.username}`)]) {
      expect(page).toContain(`@${old.handle}`)
      expect(page).not.toContain('not verified')
    }
  })

  it('does not name the source once the old account is suspended locally', async () => {
    const [robin, old] = [await given.account(), await given.peer()]
    old.document['alsoKnownAs'] = [`https://fieldfare.test/users/${robin.username}`]
    const id = await importedFrom(robin, old, archivedPost(1, day, '<p>A nest</p>'))
    const { db, clock } = context()
    await db.update(accounts).set({ suspendedAt: clock.now() }).where(eq(accounts.id, old.id))
    expect(await postPage(robin, id)).not.toContain(old.handle)
    expect(await pageOf(`/@${robin.username}`)).not.toContain(old.handle)
  })

  it('marks an unproven source as not verified on the profile and the post', async () => {
    const finch = await given.account()
    const [id = ''] = await importedIds(finch, [archivedPost(1, day, '<p>An egg</p>')])
    expect(await postPage(finch, id)).toContain(notVerified)
    const { browser } = await signedIn()
    expect((await browser.get(`/@${finch.username}/${id}`)).html).toContain(notVerified)
    expect(await pageOf(`/@${finch.username}`)).toContain(someNotVerified)
    const written = await as(finch).post('/api/v1/statuses', { status: 'Written here' })
    const page = await postPage(finch, Status.parse(written.body).id)
    expect(page).toContain('Written here')
    expect(page).not.toContain(notVerified)
  })

  it('shows no source on the profile for posts that are not public', async () => {
    const tit = await given.account()
    await importedIds(tit, [archivedPost(1, day, '<p>For followers</p>', { visibility: 'private' })])
    expect(await pageOf(`/@${tit.username}`)).not.toContain('imported')
    const [open = ''] = await importedIds(tit, [archivedPost(2, day, '<p>For all</p>')])
    expect(await pageOf(`/@${tit.username}`)).toContain(someNotVerified)
    await as(tit).delete(`/api/v1/statuses/${open}`)
    const left = await as(tit).get(`/api/v1/accounts/${tit.id}/statuses`)
    expect(left.body).toHaveLength(1)
  })
})
