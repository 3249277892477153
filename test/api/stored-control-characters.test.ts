import { eq } from 'drizzle-orm'
import { expect, it } from 'vitest'
import { accounts } from '../../src/db/schema'
import { anonymous, as } from '../support/as'
import { fetchDocument } from '../support/fetch-document'
import { given } from '../support/given'
import { storedStatus } from '../support/given-stored'
import { openStreamSocket } from '../support/streaming'
import { context, settleLateWork } from '../support/test-app'

/** Texts as versions stored them that let control characters in. */
const dirty = 'wr\u0000e\u0007n\u0085\r\n\ts'
const clean = 'wren\n\ts'
const isClean = (text: string) =>
  !/(?![\t\n])\p{Cc}/u.test(text) && !/\\u00(?:[01][0-9a-f]|7f|[89][0-9a-f])|\\[bfr]/.test(text)

async function dirtyAccount() {
  const alice = await given.account()
  const profile = { displayName: dirty, noteHtml: `<p>${dirty}</p>` }
  await context().db.update(accounts).set(profile).where(eq(accounts.id, alice.id))
  const id = await storedStatus({ accountId: alice.id, content: `<p>${dirty}</p>`, spoilerText: dirty })
  return { alice, id }
}

it('the API returns clean texts, whatever is stored', async () => {
  const { alice, id } = await dirtyAccount()
  for (const caller of [anonymous, as(alice)]) {
    const { body } = await caller.get(`/api/v1/statuses/${id}`)
    expect(body).toMatchObject({
      content: `<p>${clean}</p>`,
      spoiler_text: clean,
      account: { display_name: clean },
    })
    expect(isClean(JSON.stringify(body))).toBe(true)
  }
})

it('other servers get clean documents, whatever is stored', async () => {
  const { alice, id } = await dirtyAccount()
  for (const path of [`/users/${alice.username}`, `/users/${alice.username}/statuses/${id}`])
    expect(isClean(JSON.stringify((await fetchDocument(path)).body))).toBe(true)
})

it('streams send clean texts, whatever is stored', async () => {
  const { alice } = await dirtyAccount()
  const socket = await openStreamSocket(alice, { stream: 'user' })
  await as(alice).post('/api/v1/statuses', { status: 'A wren' })
  await settleLateWork()
  const payloads = (await socket.rest()).flatMap(({ payload }) => payload ?? [])
  expect(payloads.join()).toContain('A wren')
  for (const payload of payloads) expect(isClean(payload)).toBe(true)
})
