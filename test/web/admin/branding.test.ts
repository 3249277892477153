import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { execute } from '../../../src/db/query'
import { saveSettings } from '../../../src/domain/instance/save-settings'
import { defaultSettings, loadSettings, SettingsPatch } from '../../../src/domain/instance/settings'
import { operator } from '../../../src/domain/policy/permissions'
import { readDimensions } from '../../../src/lib/media/dimensions'
import { as } from '../../support/as'
import { Browser, textOf } from '../../support/browser'
import { given, type TestAccount } from '../../support/given'
import { formOf } from '../../support/given-media'
import { givenOwner, givenRole } from '../../support/given-staff'
import { mediaFile } from '../../support/media'
import { signedIn } from '../../support/members'
import { context, fetchApp, settleLateWork } from '../../support/test-app'

const path = '/admin/branding'
const api = '/api/fieldfare/v1/admin/settings'
const stored = () => execute(context().db, loadSettings(context()))
const reset = () => saveSettings(context(), operator, SettingsPatch.parse(defaultSettings))

let browser: Browser
let owner: TestAccount
beforeAll(async () => {
  owner = await givenOwner()
  browser = (await signedIn({ user: { roleId: await givenRole({ permissions: ['manageSettings'] }) } }))
    .browser
})
afterEach(reset)
afterAll(reset)

describe('the accent colour in the panel', () => {
  it('the panel saves a colour, shows it in every theme with its contrast, and restores the default', async () => {
    const done = await browser.fill(path, { accentColour: '#FFCC00' }, { action: `${path}/colour` })
    expect(done.location).toBe(`${path}?done=colour&at=colour`)
    expect(await stored()).toMatchObject({ accentColour: '#ffcc00' })
    const { html } = await browser.get(path)
    const shown = textOf(html)
    expect(shown).toContain('The chosen colour has 1.3:1 on the page, and texts need 4.5:1. Shown as #')
    expect(shown).toContain('Shown as chosen, #ffcc00.')
    await browser.fill(path, { accentColour: '#8a4a2b' }, { action: `${path}/colour` })
    expect(await stored()).toMatchObject({ accentColour: null })
  })

  it('the preview of a colour shows its shades and saves nothing', async () => {
    const { status, html } = await browser.fill(
      path,
      { accentColour: '#6a0fb0' },
      { action: `${path}/colour/preview` },
    )
    expect(status).toBe(200)
    expect(textOf(html)).toContain('Preview of #6a0fb0')
    expect(html).toContain('fill="#6a0fb0"')
    expect(html).toContain('<input type="hidden" name="accentColour" value="#6a0fb0"/>')
    expect(await stored()).toMatchObject({ accentColour: null })
  })

  it.each(['red', '#12345', '#1e6fd9;}body{display:none', 'url(https://elsewhere.test)', '#1e6fd9ff'])(
    'the panel and the API refuse %j as a colour',
    async (accentColour) => {
      for (const action of ['colour', 'colour/preview']) {
        const { status, html } = await browser.fill(path, { accentColour }, { action: `${path}/${action}` })
        expect([status, textOf(html)]).toEqual([422, expect.stringContaining('Accent colour')])
      }
      expect((await as(owner).patch(api, { accentColour })).status).toBe(422)
      expect(await stored()).toMatchObject({ accentColour: null })
    },
  )
})

describe('the front page', () => {
  const text =
    '# Welcome <b>all</b>\n\nRead the [rules](/rules), not [this](javascript:alert(1)).\n\n![](https://elsewhere.test/x.png)'

  it('visitors read the Markdown of the operator on the front page, and nothing of it is run or fetched', async () => {
    const preview = await browser.fill(path, { frontPage: text }, { action: `${path}/front-page/preview` })
    expect(preview.html).toContain('<h2>Welcome &lt;b&gt;all&lt;/b&gt;</h2>')
    expect(await stored()).toMatchObject({ frontPage: null })
    const done = await browser.fill(path, { frontPage: text }, { action: `${path}/front-page` })
    expect(done.location).toBe(`${path}?done=front&at=front`)
    const { html } = await new Browser().get('/')
    expect(html).toContain('<h2>Welcome &lt;b&gt;all&lt;/b&gt;</h2>')
    expect(html).toContain('<a href="/rules">rules</a>')
    expect(html).not.toMatch(/href="javascript|src="https:\/\/elsewhere\.test/)
  })

  it('an empty text shows the short description again', async () => {
    await saveSettings(context(), operator, { frontPage: 'Markdown', shortDescription: 'A hedge' })
    await browser.fill(path, { frontPage: '  ' }, { action: `${path}/front-page` })
    expect(await stored()).toMatchObject({ frontPage: null })
    expect((await new Browser().get('/')).html).toContain('<p>A hedge</p>')
  })
})

