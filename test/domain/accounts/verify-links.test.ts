import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { verifyLinks } from '../../../src/domain/accounts/update'
import { as } from '../../support/as'
import { fakeQueue } from '../../support/fake-queue'
import { fediverse } from '../../support/fediverse'
import { given, type TestAccount } from '../../support/given'
import { freshHost, html } from '../../support/given-page'
import { clock, context } from '../../support/test-app'

const { network } = fediverse
const profileOf = ({ username }: TestAccount) => `https://fieldfare.test/@${username}`

/** A page with this body at an address of its own. */
function served(body: string, type: Readonly<Record<string, string>> = html): string {
  const url = `https://${freshHost()}/me`
  network.respond(url, () => new Response(`<html><body>${body}</body></html>`, { headers: type }))
  return url
}

/** Saves a profile whose fields have these values, and does the work that follows. */
async function saved(by: TestAccount, values: readonly string[]) {
  const { ctx, work, jobs } = fakeQueue()
  const { outbox, ...overrides } = ctx
  const fields = values.map((value, index) => ({ name: `Page ${index}`, value }))
  await as(by).patch('/api/v1/accounts/update_credentials', { fields_attributes: fields }, { overrides })
  const kinds = jobs.map(({ kind }) => kind)
  await work()
  return kinds
}

const Fields = z.object({ fields: z.array(z.object({ verified_at: z.string().nullable() })) })
const verified = async ({ id }: TestAccount) =>
  Fields.parse((await as(null).get(`/api/v1/accounts/${id}`)).body).fields.map(
    ({ verified_at: at }) => at !== null,
  )

describe('verification of a profile link', () => {
  it.each([
    ['links back', (url: string) => `<a rel="nofollow me" href="${url}">me</a>`, true],
    ['links back in other letters', (url: string) => `<A REL=Me HREF=${url.toUpperCase()}>me</A>`, true],
    [
      'links back to the actor',
      (url: string) => `<link rel="me" href="${url.replace('/@', '/users/')}">`,
      true,
    ],
    [
      'links to the profile without saying who that is',
      (url: string) => `<a href="${url}">friend</a>`,
      false,
    ],
    ['links to another profile', (url: string) => `<a rel="me" href="${url}2">me</a>`, false],
    ['names the profile in a comment', (url: string) => `<!-- <a rel="me" href="${url}">me</a> -->`, false],
    ['says something that is like it', (url: string) => `<a rel="meme" href="${url}">me</a>`, false],
  ])('marks a field whose page %s accordingly', async (_name, body, isVerified) => {
    const alice = await given.account()
    await saved(alice, [served(body(profileOf(alice)))])
    expect(await verified(alice)).toEqual([isVerified])
  })

  it('verifies no page that redirects to another site, and one that redirects within its site', async () => {
    const alice = await given.account()
    const link = `<a rel="me" href="${profileOf(alice)}">me</a>`
    const redirecting = (to: string) => () => new Response(null, { status: 302, headers: { location: to } })
    const [open, host] = [`https://${freshHost()}/?to=far`, freshHost()]
    network.respond(open, redirecting(served(link)))
    network.respond(`https://${host}/old`, redirecting(`https://${host}/new`))
    network.respond(`https://${host}/new`, () => new Response(link, { headers: html }))
    await saved(alice, [open, `https://${host}/old`])
    expect(await verified(alice)).toEqual([false, true])
  })

  it('does not verify an unreadable or unreachable page, and continues with other fields', async () => {
    const alice = await given.account()
    const link = `<a rel="me" href="${profileOf(alice)}">me</a>`
    const gone = `https://${freshHost()}/`
    network.fail(gone, { broken: 'refused' })
    await saved(alice, [served(link, { 'content-type': 'text/plain' }), gone, served(link), 'no link'])
    expect(await verified(alice)).toEqual([false, false, true, false])
  })
})

describe('a mark', () => {
  it('a verification stays with the value of the field and is deleted with it', async () => {
    const alice = await given.account()
    const page = served(`<a rel="me" href="${profileOf(alice)}">me</a>`)
    expect(await saved(alice, [page])).toContain('verify-links')
    network.fail(page, { broken: 'refused' })
    expect(await saved(alice, [page, 'more'])).not.toContain('verify-links')
    expect(await verified(alice)).toEqual([true, false])
    await saved(alice, [`${page}?other`])
    expect(await verified(alice)).toEqual([false])
  })

  it('does not verify a profile that was changed in the meantime, or a suspended one', async () => {
    const [alice, bob] = [await given.account(), await given.account({ suspendedAt: clock.now() })]
    const url = `https://${freshHost()}/me`
    network.respond(url, async () => {
      await as(alice).patch('/api/v1/accounts/update_credentials', {
        fields_attributes: [{ name: 'Page', value: 'another' }],
      })
      return new Response(`<a rel="me" href="${profileOf(alice)}">me</a>`, { headers: html })
    })
    await saved(alice, [url])
    expect(await verified(alice)).toEqual([false])
    expect((await verifyLinks(context(), bob.id)).kind).toBe('ignored')
  })
})
