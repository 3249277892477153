import { contrastLevels, type HexColour } from '../../lib/colour'
import type { SheetColour } from '../../lib/token-sheet'

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

/** Name of a token whose contrast counts, without its two hyphens. Lines separate, and nobody has to see them. */
export type ColourToken =
  | Exclude<SheetColour, 'line'>
  | 'danger'
  | 'danger-soft'
  | 'warning'
  | 'warning-soft'
  | 'success'
  | 'success-soft'

export type Colours = Readonly<Record<ColourToken, HexColour>>

/** Colours of the tokens, as in `src/styles/tokens.css`; those of high contrast stand over the others. */
const themes: Readonly<
  Record<LookOfReader['theme'], { readonly normal: Colours; readonly high: Partial<Colours> }>
> = {
  light: {
    normal: {
      ground: '#f4eee5',
      surface: '#fffdf9',
      sunken: '#f8f3eb',
      edge: '#877c6e',
      text: '#2a231e',
      quiet: '#566273',
      link: '#85462a',
      accent: '#8a4a2b',
      'accent-hover': '#733a1f',
      'on-accent': '#ffffff',
      'accent-soft': '#f7e9df',
      slate: '#46566a',
      'slate-soft': '#edeff1',
      danger: '#a3231b',
      'danger-soft': '#fcecea',
      warning: '#7a4d00',
      'warning-soft': '#fdf2da',
      success: '#2c6038',
      'success-soft': '#e8f3e8',
      focus: '#2f5f9e',
    },
    high: {
      ground: '#ffffff',
      surface: '#ffffff',
      sunken: '#f6f3ee',
      edge: '#3d352d',
      text: '#14100d',
      quiet: '#333d49',
      link: '#64300f',
      accent: '#6b3213',
      'accent-hover': '#4f2309',
      'accent-soft': '#fbeee4',
      slate: '#2c3846',
      danger: '#82140d',
      warning: '#5a3800',
      success: '#1b4726',
      focus: '#123f7f',
    },
  },
  dark: {
    normal: {
      ground: '#12161b',
      surface: '#1a1f26',
      sunken: '#20262e',
      edge: '#7d8896',
      text: '#ece6dd',
      quiet: '#a6b1be',
      link: '#e9ae8c',
      accent: '#e6a27c',
      'accent-hover': '#f0b697',
      'on-accent': '#27130a',
      'accent-soft': '#35281f',
      slate: '#b9c7d6',
      'slate-soft': '#272e37',
      danger: '#ffaea6',
      'danger-soft': '#3a2323',
      warning: '#f2c879',
      'warning-soft': '#332a1a',
      success: '#a5d6ac',
      'success-soft': '#1f3226',
      focus: '#9cc4ff',
    },
    high: {
      ground: '#000000',
      surface: '#0b0e12',
      sunken: '#161b21',
      edge: '#b4bfcb',
      text: '#ffffff',
      quiet: '#d3dbe4',
      link: '#ffc9ab',
      accent: '#ffbf9b',
      'accent-hover': '#ffd5bd',
      'accent-soft': '#2e2019',
      slate: '#d9e3ee',
      danger: '#ffc8c3',
      warning: '#ffdc9c',
      success: '#c3ecc9',
      focus: '#c2dcff',
    },
  },
}

export function isColourToken(name: string): name is ColourToken {
  return Object.hasOwn(themes.light.normal, name)
}

/** Colours of all tokens for one reader. Those of `chosen` stand over the usual ones, and below those of high contrast. */
export function coloursOf({ theme, hasContrast }: LookOfReader, chosen: Partial<Colours> = {}): Colours {
  const { normal, high } = themes[theme]
  return { ...normal, ...chosen, ...(hasContrast ? high : {}) }
}

/** Contrast of texts that a theme has to reach. */
export function neededContrast({ hasContrast }: LookOfReader): number {
  return hasContrast ? contrastLevels.enhanced : contrastLevels.text
}

/** Contrast of edges and marks that a theme has to reach. */
export function neededOfMarks({ hasContrast }: LookOfReader): number {
  return hasContrast ? contrastLevels.text : contrastLevels.mark
}

const grounds = ['ground', 'surface', 'sunken'] as const

/** Texts and marks with the tokens that they stand on. */
type Standing = readonly { readonly token: ColourToken; readonly onto: readonly ColourToken[] }[]

export const texts: Standing = [
  { token: 'text', onto: [...grounds, 'accent-soft', 'slate-soft'] },
  { token: 'quiet', onto: grounds },
  { token: 'link', onto: grounds },
  { token: 'danger', onto: ['surface', 'danger-soft'] },
  { token: 'warning', onto: ['surface', 'warning-soft'] },
  { token: 'success', onto: ['surface', 'success-soft'] },
  { token: 'slate', onto: ['surface', 'slate-soft'] },
  { token: 'on-accent', onto: ['accent', 'accent-hover'] },
  { token: 'accent', onto: [...grounds, 'accent-soft'] },
]

export const marks: Standing = [
  { token: 'edge', onto: grounds },
  { token: 'focus', onto: grounds },
]
