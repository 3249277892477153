import { describe, expect, it } from 'vitest'
import { endpoints } from '../../src/api'
import { importEntries, imports, polls } from '../../src/db/schema'
import { runImport } from '../../src/jobs/run-import'
import type { Job } from '../../src/messages/jobs'
import { as } from '../support/as'
import { fediverse } from '../support/fediverse'
import { given, type TestAccount } from '../support/given'
import { storedStatus } from '../support/given-stored'
import { password, signedIn } from '../support/members'
import { clock, context, settleLateWork } from '../support/test-app'

/** Members anybody can make many of: none of them may have this server ask another. */
const waiting = [
  ['unconfirmed', { confirmedAt: null }],
  ['unapproved', { approved: false }],
] as const

/** A post of another server with a poll, a parent and answers, none of which is here. */
async function remoteThread() {
  const author = await given.peer()
  const uri = `${author.uri}/statuses/thread`
  const pollId = context().ids.next()
  const id = await storedStatus({
    accountId: author.id,
    local: false,
    uri,
    pollId,
    repliesUri: `${uri}/replies`,
    inReplyToUri: `${author.uri}/statuses/parent`,
  })
  const options = { options: ['Wren', 'Robin'], tallies: [0, 0] }
  await context()
    .db.insert(polls)
    .values({ id: pollId, statusId: id, accountId: author.id, ...options })
  return { author, id, pollId }
}

const strangerAt = 'unreached-of.test'

/** Parameters that may name something on another server. */
const asking = {
  q: `https://${strangerAt}/@x/1`,
  resolve: 'true',
  acct: `x@${strangerAt}`,
  status: `@x@${strangerAt}`,
  uri: `https://${strangerAt}/users/x`,
  url: `https://${strangerAt}/1`,
  lang: 'de',
  choices: [0],
}

interface Things {
  readonly author: { readonly id: number }
  readonly id: number
  readonly pollId: number
}

function idFor(path: string, { author, id, pollId }: Things): number {
  if (path.includes('/accounts/')) return author.id
  return path.includes('/polls/') ? pollId : id
}

async function callAll(caller: TestAccount, things: Things) {
  const jobs: Job[] = []
  const overrides = { jobs: { send: async (job: Job) => void jobs.push(job) } }
  const mark = fediverse.network.mark()
  const query = new URLSearchParams({ q: asking.q, resolve: 'true', acct: asking.acct })
  // Endpoints for staff refuse members before they read what is asked: admin/matrix.test.ts.
  for (const { method, path } of endpoints.filter(({ auth }) => auth.kind !== 'staff')) {
    const at = path.replaceAll(/:\w+/g, String(idFor(path, things)))
    const called = method === 'GET' ? `${at}?${query}` : at
    await as(caller).call(method, called, asking, { overrides })
  }
  await as(caller).get(`/api/v2/search?resolve=true&q=${asking.acct}`, { overrides })
  await settleLateWork()
  return { jobs, fetches: fediverse.network.since(mark).filter(({ method }) => method === 'GET') }
}

describe.each(waiting)('a member who is %s', (_, user) => {
  it('causes no request to another server by any endpoint', async () => {
    const newcomer = await given.account({ user })

    const caused = await callAll(newcomer, await remoteThread())

    expect(caused).toEqual({ jobs: [], fetches: [] })
  })

  it('gets the reason why no remote server is contacted', async () => {
    const newcomer = await given.account({ user })
    const answer = await as(newcomer).get(`/api/v2/search?resolve=true&q=x@${strangerAt}`)
    expect(answer).toMatchObject({ status: 403, body: { error: expect.stringContaining('Your login is') } })
  })

  it('a pending member can neither name another account nor import anything, and imported data has no effect', async () => {
    const { member, browser } = await signedIn({ user })
    const mark = fediverse.network.mark()
    const [, token = ''] =
      /name="csrf_token" value="([^"]+)"/.exec((await browser.get('/settings/delete')).html) ?? []
    const fields = { csrf_token: token, alias: asking.acct, handle: asking.acct, current_password: password }
    const headers = { origin: 'https://fieldfare.test' }
    for (const path of ['/settings/migration', '/settings/aliases', '/settings/imports']) {
      const answer = await browser.post(path, fields, { headers })
      expect([path, answer.status]).toEqual([path, 403])
      expect(answer.html).toMatch(/<h1>(Confirm your address|Waiting for approval)/)
    }
    const { db, ids } = context()
    const importId = ids.next()
    const row = { accountId: member.id, kind: 'following', state: 'adding', total: 1 } as const
    const at = { createdAt: clock.now(), progressedAt: clock.now() }
    await db.insert(imports).values({ ...row, ...at, id: importId })
    const entry = { kind: 'following', name: { username: 'x', domain: strangerAt } }
    await db.insert(importEntries).values({ importId, key: 'x', entry: { entry, cells: [] } })
    expect((await runImport(context(), importId)).kind).toBe('ignored')
    expect(fediverse.network.since(mark)).toEqual([])
  })
})

describe('a member in good standing', () => {
  it('an approved member causes requests by the same calls, as a counter-check', async () => {
    const { jobs, fetches } = await callAll(await given.account(), await remoteThread())
    expect(new Set(jobs.map(({ kind }) => kind))).toEqual(
      new Set(['refetch-object', 'fetch-replies', 'fetch-ancestors', 'build-archive']),
    )
    expect(fetches.map(({ url }) => new URL(url).host)).toContain(strangerAt)
  })
})
