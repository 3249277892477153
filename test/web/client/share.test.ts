import { eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { mediaLimits } from '../../../src/contract/limits'
import { mediaAttachments, statuses } from '../../../src/db/schema'
import { Browser, hiddenFields, textOf } from '../../support/browser'
import { mediaFile } from '../../support/media'
import { signedIn } from '../../support/members'
import { context } from '../../support/test-app'

type Member = Awaited<ReturnType<typeof signedIn>>['member']

const bySheet = { 'sec-fetch-site': 'none', origin: 'null' }
const bySite = { 'sec-fetch-site': 'cross-site', origin: 'https://elsewhere.example' }

async function share(
  browser: Browser,
  headers: Readonly<Record<string, string>>,
  { fields = {}, files = 0 }: { readonly fields?: Readonly<Record<string, string>>; readonly files?: number },
) {
  const body = new FormData()
  for (const [name, value] of Object.entries(fields)) body.append(name, value)
  const picture = mediaFile('rgb.png')
  for (let index = 0; index < files; index += 1)
    body.append('file[]', new File([picture], `${index}.png`, { type: 'image/png' }))
  return browser.send('/share', body, { headers })
}

const uploadsOf = (member: Member) =>
  context().db.select().from(mediaAttachments).where(eq(mediaAttachments.accountId, member.id))
const postsOf = (member: Member) =>
  context().db.select().from(statuses).where(eq(statuses.accountId, member.id))

describe('the share target', () => {
  it('fills the composer with text and files, and posts nothing', async () => {
    const { member, browser } = await signedIn()
    const fields = { title: 'Waxwings', text: 'in the hedge', url: 'https://birds.example/1' }
    const shared = await share(browser, bySheet, { fields, files: 2 })
    expect(shared.status).toBe(303)
    const page = await browser.get(shared.location ?? '')
    expect(page.status).toBe(200)
    for (const words of Object.values(fields)) expect(page.html).toContain(words)
    const uploads = await uploadsOf(member)
    expect(uploads).toHaveLength(2)
    expect(hiddenFields(page.html, '/publish')['media_ids']?.split(',').toSorted()).toEqual(
      uploads.map(({ id }) => String(id)).toSorted(),
    )
    expect(await postsOf(member)).toEqual([])
  })

  it('takes as many files as a post has of forty, and says that some are missing', async () => {
    const { member, browser } = await signedIn()
    const shared = await share(browser, bySheet, { fields: { text: 'Many birds' }, files: 40 })
    expect(await uploadsOf(member)).toHaveLength(mediaLimits.perStatus)
    const page = await browser.get(shared.location ?? '')
    expect(textOf(page.html)).toContain('Some files could not be taken along')
    expect(page.html).toContain('Many birds')
  })

  it.each([
    ['another site', bySite],
    ['a page of this server', { 'sec-fetch-site': 'same-origin', origin: 'https://fieldfare.test' }],
    ['a browser that does not say who asks', { origin: 'null' }],
  ])('a share by %s fills in its text alone, and nothing is uploaded', async (_, headers) => {
    const { member, browser } = await signedIn()
    const shared = await share(browser, headers, { fields: { text: 'Buy my seed' }, files: 1 })
    expect(await uploadsOf(member)).toEqual([])
    expect(await postsOf(member)).toEqual([])
    const page = await browser.get(shared.location ?? '')
    expect(page.html).toContain('Buy my seed')
    expect(textOf(page.html)).toContain('Some files could not be taken along')
  })

  it('keeps the text for a visitor who signs in first', async () => {
    const shared = await share(new Browser(), bySheet, { fields: { text: 'Before I sign in' }, files: 0 })
    const page = await new Browser().get(shared.location ?? '')
    expect(page.location).toContain('/auth/sign_in')
    expect(decodeURIComponent(page.location ?? '').replaceAll('+', ' ')).toContain('Before I sign in')
  })

  it('cuts a text that is longer than an address, and says so', async () => {
    const { browser } = await signedIn()
    const shared = await share(browser, bySheet, { fields: { text: '鶫'.repeat(5_000) } })
    expect((shared.location ?? '').length).toBeLessThan(8_000)
    const page = await browser.get(shared.location ?? '')
    expect(page.html).toContain('鶫鶫鶫')
    expect(textOf(page.html)).toContain('too long to take along whole')
  })

  it('shows no upload of somebody else that a link names', async () => {
    const [{ browser: other, member }, { browser }] = [await signedIn(), await signedIn()]
    await share(other, bySheet, { files: 1 })
    const [upload] = await uploadsOf(member)
    const page = await browser.get(`/publish?text=Hello&media=${upload?.id}`)
    expect(hiddenFields(page.html, '/publish')['media_ids'] ?? '').toBe('')
    expect(page.html).not.toContain(`description_${upload?.id}`)
  })
})
