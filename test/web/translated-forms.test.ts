import { describe, expect, it } from 'vitest'
import english from '../../public/messages/en.json'
import { Browser, textOf } from '../support/browser'
import { signedIn } from '../support/members'

/** The English texts in brackets, so that a word without translation is seen. */
const bracketed = Object.fromEntries(Object.entries(english).map(([key, text]) => [key, `[${text}]`]))
const overrides = { catalogues: { load: () => Promise.resolve(bracketed) } }
const german = { headers: { 'accept-language': 'de' }, overrides }

describe('a form in another language', () => {
  it('shows errors in it beside each field and in the summary', async () => {
    const browser = new Browser(overrides)
    const fields = { username: 'admin', email: 'nowhere', password: 'short', password_confirmation: 'other' }
    const { status, html } = await browser.fill('/auth/sign_up', fields, german)
    expect(status).toBe(422)
    const text = textOf(html)
    for (const problem of [
      '[[Username] is reserved.]',
      '[[E-mail address] is not valid.]',
      '[[Password] is too short (minimum is 8 characters).]',
      '[[Agreement] must be accepted.]',
    ])
      expect(text.split(problem)).toHaveLength(3)
    expect(html).toContain('<html lang="de" dir="ltr">')
    expect(html).toContain('name="locale" value="de"')
  })

  it('shows errors of the whole form in it', async () => {
    const { html } = await new Browser(overrides).fill(
      '/auth/sign_in',
      { username: 'nobody', password: 'wrong' },
      german,
    )
    expect(textOf(html)).toContain('[Wrong name or password.]')
    expect(html).toContain('<title>[Error: [Sign in] · ')
  })

  it('shows errors of a settings form in it', async () => {
    const { browser } = await signedIn({ user: { locale: 'de' } })
    const fields = { age: '2629746', favourites: '0', boosts: '' }
    const { html } = await browser.fill('/statuses_cleanup', fields, { overrides })
    expect(textOf(html)).toContain('[[Favourites] must be a whole number from 1 on, or empty.]')
    const upload = { kind: 'blocks', mode: 'merge', file: 'nothing of use' }
    const refused = await browser.fill('/settings/imports', upload, { overrides })
    expect(textOf(refused.html)).toContain('[[File] has no line that can be used.]')
  })

  it('shows rules of user names', async () => {
    const { html } = await new Browser(overrides).fill('/auth/sign_up', { username: 'two words' }, german)
    expect(textOf(html)).toContain('[[Username] must contain only letters, digits and underscores.]')
  })

  it('names the field by its label in English, too', async () => {
    const { html } = await new Browser().fill('/auth/sign_up', { username: 'two words' })
    expect(textOf(html)).toContain("E-mail address can't be blank.")
  })
})

describe('the page of a failure in another language', () => {
  it('the page of a failure in another language is in the language of the browser, and in that of a signed-in member', async () => {
    const visitor = await new Browser(overrides).get('/nowhere', german)
    expect(textOf(visitor.html)).toContain('[Page not found]')
    const { browser, member } = await signedIn({ user: { locale: 'fr' } })
    const { html } = await browser.get('/nowhere', { overrides })
    expect(html).toContain('<html lang="fr" dir="ltr">')
    expect(html).toContain(`@${member.username}`)
  })

  it('translates the reason for a refusal', async () => {
    const { browser } = await signedIn({ user: { locale: 'de' } })
    const { status, html } = await browser.post('/settings/preferences', {}, { overrides })
    expect(status).toBe(422)
    expect(textOf(html)).toContain('[This form has expired. Go back, reload the page and try again.]')
  })
})

describe('the browsers of an account in another language', () => {
  it('the browsers of an account are named in it', async () => {
    const { browser } = await signedIn({ user: { locale: 'de' } })
    const { html } = await browser.get('/auth/edit', { overrides })
    expect(textOf(html)).toContain('[Unknown browser]')
  })
})
