import { describe, expect, it } from 'vitest'
import { Status } from '../../src/contract/entities/status'
import { as } from '../support/as'
import { Browser, textOf } from '../support/browser'
import { storedPicture, storedStatus } from '../support/given-stored'
import { storedUpload } from '../support/given-upload'
import { signedIn } from '../support/members'

const path = '/settings/preferences/appearance'
const asDevice = { theme: '', palette: '', contrast: '', text_size: '', locale: '', time_zone: '' }
const rootOf = (html: string) => /<html[^>]*>/.exec(html)?.[0] ?? ''

describe('the look of an account', () => {
  it('the look of an account is on every page that the member opens, in the shell and outside of it', async () => {
    const { browser } = await signedIn()
    const chosen = { ...asDevice, theme: 'dark', contrast: 'more', text_size: '125' }
    const done = await browser.fill(path, chosen)
    expect(done.location).toBe(`${path}?done=saved&changed=theme%2Ccontrast%2Ctext_size%2Clocale`)
    for (const page of [path, '/home', '/about', '/no-such-page']) {
      const { html } = await browser.get(page)
      expect(rootOf(html), page).toContain('data-theme="dark" data-contrast="more" data-text="125"')
      expect(html, page).toContain('<meta name="color-scheme" content="dark"/>')
      expect(html, page).toContain('<meta name="theme-color" content="#12161b"/>')
    }
  })

  it('the look of an account is that of the device where nothing is chosen, and never reaches visitors', async () => {
    const { browser } = await signedIn()
    await browser.fill(path, { ...asDevice, theme: 'light', text_size: '150' })
    await browser.get('/about')
    const visitor = await new Browser().get('/about')
    expect(rootOf(visitor.html)).not.toContain('data-')
    await browser.fill(path, asDevice)
    const { html } = await browser.get('/about')
    expect(rootOf(html)).not.toContain('data-')
    expect(html).toContain('<meta name="color-scheme" content="light dark"/>')
  })

  it('the chips of the menu choose theme and colours, leave the rest as it is, and come back to the menu', async () => {
    const { browser } = await signedIn()
    await browser.fill(path, { ...asDevice, contrast: 'less', text_size: '110' })
    const press = (choice: string) => browser.fill('/menu', { choice }, { action: `${path}/choice` })
    for (const choice of ['theme:dark', 'palette:sea'])
      expect((await press(choice)).location).toBe('/menu#look')
    const { html } = await browser.get('/menu')
    expect(rootOf(html)).toContain(
      'data-theme="dark" data-palette="sea" data-contrast="less" data-text="110"',
    )
    expect([...html.matchAll(/value="([\w:]+)" aria-pressed="true"/g)].map(([, value]) => value)).toEqual([
      'theme:dark',
      'palette:sea',
    ])
    expect(html).toContain('<meta name="theme-color" content="#0c171f"/>')
    expect(html).toMatch(/<link rel="stylesheet" href="\/assets\/themes\.css\?v=\w+"\/>/)
    await press('theme:')
    await press('palette:')
    const plain = (await browser.get('/home')).html
    expect(rootOf(plain)).toContain('data-contrast="less" data-text="110"')
    expect(plain).not.toMatch(/data-theme|data-palette|themes\.css/)
  })

  it.each(['palette:neon', 'theme:sepia', 'contrast:more', 'palette:sea"><script>', 'theme'])(
    'the chips of the menu refuse %j',
    async (choice) => {
      const { browser } = await signedIn()
      const { status } = await browser.fill('/menu', { choice }, { action: `${path}/choice` })
      expect(status).toBe(422)
      expect(rootOf((await browser.get('/menu')).html)).not.toContain('data-')
    },
  )

  it('refuses what is not offered, and saves nothing then', async () => {
    const { browser } = await signedIn()
    await browser.fill(path, { ...asDevice, theme: 'light' })
    for (const wrong of [
      { theme: 'sepia' },
      { palette: 'neon' },
      { contrast: 'none' },
      { text_size: '100"' },
    ]) {
      const { status, html } = await browser.fill(path, { ...asDevice, ...wrong })
      expect([status, html.includes(`id="field-${Object.keys(wrong)[0]}-error"`)]).toEqual([422, true])
    }
    expect(rootOf((await browser.get('/home')).html)).toContain('data-theme="light"')
  })

  it('leaves the other settings as they are, and they leave it', async () => {
    const { browser } = await signedIn()
    await browser.fill('/settings/preferences', { ...preferences(), language: 'fr' })
    await browser.fill(path, { ...asDevice, theme: 'dark' })
    expect((await browser.get('/settings/preferences')).html).toContain('<option value="fr" selected')
    await browser.fill('/settings/preferences', { ...preferences(), language: 'de' })
    expect(rootOf((await browser.get('/home')).html)).toContain('data-theme="dark"')
  })
})

