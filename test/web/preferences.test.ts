import { describe, expect, it } from 'vitest'
import { as } from '../support/as'
import { Browser, textOf } from '../support/browser'
import { signedIn } from '../support/members'

const path = '/settings/preferences'

const chosen = {
  visibility: 'unlisted',
  quote_policy: 'followers',
  language: 'de',
  expand_media: 'hide_all',
  sensitive: 'true',
  expand_spoilers: 'true',
  autoplay_gifs: 'true',
}

const ticked = (html: string) =>
  [...html.matchAll(/<input[^>]* name="([^"]+)"[^>]* checked/g)].map(([, name]) => name)
const selected = (html: string) =>
  [...html.matchAll(/<option value="([^"]*)" selected/g)].map(([, value]) => value)

describe('the page of preferences', () => {
  it('shows the defaults of a user who chose nothing', async () => {
    const { browser } = await signedIn()
    const { html } = await browser.get(path)
    expect(selected(html)).toEqual(['public', 'public', '', 'default'])
    expect(ticked(html)).toEqual(['show_application'])
  })

  it('names languages in the language of the reader, each with its own name', async () => {
    const { browser } = await signedIn({ user: { locale: 'fr' } })
    const { html } = await browser.get(path)
    expect(html).toContain('<option value="de">allemand (Deutsch)</option>')
    expect(html).toContain('<option value="fr">français</option>')
    expect(html).not.toContain('>German')
  })

  it('saves preferences for apps to read', async () => {
    const { member, browser } = await signedIn()
    const done = await browser.fill(path, { ...chosen, 'language-de': 'true', 'language-en': 'true' })
    expect(done.status).toBe(303)
    const saved = textOf((await browser.get(done.location ?? '')).html)
    expect(saved).toContain('Your preferences are saved. Changed: Who sees new posts, Who can quote them,')
    expect(saved.split('Languages in public timelines')).toHaveLength(3)
    expect((await as(member).get('/api/v1/preferences')).body).toEqual({
      'posting:default:visibility': 'unlisted',
      'posting:default:sensitive': true,
      'posting:default:language': 'de',
      'posting:default:quote_policy': 'followers',
      'reading:expand:media': 'hide_all',
      'reading:expand:spoilers': true,
      'reading:autoplay:gifs': true,
    })
    const { html } = await browser.get(path)
    expect(selected(html)).toEqual(['unlisted', 'followers', 'de', 'hide_all'])
    expect(ticked(html).toSorted()).toEqual(
      ['autoplay_gifs', 'expand_spoilers', 'language-de', 'language-en', 'sensitive'].toSorted(),
    )
  })

  it('resets preferences that are not chosen any more, and keeps other settings', async () => {
    const { member, browser } = await signedIn({
      user: {
        settings: { chosenLanguages: ['fr'], defaultLanguage: 'fr', defaultContentType: 'text/markdown' },
      },
    })
    await browser.fill(path, { ...chosen, language: '' })
    const { html } = await browser.get(path)
    expect(ticked(html)).not.toContain('language-fr')
    const { body } = await as(member).get('/api/v1/preferences')
    expect(body).toMatchObject({ 'posting:default:language': 'en' })
    const { id } = await postedBy(member)
    expect((await as(member).get(`/api/v1/statuses/${id}`)).body).toMatchObject({
      visibility: 'unlisted',
      language: 'en',
      content: '<p><strong>bold</strong></p>',
    })
  })

  it.each([{ visibility: 'everyone' }, { language: 'xx' }, { expand_media: '' }])(
    'refuses what it does not offer: %j',
    async (wrong) => {
      const { member, browser } = await signedIn()
      expect((await browser.fill(path, { ...chosen, ...wrong })).status).toBe(422)
      const { body } = await as(member).get('/api/v1/preferences')
      expect(body).toMatchObject({ 'posting:default:visibility': 'public' })
    },
  )

  it('asks anonymous visitors to sign in, and saves nothing without the token of the form', async () => {
    expect((await new Browser().get(path)).location).toContain('/auth/sign_in')
    const { browser } = await signedIn()
    expect((await browser.post(path, chosen)).status).toBe(422)
    expect(selected((await browser.get(path)).html)[0]).toBe('public')
  })
})

async function postedBy(member: Parameters<typeof as>[0]): Promise<{ readonly id: string }> {
  const { body } = await as(member).post('/api/v1/statuses', { status: '**bold**' })
  if (typeof body === 'object' && body !== null && 'id' in body) return { id: String(body.id) }
  throw new Error('Nothing was posted')
}
