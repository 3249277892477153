import { eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { accountWarnings, statuses, users } from '../../../src/db/schema'
import type { Permission } from '../../../src/domain/policy/permissions'
import { textOf } from '../../support/browser'
import { given } from '../../support/given'
import { givenRole, staffPosition } from '../../support/given-staff'
import { signedIn } from '../../support/members'
import { context } from '../../support/test-app'

const staff = async (...permissions: Permission[]) =>
  (await signedIn({ user: { roleId: await givenRole({ permissions }) } })).browser

const pageOf = ({ id }: { readonly id: number }) => `/admin/accounts/${id}`
const tokenOf = (html: string) => /name="csrf_token" value="([^"]+)"/.exec(html)?.[1] ?? ''

describe('the role of an account', () => {
  const roleOf = async ({ id }: { readonly id: number }) =>
    (await context().db.select().from(users).where(eq(users.accountId, id)).get())?.roleId

  it('assigns and removes the role of an account', async () => {
    const browser = await staff('manageUsers', 'manageRoles')
    const [member, role] = [await given.account(), await givenRole({ position: staffPosition - 1 })]
    const give = (id: string) =>
      browser.fill(pageOf(member), { role: id }, { action: `${pageOf(member)}/role` })
    expect((await give(String(role))).location).toBe(`${pageOf(member)}?done=role`)
    expect(await roleOf(member)).toBe(role)
    expect((await browser.get(pageOf(member))).html).toContain(`<option value="${role}" selected`)
    await give('')
    expect(await roleOf(member)).toBeNull()
  })

  it('does not assign a role of equal or higher rank', async () => {
    const browser = await staff('manageUsers', 'manageRoles')
    const member = await given.account()
    for (const position of [staffPosition, staffPosition + 1]) {
      const role = await givenRole({ position })
      expect((await browser.get(pageOf(member))).html).not.toContain(`value="${role}"`)
      const sent = await browser.fill(
        pageOf(member),
        { role: String(role) },
        { action: `${pageOf(member)}/role` },
      )
      expect([sent.status, await roleOf(member)]).toEqual([403, null])
    }
  })

  it('shows no role form for accounts of equal rank, remote accounts, and without the permission', async () => {
    const browser = await staff('manageUsers', 'manageRoles')
    const equal = await given.account({ user: { roleId: await givenRole() } })
    const remote = await given.remoteAccount()
    for (const target of [equal, remote])
      expect((await browser.get(pageOf(target))).html).not.toContain(`${pageOf(target)}/role`)
    const member = await given.account()
    const other = await staff('manageUsers')
    const { html } = await other.get(pageOf(member))
    expect(html).not.toContain(`${pageOf(member)}/role`)
    const role = String(await givenRole({ position: 1 }))
    const token = tokenOf((await other.get(`${pageOf(member)}/decision/none`)).html)
    const sent = await other.post(`${pageOf(member)}/role`, { csrf_token: token, role })
    expect([sent.status, await roleOf(member)]).toEqual([403, null])
  })
})

describe('the newest posts of an account', () => {
  const left = async ({ id }: { readonly id: number }) =>
    (await context().db.select().from(statuses).where(eq(statuses.accountId, id)).all()).map(
      ({ text }) => text,
    )
  const strikesOf = ({ id }: { readonly id: number }) =>
    context().db.select().from(accountWarnings).where(eq(accountWarnings.targetAccountId, id)).all()

  it('deletes chosen posts with one strike', async () => {
    const browser = await staff('manageUsers', 'manageReports')
    const author = await given.account()
    const posts = []
    for (const text of ['first', 'second', 'third']) posts.push(await given.status({ by: author, text }))
    const fields = { 'post-0': String(posts[2]?.id), 'post-2': String(posts[0]?.id), posts_type: 'delete' }
    const { location } = await browser.confirm(
      pageOf(author),
      { ...fields, posts_text: 'No adverts' },
      { action: `${pageOf(author)}/posts` },
    )
    expect(location).toBe(`${pageOf(author)}?done=decided`)
    expect(await left(author)).toEqual(['second'])
    expect(await strikesOf(author)).toMatchObject([{ action: 'delete_statuses', text: 'No adverts' }])
  })

  it('does not delete posts of other accounts', async () => {
    const browser = await staff('manageUsers', 'manageReports')
    const [author, other] = [await given.account(), await given.account()]
    await given.status({ by: author, text: 'mine' })
    const { id } = await given.status({ by: other, text: 'not named' })
    const { status } = await browser.fill(
      pageOf(author),
      { 'post-0': String(id), posts_type: 'delete' },
      { action: `${pageOf(author)}/posts` },
    )
    expect([status, await left(other), await strikesOf(author)]).toEqual([422, ['not named'], []])
  })

  it('deletes nothing where no post is chosen, and keeps typed values', async () => {
    const browser = await staff('manageUsers', 'manageReports')
    const author = await given.account()
    await given.status({ by: author, text: 'stays' })
    const { status, html } = await browser.fill(
      pageOf(author),
      { posts_type: 'delete', posts_text: 'My <words>' },
      { action: `${pageOf(author)}/posts` },
    )
    expect([status, await left(author)]).toEqual([422, ['stays']])
    expect(textOf(html)).toContain("Posts can't be blank")
    expect(html).toContain('My &lt;words&gt;')
    expect(html).toContain('<details class="confirm" open')
  })
})
