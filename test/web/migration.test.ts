import { eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { execute } from '../../src/db/query'
import { accountMoves, accounts } from '../../src/db/schema'
import { aliasesOf, moveAccount } from '../../src/domain/accounts/move'
import { textOf } from '../support/browser'
import { fediverse } from '../support/fediverse'
import { given } from '../support/given'
import { password, signedIn } from '../support/members'
import { clock, context } from '../support/test-app'

const page = '/settings/migration'
const aliases = '/settings/aliases'
const day = 86_400_000

const aliasesNow = (id: number) => execute(context().db, aliasesOf(context(), id))

async function movedTo(id: number) {
  const [row] = await context().db.select().from(accounts).where(eq(accounts.id, id))
  return row?.movedToAccountId
}

const handleOf = ({ username, domain }: { username: string; domain: string }) => `@${username}@${domain}`
const own = (username: string) => `https://fieldfare.test/users/${username}`

describe('moving to this server', () => {
  it('adds the old account as an alias, once, and removes it', async () => {
    const { member, browser } = await signedIn()
    const old = await given.remoteAccount()
    for (let time = 0; time < 2; time += 1)
      expect((await browser.fill(page, { alias: handleOf(old) }, { action: aliases })).location).toBe(
        `${page}?done=alias`,
      )
    expect(await aliasesNow(member.id)).toEqual([old.uri])
    expect(textOf((await browser.get(page)).html)).toContain(handleOf(old))
    await browser.fill(page, { uri: old.uri }, { action: `${aliases}/remove` })
    expect(await aliasesNow(member.id)).toEqual([])
  })

  it.each(['', 'nobody@', '@not here@a.test', 'nobody.here'])('shows the error of %j', async (alias) => {
    const { member, browser } = await signedIn()
    const answer = await browser.fill(page, { alias }, { action: aliases })
    expect(answer.status).toBe(422)
    expect(textOf(answer.html)).toContain('Alias is')
    expect(answer.html).toContain(`name="alias" type="text" value="${alias}"`)
    expect(await aliasesNow(member.id)).toEqual([])
  })

  it('refuses the account itself as an alias', async () => {
    const { member, browser } = await signedIn()
    expect((await browser.fill(page, { alias: member.username }, { action: aliases })).status).toBe(422)
  })

  it('moving to this server requires sign-in', async () => {
    const old = await given.remoteAccount()
    const { browser, member } = await signedIn()
    const answer = await browser.post(aliases, { alias: handleOf(old) })
    expect(answer.status).toBe(422)
    expect(await aliasesNow(member.id)).toEqual([])
  })
})

describe('moving away', () => {
  it('redirects to the new account once that names the old one, then blocks another move for thirty days', async () => {
    const { member, browser } = await signedIn()
    const target = await given.remoteAccount()
    const move = () => browser.fill(page, { handle: handleOf(target), current_password: password })
    const early = await move()
    expect([early.status, textOf(early.html).includes('does not name this account as an alias yet')]).toEqual(
      [422, true],
    )
    expect(await movedTo(member.id)).toBeNull()
    await context()
      .db.update(accounts)
      .set({ alsoKnownAs: [own(member.username)] })
      .where(eq(accounts.id, target.id))
    expect((await move()).location).toBe(`${page}?done=moved`)
    expect(await movedTo(member.id)).toBe(target.id)
    expect(textOf((await browser.get(page)).html)).toContain(`has moved to ${handleOf(target)}`)
    await browser.fill(page, {}, { action: `${page}/cancel` })
    expect(await movedTo(member.id)).toBeNull()
    expect(textOf((await browser.get(page)).html)).toContain('You can move again from')
    const again = { accountId: member.id, username: member.username, handle: handleOf(target) }
    await expect(moveAccount(context(), again)).rejects.toThrow('cannot be moved to before')
    expect(await movedTo(member.id)).toBeNull()
    clock.advance(30 * day)
    await moveAccount(context(), again)
    const moves = await context().db.select().from(accountMoves).where(eq(accountMoves.accountId, member.id))
    expect(moves).toHaveLength(2)
  })

  it('fetches the current document of the account from the new server', async () => {
    const { member, browser } = await signedIn()
    const target = await given.peer()
    fediverse.network.serve(target.uri, { ...target.document, alsoKnownAs: [own(member.username)] })
    const order = { accountId: member.id, username: member.username, handle: `@${target.handle}` }
    await moveAccount(context(), order)
    expect(target.fetched()).toBe(1)
    expect(await movedTo(member.id)).toBe(target.id)
    expect(textOf((await browser.get(page)).html)).toContain('has moved to')
  })

  it('moving away requires the password', async () => {
    const { member, browser } = await signedIn()
    const target = await given.remoteAccount({ alsoKnownAs: [own(member.username)] })
    const answer = await browser.fill(page, { handle: handleOf(target), current_password: 'guess' })
    expect(answer.status).toBe(422)
    expect(textOf(answer.html)).toContain('Current password is wrong')
    expect(await movedTo(member.id)).toBeNull()
  })

  it('works between local accounts too, and never to the same account', async () => {
    const { member, browser } = await signedIn()
    const target = await given.account({ alsoKnownAs: [own(member.username)] })
    const post = (handle: string) => browser.fill(page, { handle, current_password: password })
    expect((await post(member.username)).status).toBe(422)
    expect((await post(target.username)).location).toBe(`${page}?done=moved`)
    expect(await movedTo(member.id)).toBe(target.id)
  })
})
