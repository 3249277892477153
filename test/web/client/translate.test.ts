import { describe, expect, it } from 'vitest'
import { textOf } from '../../support/browser'
import { expectCosts } from '../../support/expect-costs'
import { fakeLibreTranslate, translationPorts } from '../../support/fake-translation'
import { fediverse } from '../../support/fediverse'
import { given } from '../../support/given'
import { storedPicture, storedStatus } from '../../support/given-stored'
import { signedIn } from '../../support/members'

const words = { Zaunkönig: 'wren', singt: 'sings', Vogel: 'bird', Eule: 'owl' }

async function german(more: object = {}) {
  const author = await given.account()
  const id = await storedStatus({
    accountId: author.id,
    content: '<p>Zaunkönig singt</p>',
    language: 'de',
    ...more,
  })
  return { author, path: `/@${author.username}/${id}` }
}

describe('the page of a translated post', () => {
  it('shows text, warning and descriptions in the language of the reader, with the source and the way back', async () => {
    const { path } = await german({
      spoilerText: 'Vogel',
      attachments: [{ ...storedPicture, description: 'Eule' }],
    })
    const { browser } = await signedIn()
    const { overrides } = fakeLibreTranslate(words)
    const menu = await browser.get(path, { overrides })
    expect(menu.html).toContain(`href="${path}?translate=true"`)
    await browser.get(`${path}?translate=true`, { overrides })
    const { status, html, costs } = await browser.get(`${path}?translate=true`, { overrides })
    expect(status).toBe(200)
    expect(textOf(html)).toMatch(/wren sings.*Translated from German by LibreTranslate.*Show original/s)
    for (const part of ['>bird</bdi>', 'alt="owl"', `href="${path}">Show original`])
      expect(html).toContain(part)
    expect(html).not.toContain('Zaunkönig singt</p>')
    expectCosts(costs, { trips: 2 })
  })

  it('translates to the language that the member reads', async () => {
    const { path } = await german({ language: 'en', content: '<p>wren</p>' })
    const { browser } = await signedIn({ user: { locale: 'de' } })
    const service = fakeLibreTranslate({ wren: 'Zaunkönig' })
    const { html } = await browser.get(`${path}?translate=true`, { overrides: service.overrides })
    expect(textOf(html)).toContain('Zaunkönig')
    expect(service.asked()).toMatchObject([{ source: 'en', target: 'de' }])
  })

  it('says why a post stays as it was written', async () => {
    const { browser } = await signedIn()
    const service = fakeLibreTranslate(words)
    const own = await german({ language: 'en' })
    const refused = await browser.get(`${own.path}?translate=true`, { overrides: service.overrides })
    expect(textOf(refused.html)).toContain('This post can’t be translated into your language.')
    const { path } = await german()
    const endpoint = 'https://silent-translator.test'
    fediverse.network.respond(`${endpoint}/languages`, () => new Response('', { status: 500 }))
    const { overrides } = translationPorts({ kind: 'libretranslate', endpoint, key: '' })
    const silent = await browser.get(`${path}?translate=true`, { overrides })
    expect(silent.status).toBe(200)
    expect(textOf(silent.html)).toContain('The translation service could not translate this post.')
    expect(textOf(silent.html)).toContain('Zaunkönig singt')
  })

  it('never sends posts for followers to the service, and offers no translation where it would be refused', async () => {
    const service = fakeLibreTranslate(words)
    const { overrides } = service
    const { browser, member } = await signedIn()
    const id = await storedStatus({
      accountId: member.id,
      content: '<p>Zaunkönig</p>',
      language: 'de',
      visibility: 'private',
    })
    const own = `/@${member.username}/${id}`
    expect(textOf((await browser.get(`${own}?translate=true`, { overrides })).html)).toContain('Zaunkönig')
    const hidden = await german({ visibility: 'private' })
    expect((await browser.get(`${hidden.path}?translate=true`, { overrides })).status).toBe(404)
    expect(service.asked()).toEqual([])
    const { path } = await german()
    expect((await browser.get(path)).html).not.toContain('?translate=true')
    const english = await german({ language: 'en' })
    expect((await browser.get(english.path, { overrides })).html).not.toContain('?translate=true')
  })
})
