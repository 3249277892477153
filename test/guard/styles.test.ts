import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { palettes } from '../../src/contract/look'
import {
  coloursOf,
  marks,
  neededContrast,
  neededOfMarks,
  texts,
} from '../../src/domain/instance/token-colours'
import { accents } from '../../src/web/components/look-chips'
import { grounds as framed } from '../../src/web/grounds'

const folder = 'src/styles'
const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
  name.endsWith('.css'),
)
const files = names.map((name) => ({ name, text: readFileSync(`${folder}/${name}`, 'utf8') }))
const tokens = readFileSync(`${folder}/tokens.css`, 'utf8')
const themes = readFileSync(`${folder}/themes.css`, 'utf8')

type Values = Readonly<Record<string, string>>

/** Tokens of each rule, in the order in which rules count: its selector, and its values. */
const rules = [...`${tokens}${themes}`.matchAll(/(:root[^{]*)\{([^}]*)\}/g)].map(
  ([, selector = '', body = '']) => ({
    selector: selector.trim(),
    values: Object.fromEntries(
      [...body.matchAll(/(--[\w-]+):\s*([^;]+);/g)].map(([, name = '', value = '']) => [name, value]),
    ),
  }),
)

const valuesOf = (selector: string): Values => rules.find((rule) => rule.selector === selector)?.values ?? {}

/** Selectors of the rules of high contrast: of the device, unless the account wants less, and of the account. */
const contrastSelectors = [':root:not([data-contrast="less"])', ':root[data-contrast="more"]']

interface Reader {
  readonly theme: 'light' | 'dark'
  readonly hasContrast: boolean
  /** Null for the usual colours. */
  readonly palette: (typeof palettes)[number] | null
}

const readers: readonly Reader[] = [null, ...palettes].flatMap((palette) =>
  (['light', 'dark'] as const).flatMap((theme) =>
    [false, true].map((hasContrast) => ({ theme, hasContrast, palette })),
  ),
)

/** Rule of the colours of a palette, which weighs as little as those of all pages, and rules of its high contrast. */
const paletteSelector = (palette: string) => `:root:where([data-palette="${palette}"])`
const paletteContrasts = (palette: string) =>
  [`:not([data-contrast="less"])`, `[data-contrast="more"]`].map(
    (contrast) => `:root[data-palette="${palette}"]${contrast}`,
  )