/** The form of preferences. */
function preferences(expand_media = 'default') {
  return { visibility: 'public', quote_policy: 'public', language: '', expand_media }
}

describe('pictures in posts', () => {
  async function withPicture(fields: Record<string, unknown> = {}) {
    const { member, browser } = await signedIn()
    const media_ids = [await storedUpload(member)]
    const sent = { status: 'A wren', media_ids, ...fields }
    const { id } = Status.parse((await as(member).post('/api/v1/statuses', sent)).body)
    const page = `/@${member.username}/${id}`
    const post = async (headers = {}) =>
      /<article.*?<\/article>/s.exec((await browser.get(page, { headers })).html)?.[0] ?? ''
    return { browser, post }
  }

  /** Words before the press, and whether a picture is seen without it. */
  function shownIn(html: string) {
    const [, summary = ''] = /<details class="warned"><summary>(.*?)<\/summary>/s.exec(html) ?? []
    const outside = html.replaceAll(/<details class="warned">.*?<\/details>/gs, '')
    return { summary: textOf(summary), isSeen: outside.includes('loading="lazy"') }
  }

  it('pictures in posts wait for a press, where the member hides all', async () => {
    const { browser, post } = await withPicture()
    expect(shownIn(await post())).toEqual({ summary: '', isSeen: true })
    await browser.fill('/settings/preferences', preferences('hide_all'))
    expect(shownIn(await post())).toMatchObject({
      summary: expect.stringContaining('Pictures and videos'),
      isSeen: false,
    })
  })

  it('pictures in posts wait for a press while the browser saves data', async () => {
    const { post } = await withPicture()
    expect(shownIn(await post({ 'save-data': 'on' })).isSeen).toBe(false)
    expect(shownIn(await post()).isSeen).toBe(true)
  })

  it('pictures in posts are shown though they are sensitive where the member shows all', async () => {
    const { browser, post } = await withPicture({ sensitive: true })
    expect(shownIn(await post())).toMatchObject({
      summary: expect.stringContaining('Sensitive'),
      isSeen: false,
    })
    await browser.fill('/settings/preferences', preferences('show_all'))
    expect(shownIn(await post())).toEqual({ summary: '', isSeen: true })
  })

  it('stand in a template where the member hides all, with links to them for browsers without scripts', async () => {
    const { browser, post } = await withPicture()
    await browser.fill('/settings/preferences', preferences('hide_all'))
    const html = await post()
    expect(html).toMatch(
      /<template data-later[^>]*><div class="media n1">.*<\/template><noscript><a class="card pad" href="[^"]+\/photo\/1"/s,
    )
    expect(html.replaceAll(/<template.*?<\/template>/gs, '')).not.toContain('loading="lazy"/></a>')
  })

  it('play by themselves without sound where they are animated and the member wants it', async () => {
    const { member, browser } = await signedIn()
    const attachments = [{ ...storedPicture, type: 'gifv' as const }]
    const id = await storedStatus({ accountId: member.id, content: '<p>A wren</p>', attachments })
    const path = `/@${member.username}/${id}`
    const plays = async (headers = {}) =>
      (await browser.get(path, { headers })).html.includes('autoplay="" muted=""')
    expect(await plays()).toBe(false)
    await browser.fill('/settings/preferences', { ...preferences(), autoplay_gifs: 'true' })
    expect(await plays()).toBe(true)
    expect(await plays({ 'save-data': 'on' })).toBe(false)
    await browser.fill('/settings/preferences', { ...preferences('hide_all'), autoplay_gifs: 'true' })
    expect(await plays()).toBe(false)
  })
})

describe('content warnings', () => {
  it('content warnings are open where the member chose it', async () => {
    const { member, browser } = await signedIn()
    const id = await storedStatus({ accountId: member.id, content: '<p>A wren</p>', spoilerText: 'Birds' })
    const path = `/@${member.username}/${id}`
    expect((await browser.get(path)).html).toContain('<details class="warned"><summary>')
    await browser.fill('/settings/preferences', { ...preferences(), expand_spoilers: 'true' })
    expect((await browser.get(path)).html).toContain('<details class="warned" open=""><summary>')
  })
})
