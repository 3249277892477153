import { eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { users } from '../../src/db/schema'
import { Browser } from '../support/browser'
import { scheduledStatus } from '../support/given-scheduled'
import { signedIn } from '../support/members'
import { context, fetchApp } from '../support/test-app'

const documentOf = (html: string) => /<html lang="(\w+)" dir="(\w+)">/.exec(html)?.slice(1)

async function visit(acceptLanguage: string, path = '/about') {
  const { html } = await new Browser().get(path, { headers: { 'accept-language': acceptLanguage } })
  return html
}

describe('the language of pages', () => {
  it.each([
    ['de-AT,de;q=0.9,en;q=0.8', 'de', 'Datenschutz'],
    ['pt, fr;q=0.5, es;q=0.7', 'es', 'Privacidad'],
    ['fr-CA', 'fr', 'Confidentialité'],
    ['ja', 'ja', 'プライバシー'],
    ['pt-BR', 'en', 'Privacy'],
    ['', 'en', 'Privacy'],
    ['*', 'en', 'Privacy'],
    [`${'x'.repeat(5_000)}, de`, 'en', 'Privacy'],
  ])('follows what a browser prefers: %s', async (header, language, word) => {
    const html = await visit(header)
    expect(documentOf(html)).toEqual([language, 'ltr'])
    expect(html).toContain(`>${word}</a>`)
  })

  it('runs from right to left in Arabic', async () => {
    const html = await visit('ar')
    expect(documentOf(html)).toEqual(['ar', 'rtl'])
    expect(html).toContain('>الخصوصية</a>')
  })

  it('keeps elements within sentences, and escapes values', async () => {
    expect(await visit('de', '/auth/sign_in')).toMatch(
      /Neu hier\? <a href="\/auth\/sign_up">Registrieren<\/a>/,
    )
    expect(await visit('de')).toMatch(/Auf fieldfare\.test läuft Fieldfare [\d.]+</)
  })

  it('the language of pages is the same for another visitor of that language only, also from the cache', async () => {
    const get = (language: string) =>
      fetchApp(
        new Request('https://fieldfare.test/about', {
          headers: { accept: 'text/html', 'accept-language': language },
        }),
      )
    const first = await get('de')
    const again = await get('de-DE')
    const other = await get('en')
    expect(first.response.headers.get('vary')).toContain('Accept-Language')
    expect(again.costs.trips).toBe(0)
    expect(documentOf(await again.response.text())).toEqual(['de', 'ltr'])
    expect(documentOf(await other.response.text())).toEqual(['en', 'ltr'])
  })

  it('the language of pages is the member’s choice, with days in their time zone', async () => {
    const { member, browser } = await signedIn()
    await scheduledStatus(member, { text: 'The wren sings', at: new Date('2026-12-24T23:30:00Z') })
    const chosen = { locale: 'de-AT', timeZone: 'Asia/Tokyo' }
    await context().db.update(users).set(chosen).where(eq(users.accountId, member.id))
    const { html } = await browser.get('/settings/scheduled', { headers: { 'accept-language': 'fr' } })
    expect(documentOf(html)).toEqual(['de', 'ltr'])
    expect(html).toMatch(/25\. Dez\. 2026, 08:30 /)
  })

  it('the language of pages is that of the browser where a member chose one without a catalogue', async () => {
    const { member, browser } = await signedIn()
    const chosen = { locale: 'pt', timeZone: 'Nowhere/Land' }
    await context().db.update(users).set(chosen).where(eq(users.accountId, member.id))
    const { html } = await browser.get('/settings/scheduled', { headers: { 'accept-language': 'fr' } })
    expect(documentOf(html)).toEqual(['fr', 'ltr'])
  })
})
