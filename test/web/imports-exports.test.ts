import { desc, eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { execute } from '../../src/db/query'
import {
  accountDomainBlocks,
  accounts,
  blocks,
  bookmarks,
  follows,
  importEntries,
  imports,
  listAccounts,
  lists,
  mutes,
} from '../../src/db/schema'
import type { TransferKind } from '../../src/db/schema/transfers'
import { openEntries } from '../../src/domain/imports-exports/find'
import {
  hasStalledImports,
  recordResults,
  resumeStalledImports,
} from '../../src/domain/imports-exports/imports'
import { Browser, hiddenFields, textOf } from '../support/browser'
import { runCourierAlarms } from '../support/courier'
import { fakeQueue } from '../support/fake-queue'
import { fediverse } from '../support/fediverse'
import { given, type TestAccount } from '../support/given'
import { storedListOfFollowed } from '../support/given-list'
import { relation } from '../support/given-relationships'
import { signedIn } from '../support/members'
import { clock, context } from '../support/test-app'

const page = '/settings/imports'
const day = 86_400_000

interface Uploaded {
  readonly kind: TransferKind
  readonly text: string
  readonly mode?: 'merge' | 'overwrite'
}

type Member = Awaited<ReturnType<typeof signedIn>>

function upload({ browser }: Member, { kind, text, mode = 'merge' }: Uploaded) {
  return browser.upload(page, { kind, mode, file: new File([text], 'file.csv', { type: 'text/csv' }) })
}

async function latestImport({ member }: Member) {
  const { db } = context()
  const [row] = await db
    .select()
    .from(imports)
    .where(eq(imports.accountId, member.id))
    .orderBy(desc(imports.id))
  if (row === undefined) throw new Error('there is no import')
  return row
}

/** Uploads a file and does all the work it makes. */
async function imported(who: Member, file: Uploaded) {
  return worked(who, await started(who, file))
}

/** Uploads a file and says yes to it. */
async function started(who: Member, file: Uploaded) {
  const { id } = await waiting(who, file)
  expect((await press(who, id, 'start')).status).toBe(303)
  return id
}

function press({ browser }: Member, id: number, action: 'start' | 'discard' | 'undo') {
  return browser.fill(page, {}, { action: `${page}/${id}/${action}` })
}

/** Uploads a file that waits for its owner to say yes. */
async function waiting(who: Member, file: Uploaded) {
  expect((await upload(who, file)).location).toBe(`${page}#waiting`)
  return latestImport(who)
}

/** The import, once all the work that it makes is done. */
async function worked(who: Member, id: number) {
  const work = fakeQueue()
  work.jobs.push({ kind: 'run-import', importId: id })
  expect(new Set(await work.work())).toEqual(new Set(['done']))
  return latestImport(who)
}

const handleOf = ({ username, domain }: { username: string; domain: string | null }) =>
  `${username}@${domain ?? 'fieldfare.test'}`
const local = ({ username }: TestAccount) => `${username}@fieldfare.test`

const followsOf = (id: number) => context().db.select().from(follows).where(eq(follows.accountId, id))

describe('an imported file', () => {
  it('follows the accounts of the file with its options, known or not', async () => {
    const alice = await signedIn()
    const bob = await given.account()
    const peer = await fediverse.actor()
    const text = `Account address,Show boosts,Notify on new posts,Languages\n${local(bob)},false,true,de\n${peer.handle},true,false,\n`
    const done = await imported(alice, { kind: 'following', text })
    expect(done).toMatchObject({ state: 'finished', total: 2, done: 2, failed: 0 })
    expect(await followsOf(alice.member.id)).toMatchObject([
      { targetAccountId: bob.id, showReblogs: false, notify: true, languages: ['de'] },
    ])
    await runCourierAlarms()
    expect(peer.received()).toMatchObject([{ type: 'Follow' }])
  })

  it('imports mutes, blocks, servers and bookmarks by the ordinary rules', async () => {
    const alice = await signedIn()
    const [bob, carol] = [await given.account(), await given.account()]
    await imported(alice, {
      kind: 'mutes',
      text: `Account address,Hide notifications\n${local(bob)},false\n`,
    })
    await imported(alice, { kind: 'blocks', text: `${local(carol)}\n` })
    await imported(alice, { kind: 'domain_blocks', text: '#domain\nloud.example\n' })
    const own = await given.status({ by: bob })
    const uri = `https://fieldfare.test/users/${bob.username}/statuses/${own.id}`
    await imported(alice, { kind: 'bookmarks', text: `${uri}\n` })
    const { db } = context()
    const { id } = alice.member
    expect(await db.select().from(mutes).where(eq(mutes.accountId, id))).toMatchObject([
      { targetAccountId: bob.id, hideNotifications: false, expiresAt: null },
    ])
    expect(await db.select().from(blocks).where(eq(blocks.accountId, id))).toMatchObject([
      { targetAccountId: carol.id },
    ])
    const domains = db.select().from(accountDomainBlocks).where(eq(accountDomainBlocks.accountId, id))
    expect(await domains).toMatchObject([{ domain: 'loud.example' }])
    expect(await db.select().from(bookmarks).where(eq(bookmarks.accountId, id))).toMatchObject([
      { statusId: Number(own.id) },
    ])
  })

  it('creates lists and follows their members', async () => {
    const alice = await signedIn()
    const [bob, carol] = [await given.account(), await given.account()]
    const text = `Friends,${local(bob)}\n"Work, mostly",${local(bob)}\nFriends,${local(carol)}\n`
    expect(await imported(alice, { kind: 'lists', text })).toMatchObject({ done: 3, failed: 0 })
    const { db } = context()
    const own = await db.select().from(lists).where(eq(lists.accountId, alice.member.id))
    expect(own.map(({ title }) => title).toSorted()).toEqual(['Friends', 'Work, mostly'])
    const friends = own.find(({ title }) => title === 'Friends')?.id ?? 0
    const members = await db.select().from(listAccounts).where(eq(listAccounts.listId, friends))
    expect(members.map(({ accountId }) => accountId).toSorted()).toEqual([bob.id, carol.id].toSorted())
    expect(await followsOf(alice.member.id)).toHaveLength(2)
  })

  it('imports in parts, and a part that runs twice counts once', async () => {
    const alice = await signedIn()
    const people = []
    for (let n = 0; n < 19; n += 1) people.push(await given.account())
    const id = await started(alice, { kind: 'mutes', text: people.map(local).join('\n') })
    const ctx = context()
    const entries = await execute(ctx.db, openEntries(ctx, id, 3))
    for (let time = 0; time < 2; time += 1)
      await recordResults(
        ctx,
        id,
        entries.map(({ key }) => ({ key, error: null })),
      )
    expect(await latestImport(alice)).toMatchObject({ state: 'adding', done: 3, failed: 0 })
    const work = fakeQueue()
    work.jobs.push({ kind: 'run-import', importId: id }, { kind: 'run-import', importId: id })
    await work.work()
    expect(await latestImport(alice)).toMatchObject({ state: 'finished', done: 19, failed: 0 })
    expect(await execute(ctx.db, openEntries(ctx, id, 1))).toEqual([])
  })
})

describe('failures of an import', () => {
  it('failures of an import are listed with their reason, stop nothing else, and can be retried', async () => {
    const alice = await signedIn()
    const [bob, blocker] = [await given.account(), await given.account()]
    await relation.block(blocker, alice.member)
    const lines = [
      'nobody@nowhere.example',
      'no address',
      local(blocker),
      local(bob),
      'nobody.here@fieldfare.test',
    ]
    fediverse.network.fail('https://nowhere.example/', { broken: 'refused' })
    const done = await imported(alice, { kind: 'following', text: lines.join('\n') })
    expect(done).toMatchObject({ state: 'finished', total: 5, done: 1, failed: 4 })
    expect(await followsOf(alice.member.id)).toMatchObject([{ targetAccountId: bob.id }])
    expect(textOf((await alice.browser.get(page)).html)).toContain('Finished: 1 done, 4 failed.')
    const file = await alice.browser.get(`${page}/${done.id}/failures.csv`)
    expect(file.headers.get('content-disposition')).toBe('attachment; filename="failures.csv"')
    expect(file.html.trim().split('\n').toSorted()).toEqual(
      [
        'no address,This is no address of an account',
        'nobody.here@fieldfare.test,The account could not be found',
        'nobody@nowhere.example,The account could not be found',
        `${local(blocker)},This action is not allowed`,
      ].toSorted(),
    )
    expect(await imported(alice, { kind: 'following', text: file.html })).toMatchObject({
      total: 4,
      failed: 4,
    })
  })

  it('failures of an import are visible to their owner only [T-766]', async () => {
    const alice = await signedIn()
    const { id } = await imported(alice, { kind: 'blocks', text: 'no address\nme@@\nx@fieldfare.test' })
    const stranger = await signedIn()
    for (const asked of [`${id}`, '0', 'x', '9'.repeat(30)])
      expect((await stranger.browser.get(`${page}/${asked}/failures.csv`)).status).toBe(404)
    expect((await new Browser().get(`${page}/${id}/failures.csv`)).location).toContain('/auth/sign_in')
  })

  it('failures of an import are deleted with the account', async () => {
    const alice = await signedIn()
    const bob = await given.account()
    await started(alice, { kind: 'following', text: local(bob) })
    await context()
      .db.update(accounts)
      .set({ suspendedAt: clock.now() })
      .where(eq(accounts.id, alice.member.id))
    const work = fakeQueue()
    work.jobs.push({ kind: 'run-import', importId: (await latestImport(alice)).id })
    expect(await work.work()).toEqual(['ignored'])
    expect(await followsOf(alice.member.id)).toEqual([])
    clock.advance(31 * 60_000)
    await resumeStalledImports(work.ctx)
    expect(await work.work()).toEqual([])
    expect(await latestImport(alice)).toMatchObject({ state: 'finished', done: 0, failed: 0 })
  })
})

describe('overwriting', () => {
  it('removes entries missing from the file, and keeps those in it', async () => {
    const alice = await signedIn()
    const kept = await given.account()
    await relation.follow(alice.member, kept, { notify: true })
    for (let n = 0; n < 9; n += 1) await relation.follow(alice.member, await given.account())
    const remote = await given.peer()
    await relation.follow(alice.member, remote)
    const done = await imported(alice, { kind: 'following', text: local(kept), mode: 'overwrite' })
    expect(done).toMatchObject({ state: 'finished', done: 1 })
    expect(await followsOf(alice.member.id)).toMatchObject([{ targetAccountId: kept.id }])
    await runCourierAlarms()
    expect(remote.received()).toMatchObject([{ type: 'Undo' }])
  })

  it('overwriting works for each kind', async () => {
    const alice = await signedIn()
    const { db, ids } = context()
    const [bob, carol] = [await given.account(), await given.account()]
    await relation.mute(alice.member, bob)
    await relation.block(alice.member, carol)
    const { id: accountId } = alice.member
    await db.insert(accountDomainBlocks).values({ id: ids.next(), accountId, domain: 'gone.example' })
    const list = await storedListOfFollowed({ of: alice.member, members: [bob] })
    const status = await given.status({ by: bob })
    await db.insert(bookmarks).values({ id: ids.next(), accountId, statusId: Number(status.id) })
    const dave = local(await given.account())
    await imported(alice, { kind: 'mutes', text: dave, mode: 'overwrite' })
    await imported(alice, { kind: 'blocks', text: dave, mode: 'overwrite' })
    await imported(alice, { kind: 'domain_blocks', text: 'kept.example', mode: 'overwrite' })
    await imported(alice, { kind: 'lists', text: `New,${dave}`, mode: 'overwrite' })
    await imported(alice, { kind: 'bookmarks', text: 'https://fieldfare.test/x', mode: 'overwrite' })
    expect(await db.select().from(mutes).where(eq(mutes.accountId, accountId))).toHaveLength(1)
    expect(await db.select().from(blocks).where(eq(blocks.accountId, accountId))).toHaveLength(1)
    expect(
      await db.select().from(accountDomainBlocks).where(eq(accountDomainBlocks.accountId, accountId)),
    ).toMatchObject([{ domain: 'kept.example' }])
    expect(await db.select().from(listAccounts).where(eq(listAccounts.listId, list))).toEqual([])
    expect(await db.select().from(bookmarks).where(eq(bookmarks.accountId, accountId))).toEqual([])
  })
})

describe('a file that was uploaded', () => {
  it('shows what it would do, and does nothing until its owner confirms', async () => {
    const alice = await signedIn()
    const [kept, gone, fresh] = [await given.account(), await given.account(), await given.account()]
    for (const one of [kept, gone]) await relation.follow(alice.member, one)
    const text = [kept, fresh].map(local).concat('no address').join('\n')
    const { id } = await waiting(alice, { kind: 'following', text, mode: 'overwrite' })
    expect(await latestImport(alice)).toMatchObject({ total: 3, present: 1, surplus: 1, failed: 1 })
    expect(textOf((await alice.browser.get(page)).html)).toMatch(
      /New 1\s+Already here 1\s+Removed, because not in the file 1\s+Lines that cannot be read 1/,
    )
    const work = fakeQueue()
    work.jobs.push({ kind: 'run-import', importId: id })
    expect(await work.work()).toEqual(['ignored'])
    clock.advance(31 * 60_000)
    await resumeStalledImports(work.ctx)
    expect(await work.work()).toEqual([])
    expect(await followsOf(alice.member.id)).toHaveLength(2)
    expect((await press(alice, id, 'start')).location).toContain('started')
    await worked(alice, id)
    const targets = (await followsOf(alice.member.id)).map(({ targetAccountId }) => targetAccountId)
    expect(targets.toSorted()).toEqual([kept.id, fresh.id].toSorted())
  })

  it('an uploaded file is discarded by its owner, by another file, and after a day', async () => {
    const alice = await signedIn()
    const file = { kind: 'blocks', text: 'a@b.test' } as const
    const first = await waiting(alice, file)
    const second = await waiting(alice, file)
    const stateOf = async (id: number) =>
      (await context().db.select().from(imports).where(eq(imports.id, id)))[0]?.state
    expect(await stateOf(first.id)).toBe('discarded')
    expect((await press(alice, second.id, 'discard')).status).toBe(303)
    expect(await stateOf(second.id)).toBe('discarded')
    const third = await waiting(alice, file)
    clock.advance(day + 60_000)
    await resumeStalledImports(context())
    expect(await stateOf(third.id)).toBe('discarded')
    expect((await alice.browser.get(page)).html).not.toContain('Your imports')
  })

  it('an uploaded file is started, discarded and undone only by its owner and in order', async () => {
    const [alice, mallory] = [await signedIn(), await signedIn()]
    const { id } = await waiting(alice, { kind: 'blocks', text: 'a@b.test' })
    await waiting(mallory, { kind: 'blocks', text: 'a@b.test' })
    const sentBy = async ({ browser }: Member, action: string) => {
      const hidden = hiddenFields((await browser.get(page)).html, page)
      const headers = { origin: 'https://fieldfare.test' }
      return (await browser.post(`${page}/${id}/${action}`, hidden, { headers })).status
    }
    for (const action of ['start', 'discard', 'undo']) expect(await sentBy(mallory, action)).toBe(404)
    expect(await sentBy(alice, 'undo')).toBe(404)
    expect(await sentBy(alice, 'start')).toBe(303)
    expect(await sentBy(alice, 'discard')).toBe(404)
  })
})

describe('an undone import', () => {
  it('an undone import of each kind removes what it added, restores what it removed, and keeps the rest', async () => {
    const alice = await signedIn()
    const { db, ids } = context()
    const { id: accountId } = alice.member
    const [kept, gone, fresh] = [await given.account(), await given.account(), await given.account()]
    await relation.mute(alice.member, kept)
    await relation.mute(alice.member, gone)
    for (const domain of ['kept.example', 'gone.example'])
      await db.insert(accountDomainBlocks).values({ id: ids.next(), accountId, domain })
    await storedListOfFollowed({ of: alice.member, members: [kept, gone] })
    const posts = [await given.status({ by: kept }), await given.status({ by: kept })]
    const [first, second] = posts.map(
      ({ id }) => `https://fieldfare.test/users/${kept.username}/statuses/${id}`,
    )
    await db.insert(bookmarks).values({ id: ids.next(), accountId, statusId: Number(posts[0]?.id) })
    const [list] = await db.select().from(lists).where(eq(lists.accountId, accountId))
    const state = async () => ({
      mutes: (await db.select().from(mutes).where(eq(mutes.accountId, accountId))).map(
        ({ targetAccountId }) => targetAccountId,
      ),
      domains: (
        await db.select().from(accountDomainBlocks).where(eq(accountDomainBlocks.accountId, accountId))
      ).map(({ domain }) => domain),
      members: (
        await db
          .select()
          .from(listAccounts)
          .where(eq(listAccounts.listId, list?.id ?? 0))
      ).map((one) => one.accountId),
      bookmarks: (await db.select().from(bookmarks).where(eq(bookmarks.accountId, accountId))).map(
        ({ statusId }) => statusId,
      ),
    })
    const sorted = async () =>
      Object.fromEntries(Object.entries(await state()).map(([name, all]) => [name, all.toSorted()]))
    const before = await sorted()
    const title = list?.title ?? ''
    const files: readonly Uploaded[] = [
      { kind: 'mutes', text: `${local(kept)}\n${local(fresh)}`, mode: 'overwrite' },
      { kind: 'domain_blocks', text: 'kept.example\nfresh.example', mode: 'overwrite' },
      { kind: 'lists', text: `${title},${local(kept)}\n${title},${local(fresh)}`, mode: 'overwrite' },
      { kind: 'bookmarks', text: `${first}\n${second}` },
    ]
    const done = []
    for (const file of files) done.push((await imported(alice, file)).id)
    const after = await sorted()
    for (const name of Object.keys(before)) expect(after[name]).not.toEqual(before[name])
    for (const id of done) {
      expect((await press(alice, id, 'undo')).location).toContain('undoing')
      await worked(alice, id)
    }
    expect(await sorted()).toEqual(before)
    expect((await alice.browser.get(page)).html).not.toContain('/undo"')
  })

  it('an import is undone in parts, also where some of it is already deleted', async () => {
    const alice = await signedIn()
    const people = []
    for (let n = 0; n < 19; n += 1) people.push(await given.account())
    const { id } = await imported(alice, { kind: 'following', text: people.map(local).join('\n') })
    expect(await followsOf(alice.member.id)).toHaveLength(19)
    await context()
      .db.delete(follows)
      .where(eq(follows.targetAccountId, people[3]?.id ?? 0))
    await press(alice, id, 'undo')
    expect(await worked(alice, id)).toMatchObject({ state: 'undone' })
    expect(await followsOf(alice.member.id)).toEqual([])
  })
})

describe('the form', () => {
  it.each([
    ['following', '', 'has no line that can be used'],
    ['lists', 'one column only', 'has no line that can be used'],
    [
      'blocks',
      'Account address,Show boosts\nada@there.test,true',
      'belongs to another kind of list, as its first line says',
    ],
    [
      'blocks',
      Array.from({ length: 20_001 }, (_, n) => `a${n}@b.test`).join('\n'),
      'has more than 20,000 lines',
    ],
  ] as const)('refuses an invalid file of %s', async (kind, text, problem) => {
    const alice = await signedIn()
    const answer = await upload(alice, { kind, text })
    expect([answer.status, textOf(answer.html)]).toEqual([422, expect.stringContaining(`File ${problem}.`)])
    expect(answer.html).toContain(`value="${kind}" selected`)
  })

  it('reads a file that a spreadsheet program saved in UTF-16 with tabs', async () => {
    const alice = await signedIn()
    const text = '\u{feff}Account address\tHide notifications\r\nada@there.test\tfalse\r\n'
    const bytes = new Uint8Array(
      [...text].flatMap((one) => [one.charCodeAt(0) & 255, one.charCodeAt(0) >> 8]),
    )
    const file = new File([bytes], 'mutes.csv')
    expect((await alice.browser.upload(page, { kind: 'mutes', mode: 'merge', file })).status).toBe(303)
    expect(await latestImport(alice)).toMatchObject({ kind: 'mutes', total: 1, failed: 0 })
  })

  it('refuses a file of a different kind, and a missing one', async () => {
    const alice = await signedIn()
    const heading = 'Account address,Show boosts,Notify on new posts,Languages'
    await upload(alice, { kind: 'blocks', text: `${heading}\nada@there.test,true,false,` })
    const file = new File(['ada@there.test'], 'a.csv')
    const unknown = await alice.browser.upload(page, { kind: 'friends', mode: 'merge', file })
    expect(unknown.status).toBe(422)
    expect((await alice.browser.get(page)).html).not.toContain('Your imports')
  })

  it('accepts 20,000 lines at once, in one round trip', async () => {
    const alice = await signedIn()
    const text = Array.from({ length: 20_000 }, (_, n) => `${'a'.repeat(20)}${n}@b.test`).join('\n')
    expect((await upload(alice, { kind: 'blocks', text })).status).toBe(303)
    expect(await latestImport(alice)).toMatchObject({ total: 20_000, done: 0 })
  })

  it('the form accepts one file at a time', async () => {
    const alice = await signedIn()
    await started(alice, { kind: 'blocks', text: 'a@b.test' })
    expect(textOf((await upload(alice, { kind: 'mutes', text: 'a@b.test' })).html)).toContain('has to wait')
    expect(textOf((await alice.browser.get(page)).html)).toContain('0 of 1 done.')
  })

  it('requires sign-in, and refuses requests from other sites [T-767]', async () => {
    const stranger = new Browser()
    expect((await stranger.get(page)).location).toContain('/auth/sign_in')
    const alice = await signedIn()
    expect((await alice.browser.post(page, { kind: 'blocks', file: 'a@b.test' })).status).toBe(422)
  })
})

describe('cron', () => {
  it('keeps an unconfirmed file for a day', async () => {
    await context().db.delete(imports)
    await waiting(await signedIn(), { kind: 'blocks', text: 'a@b.test' })
    const isDue = async () =>
      (await context().db.select({ id: imports.id }).from(imports).where(hasStalledImports(context())))
        .length === 1
    clock.advance(31 * 60_000)
    expect(await isDue()).toBe(false)
    clock.advance(day)
    expect(await isDue()).toBe(true)
  })

  it('resumes interrupted imports, and deletes old finished ones', async () => {
    await context().db.delete(imports)
    const alice = await signedIn()
    const id = await started(alice, { kind: 'blocks', text: 'a@b.test' })
    const work = fakeQueue()
    await resumeStalledImports(work.ctx)
    await work.work()
    expect((await latestImport(alice)).state).toBe('adding')
    clock.advance(31 * 60_000)
    fediverse.network.fail('https://b.test/', { broken: 'refused' })
    await resumeStalledImports(work.ctx)
    await work.work()
    expect(await latestImport(alice)).toMatchObject({ id, state: 'finished', failed: 1 })
    clock.advance(15 * day)
    await resumeStalledImports(context())
    expect(await context().db.select().from(imports).where(eq(imports.id, id))).toEqual([])
    expect(await context().db.select().from(importEntries).where(eq(importEntries.importId, id))).toEqual([])
  })
})

describe('exports', () => {
  const file = async ({ browser }: Member, name: string) => {
    const answer = await browser.get(`/settings/exports/${name}.csv`)
    expect(answer.status).toBe(200)
    expect(answer.headers.get('content-type')).toBe('text/csv; charset=utf-8')
    expect(answer.headers.get('cache-control')).toBe('private, no-store')
    return answer.html
  }

  it('exports are files that Mastodon reads', async () => {
    const alice = await signedIn()
    const { db, ids } = context()
    const [bob, remote] = [await given.account(), await given.remoteAccount()]
    await relation.follow(alice.member, bob, { showReblogs: false, languages: ['de', 'fr'] })
    await relation.mute(alice.member, remote)
    await relation.block(alice.member, remote)
    const { id: accountId } = alice.member
    await db.insert(accountDomainBlocks).values({ id: ids.next(), accountId, domain: 'loud.example' })
    await storedListOfFollowed({ of: alice.member, title: 'Birds, mostly', members: [remote] })
    const status = await given.status({ by: bob })
    await db.insert(bookmarks).values({ id: ids.next(), accountId, statusId: Number(status.id) })
    expect(await file(alice, 'follows')).toBe(
      `Account address,Show boosts,Notify on new posts,Languages\n${local(bob)},false,false,"de, fr"\n${handleOf(remote)},true,false,\n`,
    )
    expect(await file(alice, 'mutes')).toBe(`Account address,Hide notifications\n${handleOf(remote)},true\n`)
    expect(await file(alice, 'blocks')).toBe(`${handleOf(remote)}\n`)
    expect(await file(alice, 'domain_blocks')).toBe('loud.example\n')
    expect(await file(alice, 'lists')).toBe(`"Birds, mostly",${handleOf(remote)}\n`)
    expect(await file(alice, 'bookmarks')).toBe(
      `https://fieldfare.test/users/${bob.username}/statuses/${status.id}\n`,
    )
    const shown = textOf((await alice.browser.get(page)).html)
    expect(shown).toMatch(/People you follow\s*2/)
  })

  it('exports are written in pages, without a gap', async () => {
    const alice = await signedIn()
    const { db, ids } = context()
    const rows = Array.from({ length: 2_001 }, (_, n) => ({
      id: ids.next(),
      accountId: alice.member.id,
      domain: `d${n}.example`,
    }))
    for (let at = 0; at < rows.length; at += 30)
      await db.insert(accountDomainBlocks).values(rows.slice(at, at + 30))
    expect((await file(alice, 'domain_blocks')).split('\n')).toHaveLength(2_002)
  })

  it('exports leave out data that their owner may no longer see [T-768]', async () => {
    const alice = await signedIn()
    const bob = await given.account()
    const status = await given.status({ by: bob, visibility: 'private' })
    const { db, ids } = context()
    await db
      .insert(bookmarks)
      .values({ id: ids.next(), accountId: alice.member.id, statusId: Number(status.id) })
    expect(await file(alice, 'bookmarks')).toBe('')
  })

  it('exports are for their owner only', async () => {
    for (const name of ['follows', 'lists', 'blocks', 'mutes', 'domain_blocks', 'bookmarks'])
      expect((await new Browser().get(`/settings/exports/${name}.csv`)).location).toContain('/auth/sign_in')
  })
})
