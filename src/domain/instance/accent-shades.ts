import { contrastOf, fromOklch, type HexColour, lowestContrast, type Oklch, toOklch } from '../../lib/colour'
import { type Colours, coloursOf, type LookOfReader, neededContrast } from './token-colours'

/** Tokens of the accent for one reader. */
export interface Shades {
  readonly accent: HexColour
  readonly hover: HexColour
  readonly onAccent: HexColour
  readonly soft: HexColour
}

/** The accent of the software, in the light theme. */
export const usualAccent = '#8a4a2b'

/**
 * Shades of a colour that the operator chose, for one reader. Its lightness is kept where it stands out enough, and else moved
 * until texts in it reach the contrast of the theme on every ground.
 */
export function shadesOf(colour: HexColour, reader: LookOfReader): Shades {
  const usual = coloursOf(reader)
  if (colour === usualAccent) return usualShades(usual)
  const chosen = toOklch(colour)
  const isLight = reader.theme === 'light'
  const needed = neededContrast(reader)
  const { ground, surface, sunken } = usual
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

function usualShades(colours: Colours): Shades {
  return {
    accent: colours.accent,
    hover: colours['accent-hover'],
    onAccent: colours['on-accent'],
    soft: colours['accent-soft'],
  }
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

type AccentToken = 'accent' | 'accent-hover' | 'on-accent' | 'accent-soft' | 'link'

/** Tokens in shades of a colour for one reader. */
export function accentTokens(colour: HexColour, reader: LookOfReader): Pick<Colours, AccentToken> {
  const shades = shadesOf(colour, reader)
  return {
    accent: shades.accent,
    'accent-hover': shades.hover,
    'on-accent': shades.onAccent,
    'accent-soft': shades.soft,
    link: shades.accent,
  }
}
