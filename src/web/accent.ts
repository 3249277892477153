import { assetVersions } from '../lib/asset-versions'
import {
  contrastLevels,
  contrastOf,
  fromOklch,
  type HexColour,
  lowestContrast,
  type Oklch,
  toOklch,
} from '../lib/colour'

/** Reader of a page, as the tokens distinguish them. */
export interface LookOfReader {
  readonly theme: 'light' | 'dark'
  readonly hasContrast: boolean
}

export const readers: readonly LookOfReader[] = [
  { theme: 'light', hasContrast: false },
  { theme: 'dark', hasContrast: false },
  { theme: 'light', hasContrast: true },
  { theme: 'dark', hasContrast: true },
]

interface Grounds {
  readonly ground: HexColour
  readonly surface: HexColour
  readonly sunken: HexColour
  readonly text: HexColour
}

/** Values of the tokens that the accent stands on, as in `src/styles/tokens.css`. */
const grounds: Readonly<Record<'light' | 'dark', Readonly<Record<'normal' | 'high', Grounds>>>> = {
  light: {
    normal: { ground: '#f4eee5', surface: '#fffdf9', sunken: '#f8f3eb', text: '#2a231e' },
    high: { ground: '#ffffff', surface: '#ffffff', sunken: '#f6f3ee', text: '#14100d' },
  },
  dark: {
    normal: { ground: '#12161b', surface: '#1a1f26', sunken: '#20262e', text: '#ece6dd' },
    high: { ground: '#000000', surface: '#0b0e12', sunken: '#161b21', text: '#ffffff' },
  },
}

export function groundsOf({ theme, hasContrast }: LookOfReader): Grounds {
  return grounds[theme][hasContrast ? 'high' : 'normal']
}

/** Tokens of the accent for one reader. */
export interface Shades {
  readonly accent: HexColour
  readonly hover: HexColour
  readonly onAccent: HexColour
  readonly soft: HexColour
}

/** The accent of the software, in the light theme. */
export const usualAccent = '#8a4a2b'

/** Shades of that colour, as in `src/styles/tokens.css`. */
const usualShades: Readonly<Record<'light' | 'dark', Readonly<Record<'normal' | 'high', Shades>>>> = {
  light: {
    normal: { accent: usualAccent, hover: '#733a1f', onAccent: '#ffffff', soft: '#f7e9df' },
    high: { accent: '#6b3213', hover: '#4f2309', onAccent: '#ffffff', soft: '#fbeee4' },
  },
  dark: {
    normal: { accent: '#e6a27c', hover: '#f0b697', onAccent: '#27130a', soft: '#35281f' },
    high: { accent: '#ffbf9b', hover: '#ffd5bd', onAccent: '#27130a', soft: '#2e2019' },
  },
}

/**
 * Shades of a colour that the operator chose, for one reader. Its lightness is kept where it stands out enough, and else moved
 * until texts in it reach the contrast of the theme on every ground.
 */
export function shadesOf(colour: HexColour, reader: LookOfReader): Shades {
  if (colour === usualAccent) return usualShades[reader.theme][reader.hasContrast ? 'high' : 'normal']
  const chosen = toOklch(colour)
  const isLight = reader.theme === 'light'
  const needed = neededContrast(reader)
  const { ground, surface, sunken } = groundsOf(reader)
  const soft = fromOklch({
    ...chosen,
    lightness: isLight ? 0.945 : 0.285,
    chroma: Math.min(chosen.chroma * 0.25, 0.03),
  })
  const onAccent: HexColour = isLight
    ? '#ffffff'
    : fromOklch({ ...chosen, lightness: 0.17, chroma: Math.min(chosen.chroma, 0.04) })
  const standsOut = (lightness: number) => {
    const shade = fromOklch({ ...chosen, lightness })
    return (
      lowestContrast(shade, [ground, surface, sunken, soft]) >= needed &&
      contrastOf(shade, onAccent) >= needed
    )
  }
  const settled = settle(chosen, { towards: isLight ? 0 : 1, standsOut })
  const hover = hoverOf(settled, isLight)
  return {
    accent: fromOklch(settled),
    hover: standsOut(hover.lightness) ? fromOklch(hover) : fromOklch(settled),
    onAccent,
    soft,
  }
}

/** Contrast of texts that a theme has to reach. */
export function neededContrast({ hasContrast }: LookOfReader): number {
  return hasContrast ? contrastLevels.enhanced : contrastLevels.text
}

interface Aim {
  readonly towards: 0 | 1
  readonly standsOut: (lightness: number) => boolean
}

/** The colour with the lightness nearest to its own that stands out. */
function settle(chosen: Oklch, { towards, standsOut }: Aim): Oklch {
  if (standsOut(chosen.lightness)) return chosen
  let [fails, holds] = [chosen.lightness, Number(towards)]
  for (let step = 0; step < 12; step++) {
    const middle = (fails + holds) / 2
    if (standsOut(middle)) holds = middle
    else fails = middle
  }
  return { ...chosen, lightness: holds }
}

function hoverOf(accent: Oklch, isLight: boolean): Oklch {
  const { lightness } = accent
  if (isLight) return { ...accent, lightness: lightness > 0.25 ? lightness - 0.07 : lightness + 0.12 }
  return { ...accent, lightness: lightness < 0.92 ? lightness + 0.06 : lightness - 0.08 }
}

/** Style sheet that puts shades of `colour` in place of the accent in `src/styles/tokens.css`, for every reader. */
export function accentSheet(colour: HexColour): string {
  const [normal, high] = [false, true].map((hasContrast) => declarations(colour, hasContrast))
  return `@layer tokens{:root{${normal}}@media (prefers-contrast:more){:root:not([data-contrast="less"]){${high}}}:root[data-contrast="more"]{${high}}}`
}

function declarations(colour: HexColour, hasContrast: boolean): string {
  const light = shadesOf(colour, { theme: 'light', hasContrast })
  const dark = shadesOf(colour, { theme: 'dark', hasContrast })
  const tokens = {
    accent: 'accent',
    'accent-hover': 'hover',
    'on-accent': 'onAccent',
    'accent-soft': 'soft',
    link: 'accent',
  } as const
  return Object.entries(tokens)
    .map(([token, shade]) => `--${token}:light-dark(${light[shade]},${dark[shade]})`)
    .join(';')
}

/** Path of the style sheet of a colour. Its name says the colour, so that serving it reads nothing. */
export function accentPath(colour: HexColour): string {
  return `/styles/accent-${colour.slice(1)}.css?v=${assetVersions['client.css']}`
}
