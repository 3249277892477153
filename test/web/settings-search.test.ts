import { beforeAll, describe, expect, it } from 'vitest'
import { type Browser, textOf } from '../support/browser'
import { signedIn } from '../support/members'

let browser: Browser
beforeAll(async () => {
  browser = (await signedIn({ user: { locale: 'en' } })).browser
})

/** Paths and texts of the pages that a search in the settings finds. */
async function found(text: string, reader = browser) {
  const { status, html } = await reader.get(`/settings?${new URLSearchParams({ q: text })}`)
  expect(status).toBe(200)
  const main = html.slice(html.indexOf('<main'), html.indexOf('</main>'))
  return [...main.matchAll(/<a class="row-link" href="([^"]+)">(.*?)<\/a>/gs)].map(([, path, row = '']) => ({
    path,
    text: textOf(row).trim(),
  }))
}

describe('the search in the settings', () => {
  it('the search in the settings finds pages by their fields, in capitals and by parts of words, and names what matches', async () => {
    expect(await found('TEXT si')).toEqual([
      { path: '/settings/preferences/appearance', text: expect.stringContaining('Text size') },
    ])
    expect((await found('passkey')).map(({ path }) => path)).toEqual([
      '/auth/edit/password',
      '/settings/two-factor',
    ])
    expect((await found('password')).map(({ path }) => path)).toContain('/auth/edit/password')
  })

  it('the search in the settings finds texts in the language of the reader, without its accents', async () => {
    const { browser: french } = await signedIn({ user: { locale: 'fr' } })
    expect((await found('cles d’acces', french)).length).toBeGreaterThan(0)
    expect(await found('passkeys', french)).toEqual([])
  })

  it('the search in the settings says so where nothing matches, and shows what was typed as text', async () => {
    const { html } = await browser.get(`/settings?${new URLSearchParams({ q: '"><b>kestrel' })}`)
    expect(textOf(html)).toContain('No settings match.')
    expect(html).not.toContain('<b>kestrel')
    expect(html).toContain('value="&quot;&gt;&lt;b&gt;kestrel"')
  })

  it('the settings show the whole menu without a search, and offer it beside every page', async () => {
    expect((await found('  ')).length).toBeGreaterThan(15)
    const { html } = await browser.get('/settings/preferences/appearance')
    expect(html.slice(html.indexOf('<aside'))).toContain('action="/settings"')
  })
})
