import { describe, expect, it } from 'vitest'
import { shadesOf, usualAccent } from '../../src/domain/instance/accent-shades'
import { coloursOf, neededContrast, readers } from '../../src/domain/instance/token-colours'
import {
  contrastOf,
  fromOklch,
  type HexColour,
  hexColourOf,
  lowestContrast,
  toOklch,
} from '../../src/lib/colour'
import { accentPath } from '../../src/web/accent'
import { Browser } from '../support/browser'
import { withSettings } from '../support/settings'

/** Colours of every hue, from black to white and from grey to neon. */
const colours: readonly HexColour[] = [0, 0.15, 0.35, 0.5, 0.65, 0.8, 0.95, 1].flatMap((lightness) =>
  [0, 0.08, 0.2, 0.4].flatMap((chroma) =>
    [0, 1, 2, 3, 4, 5, 6].map((hue) => fromOklch({ lightness, chroma, hue })),
  ),
)

describe('colours', () => {
  it('colours have the contrast that WCAG gives as examples', () => {
    expect(contrastOf('#000000', '#ffffff')).toBeCloseTo(21)
    expect(contrastOf('#777777', '#ffffff')).toBeCloseTo(4.48, 2)
    expect(contrastOf('#ffffff', '#ff0000')).toBeCloseTo(4, 1)
  })

  it('colours stay the same when they are read as lightness, chroma and hue, and written again', () => {
    for (const colour of ['#8a4a2b', '#ffffff', '#000000', '#00ff00', '#1e6fd9'] as const)
      expect(fromOklch(toOklch(colour))).toBe(colour)
  })

  it.each(['8a4a2b', '#8a4', '#8a4a2b00', '#8a4a2g', 'red', '', '#8a4a2b;}*{', 'url(x)'])(
    '%j is no colour of six digits',
    (text) => {
      expect(hexColourOf(text)).toBeNull()
    },
  )
})

describe.each(readers)('shades of an accent colour for the reader %j', (reader) => {
  const { ground, surface, sunken, text } = coloursOf(reader)
  const needed = neededContrast(reader)

  it('texts in any accent colour stand out on every ground, and so do texts on it', () => {
    const all: readonly HexColour[] = [...colours, usualAccent]
    const faint = all.flatMap((colour) => {
      const { accent, hover, onAccent, soft } = shadesOf(colour, reader)
      const ratios = [
        lowestContrast(accent, [ground, surface, sunken, soft]),
        contrastOf(onAccent, accent),
        contrastOf(onAccent, hover),
        contrastOf(text, soft),
      ]
      return Math.min(...ratios) < needed ? [[colour, ...ratios]] : []
    })
    expect(faint).toEqual([])
  })

  it('a colour that stands out enough is shown as it was chosen', () => {
    const chosen: HexColour = reader.theme === 'light' ? '#6a0fb0' : '#8fd0ff'
    expect(shadesOf(chosen, reader).accent).toBe(chosen)
  })

  it('a colour that does not stand out keeps its hue', () => {
    const chosen: HexColour = reader.theme === 'light' ? '#ffb03b' : '#1b3a8a'
    const shown = shadesOf(chosen, reader).accent
    expect(shown).not.toBe(chosen)
    expect(Math.abs(toOklch(shown).hue - toOklch(chosen).hue)).toBeLessThan(0.08)
  })
})

describe('the style sheet of an accent colour', () => {
  it('every page names the style sheet of the accent colour, with a policy that allows no inline style', async () => {
    await withSettings({ accentColour: '#1E6FD9' }, async () => {
      const sheet = `<link rel="stylesheet" href="${accentPath('#1e6fd9')}"/>`
      for (const path of ['/', '/about', '/privacy-policy', '/auth/sign_in', '/explore', '/no-such-page']) {
        const { html, headers } = await new Browser().get(path)
        expect(html, path).toContain(sheet)
        expect(html, path).not.toMatch(/<style|style="/)
        expect(headers.get('content-security-policy'), path).toContain("style-src 'self'")
      }
    })
    expect((await new Browser().get('/about')).html).not.toContain('/styles/accent-')
  })

  it('the style sheet of an accent colour has its shades for every theme, is cached, and reads nothing', async () => {
    const { html, headers, costs } = await new Browser().get(accentPath('#1e6fd9'))
    expect(headers.get('content-type')).toBe('text/css; charset=utf-8')
    expect(headers.get('cache-control')).toBe('public, max-age=86400')
    expect(costs.trips).toBe(0)
    for (const reader of readers) expect(html).toContain(shadesOf('#1e6fd9', reader).accent)
    expect(html).toMatch(/^@layer tokens\{.*\}$/s)
  })

  it.each([
    'accent-red.css',
    'accent-1e6fd9.css.map',
    'accent-1e6fd9',
    'accent-%7D*%7B.css',
    'accent-1e6fd9zz.css',
  ])('there is no style sheet %s', async (name) => {
    expect((await new Browser().get(`/styles/${name}`)).status).toBe(404)
  })
})
