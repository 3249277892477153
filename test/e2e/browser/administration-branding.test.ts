import { afterAll, beforeAll, expect, it } from 'vitest'
import { shadesOf } from '../../../src/domain/instance/accent-shades'
import { readers } from '../../../src/domain/instance/token-colours'
import { withChromium } from '../support/browser'
import { Panel } from '../support/panel'
import { routesOf } from '../support/panel-flows'

const api = '/api/fieldfare/v1/admin/settings'
const colour = '#0b7a75'

withChromium('the looks of a server, in the panel', () => {
  let panel: Panel
  beforeAll(async () => {
    panel = await Panel.open()
  })
  afterAll(() => panel?.close())

  it('shows an uploaded logo in the head of every page, and the picture on the front page', async () => {
    const { page } = panel
    await panel.go('/admin/branding')
    for (const field of ['logo', 'thumbnail'])
      await page.setInputFiles(`[name=${field}]`, 'test/data/media/rgba.png')
    await page.getByLabel('Description of the picture').fill('A hedge in frost')
    expect(await panel.press('Save', api, panel.region('Logo and picture'))).toContain(
      'Logo and picture are saved.',
    )
    for (const path of ['/about', '/home']) {
      await panel.go(path)
      const width = `(async () => {
        const logo = document.querySelector('.own-logo')
        await logo.decode()
        return logo.naturalWidth
      })()`
      expect(await page.evaluate(width)).toBe(192)
    }
    const visitor = await panel.openWithoutScripts('/about')
    await visitor.context().clearCookies()
    await visitor.goto(`${panel.instance.origin}/`)
    await visitor.getByAltText('A hedge in frost').waitFor()
    await visitor.context().close()
  })

  it('shows an accent colour in a preview first, and then on all pages in the shade of each theme', async () => {
    const { page } = panel
    await panel.go('/admin/branding')
    await page.getByLabel('Accent colour').and(page.locator('input')).fill(colour)
    await panel.preview('Preview', api)
    expect(await panel.press('Save', api)).toBe('The accent colour is saved.')
    for (const { theme, hasContrast } of readers) {
      await page.emulateMedia({ colorScheme: theme, contrast: hasContrast ? 'more' : 'no-preference' })
      const { accent, onAccent } = shadesOf(colour, { theme, hasContrast })
      await panel.go('/admin/branding')
      expect(await page.evaluate(button)).toEqual([rgb(accent), rgb(onAccent)])
    }
    await page.emulateMedia({ colorScheme: 'light', contrast: 'no-preference' })
    expect(await panel.press('Use the default colour', api)).toBe('The accent colour is saved.')
    expect(await page.evaluate(button)).toEqual(['rgb(138, 74, 43)', 'rgb(255, 255, 255)'])
  })

  it('shows the Markdown of the front page in a preview first, and then to visitors', async () => {
    const { page } = panel
    await panel.go('/admin/branding')
    await panel.region('Front page').getByRole('textbox').fill('## Welcome\n\nTo the *hedge*.')
    await panel.preview('Preview', api, panel.region('Front page'))
    await page.getByRole('heading', { name: 'Welcome' }).waitFor()
    expect(await panel.press('Save', api)).toBe('The front page is saved.')
    const visitor = await panel.openWithoutScripts('/about')
    await visitor.context().clearCookies()
    await visitor.goto(`${panel.instance.origin}/`)
    await visitor.getByRole('heading', { name: 'Welcome' }).waitFor()
    await visitor.context().close()
  })

  it('shows the style sheet of the operator on every page, but not to members who want high contrast', async () => {
    const { page } = panel
    const ground = 'getComputedStyle(document.documentElement).backgroundColor'
    await panel.go('/admin/branding')
    await panel
      .region('Colours, corners and fonts')
      .getByRole('textbox')
      .fill('--ground: light-dark(#eef0ff, #101030);')
    await panel.preview('Preview', api, panel.region('Colours, corners and fonts'))
    expect(await page.evaluate(ground)).toBe('rgb(238, 240, 255)')
    expect(await page.evaluate(samples)).toEqual(['rgb(238, 240, 255)', 'rgb(16, 16, 48)'])
    await page.getByRole('link', { name: 'Cancel' }).click()
    await panel
      .region('Colours, corners and fonts')
      .getByRole('textbox')
      .fill('--ground: light-dark(#eef0ff, #101030);')
    expect(await panel.press('Save', api, panel.region('Colours, corners and fonts'))).toBe(
      'The style sheet is saved.',
    )
    for (const path of ['/home', '/privacy-policy', '/admin/settings']) {
      await panel.go(path)
      expect([path, await page.evaluate(ground)]).toEqual([path, 'rgb(238, 240, 255)'])
    }
    await page.emulateMedia({ contrast: 'more' })
    await panel.go('/home')
    expect(await page.evaluate(ground)).toBe('rgb(255, 255, 255)')
    await page.emulateMedia({ contrast: 'no-preference' })
  })

  it('applies the CSS of the operator over the style of every page, but not where it is changed back', async () => {
    const { page } = panel
    const seen = `(() => {
      const { outlineStyle, display } = getComputedStyle(document.querySelector('main'))
      return [outlineStyle, display === 'none']
    })()`
    const css = 'main, .page, .button { display: none; outline: 3px solid }'
    await panel.go('/admin/branding')
    await panel.region('CSS').getByRole('textbox').fill(css)
    expect(await panel.press('Save', api, panel.region('CSS'))).toBe('The CSS is saved.')
    for (const path of ['/home', '/privacy-policy', '/@owner']) {
      await panel.go(path)
      expect([path, await page.evaluate(seen)]).toEqual([path, ['solid', true]])
    }
    const visitor = await panel.openWithoutScripts('/about')
    await visitor.context().clearCookies()
    await visitor.goto(`${panel.instance.origin}/auth/sign_in`)
    expect(await visitor.evaluate(seen)).toEqual(['none', false])
    await visitor.context().close()
    await panel.go('/admin/branding')
    expect(await page.evaluate(seen)).toEqual(['none', false])
    await panel.region('CSS').getByRole('textbox').fill('')
    expect(await panel.press('Save', api, panel.region('CSS'))).toBe('The CSS is saved.')
    await panel.go('/home')
    expect(await page.evaluate(seen)).toEqual(['none', false])
  })

  it('logs no errors, and sent every form of these pages', () => {
    expect(panel.complaints).toEqual([])
    expect(routesOf('branding').filter((route) => !panel.used.has(route))).toEqual([])
  })
})

/** Grounds of the samples of a preview, in light and dark. */
const samples = `[...document.querySelectorAll('.theme-sample')].map((one) => getComputedStyle(one).backgroundColor)`

/** Colours of the first main button. */
const button = `(() => {
  const { backgroundColor, color } = getComputedStyle(document.querySelector('.button.main'))
  return [backgroundColor, color]
})()`

/** A colour as browsers compute it. */
function rgb(hex: string): string {
  const channels = [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16))
  return `rgb(${channels.join(', ')})`
}