/** Colours that a reader gets. */
function tokensFor({ theme, hasContrast, palette }: Reader): Values {
  const both = {
    ...valuesOf(':root'),
    ...(palette === null ? {} : valuesOf(paletteSelector(palette))),
    ...(hasContrast ? valuesOf(contrastSelectors[1] ?? '') : {}),
    ...(hasContrast && palette !== null ? valuesOf(paletteContrasts(palette)[1] ?? '') : {}),
  }
  const chosen = Object.entries(both).map(([name, value]) => {
    const [, light = value, dark = value] = /^light-dark\((#\w+), (#\w+)\)$/.exec(value) ?? []
    return [name, theme === 'light' ? light : dark]
  })
  return Object.fromEntries(chosen)
}

/** Relative luminance of a colour of three or six digits (WCAG 2.2). */
function luminance(colour: string): number {
  const digits = colour.length === 4 ? colour.replaceAll(/[\da-f]/g, '$&$&') : colour
  const channels = [1, 3, 5].map((at) => Number.parseInt(digits.slice(at, at + 2), 16) / 255)
  const [red = 0, green = 0, blue = 0] = channels.map((value) =>
    value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4,
  )
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

function contrastOf(one: string, other: string): number {
  const [dark = 0, light = 0] = [luminance(one), luminance(other)].toSorted((a, b) => a - b)
  return (light + 0.05) / (dark + 0.05)
}

describe.each(readers)('tokens of the reader %j', (reader) => {
  const values = tokensFor(reader)
  const colourOf = (name: string) => {
    const value = values[name]
    if (value === undefined) throw new Error(`${name} has no value`)
    return value
  }
  const ratio = (one: string, other: string) => contrastOf(colourOf(one), colourOf(other))

  it('texts, edges and marks stand out enough', () => {
    const kinds = [
      { standing: texts, needed: neededContrast(reader) },
      { standing: marks, needed: neededOfMarks(reader) },
    ]
    const faint = kinds.flatMap(({ standing, needed }) =>
      standing.flatMap(({ token, onto }) =>
        onto
          .map((ground) => [token, ground, ratio(`--${token}`, `--${ground}`)] as const)
          .filter(([, , found]) => found < needed),
      ),
    )
    expect(faint).toEqual([])
  })
})

describe('the style of pages', () => {
  it('the style of pages has one high contrast, whether the device or the account asks for it', () => {
    const [device = {}, account = {}] = contrastSelectors.map(valuesOf)
    expect(Object.keys(device).length).toBeGreaterThan(10)
    expect(account).toEqual(device)
  })

  it.each(palettes)(
    'the palette %s has colours of its own, and one high contrast for device and account',
    (palette) => {
      const [device = {}, account = {}] = paletteContrasts(palette).map(valuesOf)
      expect(Object.keys(valuesOf(paletteSelector(palette))).length).toBeGreaterThan(10)
      expect(Object.keys(device)).toContain('--accent')
      expect(account).toEqual(device)
    },
  )

  it('names only tokens that exist', () => {
    const known = new Set(
      files.flatMap(({ text }) => [...text.matchAll(/(--[\w-]+):/g)].map(([, name]) => name)),
    )
    const unknown = files.flatMap(({ name: file, text }) =>
      [...text.matchAll(/var\((--[\w-]+)/g)].flatMap(([, name]) =>
        known.has(name) ? [] : [`${file}: ${name}`],
      ),
    )
    expect(unknown).toEqual([])
  })

  it('takes its colours from tokens, but for the dark viewer of pictures', () => {
    const colours = files
      // The viewer is dark in every theme.
      .filter(({ name }) => !['tokens.css', 'themes.css', 'viewer.css'].includes(name))
      .flatMap(({ name, text }) =>
        [...text.matchAll(/#[\da-f]{3,8}\b|rgb\([^)]*\)/g)].map(([found]) => `${name}: ${found}`),
      )
    expect(colours).toEqual([])
  })

  it('lays out by the direction of the text: no left, right, top, bottom, width or height', () => {
    const physical =
      /^\s*((min-|max-)?(width|height)|top|right|bottom|left|(margin|padding|border)-(top|right|bottom|left)[\w-]*|(text-align|float|clear): (left|right))\b/gm
    const found = files.flatMap(({ name, text }) =>
      [...text.matchAll(physical)].map(([one]) => `${name}: ${one.trim()}`),
    )
    expect(found).toEqual([])
  })

  it('the style of pages has the ground of its themes as the colour of the browser’s frame', () => {
    const shown = [null, ...palettes].map((palette) => {
      const [light, dark] = (['light', 'dark'] as const).map(
        (theme) => tokensFor({ theme, hasContrast: false, palette })['--ground'],
      )
      return [palette ?? 'usual', { light, dark }]
    })
    expect(framed).toEqual(Object.fromEntries(shown))
  })

  it('the chips of the menu show the accent of each palette', () => {
    const found = palettes.map((palette) => [
      palette,
      tokensFor({ theme: 'light', hasContrast: false, palette })['--accent'],
    ])
    expect(accents).toEqual(Object.fromEntries(found))
  })

  it('puts every rule into a layer of the client, in the sheet of the client, of other pages or of documents', () => {
    const layers = '@layer tokens, base, shell, pieces, views, preferences;'
    const sheets = new Map([
      ['client.css', layers],
      ['pages.css', layers],
      ['documents.css', '@layer tokens, base, documents;'],
    ])
    for (const [sheet, own] of sheets) {
      const text = readFileSync(`${folder}/${sheet}`, 'utf8').replaceAll(/\/\*[^*]*\*\//g, '')
      expect(text).toContain(own)
      expect(text.replaceAll(/@(layer|import)[^;]*;/g, '').trim()).toBe('')
    }
    const parts = files.filter(({ name }) => !sheets.has(name))
    const unlayered = parts.filter(({ text }) =>
      text
        .replaceAll(/\/\*.*?\*\//gs, '')
        .split('\n')
        .some((line) => /^\S/.test(line) && !/^(@layer [a-z]+ \{|\})$/.test(line)),
    )
    expect(unlayered.map(({ name }) => name)).toEqual([])
  })
})

describe('the look of the operator', () => {
  it.each(readers.filter(({ palette }) => palette === null))(
    'contrast is computed with the colours that the style sheet has for the reader %j',
    (reader) => {
      const values = tokensFor(reader)
      const hex = (name: string) => (values[name] ?? '').replace(/^#(\w)(\w)(\w)$/, '#$1$1$2$2$3$3')
      const colours = coloursOf(reader)
      expect(colours).toEqual(
        Object.fromEntries(Object.keys(colours).map((name) => [name, hex(`--${name}`)])),
      )
    },
  )
})