describe('the style sheet of the operator', () => {
  const save = (styleSheet: string) => browser.fill(path, { styleSheet }, { action: `${path}/style-sheet` })

  it('the style sheet of the operator is on every page, documents included, by an address that changes with it', async () => {
    const addresses: string[] = []
    for (const colour of ['light-dark(#eef, #112)', 'light-dark(#eff, #121)']) {
      expect(
        (await save(`:root {\n  /* ground */\n  --ground: ${colour};\n  --font: "Noto Serif", serif\n}`))
          .status,
      ).toBe(303)
      for (const page of ['/', '/privacy-policy', '/about', '/auth/sign_in', '/no-such-page']) {
        const { html } = await new Browser().get(page)
        const [, address = ''] = /href="(\/styles\/own\.css\?v=\w{10})"/.exec(html) ?? []
        expect(address, page).not.toBe('')
        addresses.push(address)
      }
      const { html, headers } = await new Browser().get(addresses.at(-1) ?? '')
      expect(headers.get('content-type')).toBe('text/css; charset=utf-8')
      expect(html).toBe(`@layer tokens{:root{--ground:${colour};--font:"Noto Serif", serif}}`)
    }
    expect(new Set(addresses).size).toBe(2)
    await save(' ')
    expect((await new Browser().get('/styles/own.css')).status).toBe(404)
    expect((await new Browser().get('/about')).html).not.toContain('/styles/own.css')
  })

  it.each([
    ['--ground: url(https://elsewhere.test/x.png)', 1],
    ['--ground: #fff;\n@import "https://elsewhere.test/x.css";', 2],
    ['--ground: \\75rl(//elsewhere.test)', 1],
    ['--font: "a"; } body { display: none', 1],
    ['--ground: #fff } * { color: red', 1],
    ['--ground: var(--text)', 1],
    ['--unknown: #fff', 1],
    ['\n\n--r1: 4000px', 3],
    ['.warning { display: none }', 1],
    ['--font: "</style><script>"', 1],
    ['--ground: #fff; /* not closed', 1],
    ['color: red', 1],
  ])('refuses the style sheet %j in line %i, in the panel and by the API', async (styleSheet, line) => {
    const { status, html } = await save(styleSheet)
    expect([status, textOf(html)]).toEqual([
      422,
      expect.stringContaining(`Style sheet is not valid: see line ${line}.`),
    ])
    expect(await as(owner).patch(api, { styleSheet })).toMatchObject({
      status: 422,
      body: { error: expect.stringContaining(`line ${line} sets no token`) },
    })
    expect(await stored()).toMatchObject({ styleSheet: null })
  })

  it('shows a style sheet before it is saved, to the administrator alone', async () => {
    const styleSheet = '--ground: light-dark(#eef, #112);\n--font: "Noto Serif", serif'
    const { status, html } = await browser.fill(
      path,
      { styleSheet },
      { action: `${path}/style-sheet/preview` },
    )
    expect([status, textOf(html)]).toEqual([200, expect.stringContaining('Preview of the style sheet')])
    const [, address = ''] = /href="(\/styles\/tokens\.css\?set=[^"]+)"/.exec(html) ?? []
    const sheet = await new Browser().get(address)
    expect(sheet.html).toBe(
      '@layer tokens{:root{--ground:light-dark(#eef, #112);--font:"Noto Serif", serif}}',
    )
    expect([
      sheet.headers.get('content-type'),
      sheet.headers.get('cache-control'),
      sheet.costs.trips,
    ]).toEqual(['text/css; charset=utf-8', 'private, no-store', 0])
    expect(await stored()).toMatchObject({ styleSheet: null })
    expect((await new Browser().get('/about')).html).not.toContain('/styles/tokens.css')
  })

  it.each(['', '--ground:url(//elsewhere.test)', '--ground:#fff}*{color:red', 'color:red'])(
    'there is no style sheet of the tokens %j',
    async (set) => {
      const { status } = await new Browser().get(`/styles/tokens.css?${new URLSearchParams({ set })}`)
      expect(status).toBe(404)
    },
  )

  it.each([
    {
      look: { styleSheet: '--text: light-dark(#999, #ece6dd)' },
      said: 'Style sheet: “--text” (#999999) has a contrast of 2.47:1 on “--ground” (#f4eee5). It has to be 4.5:1 at least.',
    },
    {
      look: { styleSheet: ':root { --surface: light-dark(#fffdf9, #777) }' },
      said: 'Style sheet: “--text” (#ece6dd) has a contrast of 3.61:1 on “--surface” (#777777). It has to be 4.5:1 at least.',
    },
    {
      look: { styleSheet: '--edge: light-dark(#ccc, #7d8896)' },
      said: 'Style sheet: “--edge” (#cccccc) has a contrast of 1.39:1 on “--ground” (#f4eee5). It has to be 3:1 at least.',
    },
    {
      // In high contrast the accent is another, under the texts that the sheet sets.
      look: { styleSheet: '--on-accent: light-dark(#fbb, #27130a)' },
      said: 'Style sheet: “--on-accent” (#ffbbbb) has a contrast of 6.25:1 on “--accent” (#6b3213). It has to be 7:1 at least.',
    },
  ])('refuses $look.styleSheet, in which texts do not stand out', async ({ look, said }) => {
    for (const action of ['style-sheet', 'style-sheet/preview']) {
      const { status, html } = await browser.fill(path, look, { action: `${path}/${action}` })
      expect([status, textOf(html)]).toEqual([422, expect.stringContaining(said)])
    }
    expect((await as(owner).patch(api, look)).status).toBe(422)
    expect(await stored()).toMatchObject({ styleSheet: null })
  })

  it('refuses an accent colour that does not stand out on the grounds of the style sheet', async () => {
    const styleSheet =
      '--ground: light-dark(#e4dccf, #12161b);--quiet: light-dark(#333d49, #a6b1be);--edge: light-dark(#5d5448, #7d8896)'
    expect((await save(styleSheet)).status).toBe(303)
    expect(await as(owner).patch(api, { accentColour: '#ffcc00' })).toMatchObject({
      status: 422,
      body: {
        error: expect.stringMatching(
          /^Validation failed: Accent colour has --link #\w{6} on --ground #e4dccf/,
        ),
      },
    })
    expect((await as(owner).patch(api, { accentColour: '#4a1a06' })).status).toBe(200)
    expect(await stored()).toMatchObject({ accentColour: '#4a1a06', styleSheet })
  })

  it('refuses a style sheet of more than 8 KiB', async () => {
    const styleSheet = '--ground: #fff;\n'.repeat(600)
    expect((await save(styleSheet)).status).toBe(422)
    expect(await stored()).toMatchObject({ styleSheet: null })
  })
})

describe('the logo of the server', () => {
  const send = (parts: Parameters<typeof formOf>[0]) => as(owner).patch(api, formOf(parts))
  const keyOf = async () => {
    const { logo } = await stored()
    return logo !== null && 'key' in logo ? logo.key : ''
  }

  it('the logo is a square in two sizes, on every page, in the manifest and in the instance document', async () => {
    expect((await send({ logo: mediaFile('rgba.png') })).status).toBe(200)
    const large = await keyOf()
    const small = large.replace('logo-512', 'logo-192')
    for (const [key, side] of [
      [large, 512],
      [small, 192],
    ] as const) {
      const { response } = await fetchApp(new Request(`https://fieldfare.test/media/${key}`))
      expect(response.headers.get('content-type')).toBe('image/png')
      expect(readDimensions(new Uint8Array(await response.arrayBuffer()))).toMatchObject({
        width: side,
        height: side,
      })
    }
    for (const page of ['/', '/auth/sign_in', '/no-such-page']) {
      const { html } = await new Browser().get(page)
      expect(html, page).toMatch(new RegExp(`<link rel="icon" href="[^"]*/${small}"/>`))
      expect(html, page).toMatch(new RegExp(`<link rel="apple-touch-icon" href="[^"]*/${large}"/>`))
      expect(html, page).toMatch(new RegExp(`<img class="own-logo" src="[^"]*/${small}" width="36"`))
      expect(html, page).not.toContain('/assets/logo.svg')
    }
    const manifest = JSON.parse((await new Browser().get('/manifest.webmanifest')).html)
    expect(manifest).toMatchObject({
      icons: [
        { src: expect.stringContaining(small), sizes: '192x192', type: 'image/png' },
        { src: expect.stringContaining(large), sizes: '512x512', type: 'image/png' },
      ],
      shortcuts: [{ icons: [{ src: expect.stringContaining(small) }] }, {}, {}],
    })
    expect((await as(null).get('/api/v2/instance')).body).toMatchObject({
      icon: [
        { src: expect.stringContaining(small), size: '192x192' },
        { src: expect.stringContaining(large), size: '512x512' },
      ],
    })
  })

  it('the panel uploads and removes logo and picture, and says what has changed', async () => {
    const file = (name: string) => new File([Buffer.from(mediaFile('rgba.png'))], name, { type: 'image/png' })
    const sent = { logo: file('logo.png'), thumbnail: file('hedge.png'), thumbnailDescription: 'A hedge' }
    const done = await browser.upload(path, sent, { action: `${path}/pictures` })
    expect(done.location).toContain('done=pictures')
    const { logo, thumbnail, thumbnailDescription } = await stored()
    expect([logo !== null, thumbnail !== null, thumbnailDescription]).toEqual([true, true, 'A hedge'])
    expect(textOf((await browser.get(done.location ?? '')).html)).toContain(
      'Changed: Description of the picture, Logo, Picture of the server',
    )
    await browser.upload(
      path,
      { remove_logo: 'true', remove_thumbnail: 'true', thumbnailDescription: '' },
      { action: `${path}/pictures` },
    )
    expect(await stored()).toEqual(defaultSettings)
  })

  it('the panel names the field of a refused logo', async () => {
    const logo = new File(['<svg/>'], 'logo.svg', { type: 'image/svg+xml' })
    const { status, html } = await browser.upload(path, { logo }, { action: `${path}/pictures` })
    expect([status, textOf(html)]).toEqual([422, expect.stringContaining('Logo')])
    expect(await stored()).toEqual(defaultSettings)
  })

  it('a new logo replaces the files of the former one, and removing it deletes them', async () => {
    await send({ logo: mediaFile('rgba.png') })
    const former = await keyOf()
    await send({ logo: mediaFile('rgb.png') })
    const latest = await keyOf()
    await settleLateWork()
    expect(latest).not.toBe(former)
    const exists = async (key: string) => (await given.env.MEDIA.head(key)) !== null
    const small = (key: string) => key.replace('logo-512', 'logo-192')
    expect([await exists(former), await exists(small(former))]).toEqual([false, false])
    expect([await exists(latest), await exists(small(latest))]).toEqual([true, true])
    await as(owner).patch(api, { logo: null })
    await settleLateWork()
    expect([await exists(latest), await exists(small(latest)), (await stored()).logo]).toEqual([
      false,
      false,
      null,
    ])
    expect((await new Browser().get('/about')).html).toContain('/assets/logo.svg')
  })

  it.each([
    ['no picture', new TextEncoder().encode('<svg xmlns="http://www.w3.org/2000/svg"><script/></svg>')],
    ['a sound', mediaFile('constant.mp3')],
    ['more than 2 MB', Buffer.concat([mediaFile('rgba.png'), new Uint8Array(2_097_152)])],
  ])('refuses a logo that is %s, and saves nothing', async (_, logo) => {
    const answer = await send({ logo, title: 'Changed' })
    expect([answer.status, JSON.stringify(answer.body)]).toEqual([422, expect.stringContaining('Logo')])
    expect(await stored()).toEqual(defaultSettings)
  })

  it.each([
    ['text', 'a picture'],
    ['a key of another file', { key: '.evidence/x' }],
    ['a remote picture', { remote: 'https://elsewhere.test/x.png' }],
  ])('refuses %s as logo', async (_, logo) => {
    expect((await as(owner).patch(api, { logo })).status).toBe(422)
    expect(await stored()).toEqual(defaultSettings)
  })
})
