import { Invalid } from '../../errors'
import { problem } from '../../errors/sentences'
import { contrastOf, type HexColour, hexColourOf } from '../../lib/colour'
import { coloursIn, readTokenSheet } from '../../lib/token-sheet'
import { accentTokens } from './accent-shades'
import type { InstanceSettings } from './settings'
import {
  type Colours,
  coloursOf,
  isColourToken,
  type LookOfReader,
  marks,
  neededContrast,
  neededOfMarks,
  readers,
  texts,
} from './token-colours'

type ChosenLook = Pick<InstanceSettings, 'accentColour' | 'styleSheet'>

/** Two tokens that do not stand out from each other enough, for at least one reader. */
interface FaintPair {
  readonly token: string
  readonly colour: HexColour
  readonly ground: string
  readonly groundColour: HexColour
  readonly ratio: number
  readonly needed: number
}

/** Problems that one answer names at most: a changed ground may have 20. */
const mostNamed = 6

/**
 * Refuses a look in which texts or marks do not stand out: `Invalid` about `field`, with the pairs of tokens, their contrast and that
 * which they need. Colours that members chose for themselves are not judged.
 */
export function requireContrast(look: ChosenLook, field: 'accentColour' | 'styleSheet'): void {
  const faint = readers.flatMap((reader) => faintPairs(chosenColours(look, reader), reader))
  if (faint.length === 0) return
  throw new Invalid(
    faint.slice(0, mostNamed).map(({ token, colour, ground, groundColour, ratio, needed }) =>
      problem('low_contrast', {
        field,
        token: `--${token}`,
        colour,
        ground: `--${ground}`,
        ground_colour: groundColour,
        ratio: shortRatio(ratio),
        needed: String(needed),
      }),
    ),
  )
}

/** Rounds down, so that no ratio looks as if it were enough. */
function shortRatio(ratio: number): string {
  return String(Math.trunc(ratio * 100) / 100)
}

/** Colours of all tokens for a reader, in the order in which the style sheets of pages count. */
function chosenColours({ accentColour, styleSheet }: ChosenLook, reader: LookOfReader): Colours {
  const accent = accentColour === null ? null : hexColourOf(accentColour)
  const accentFor = (hasContrast: boolean) =>
    accent === null ? {} : accentTokens(accent, { ...reader, hasContrast })
  const normal = { ...accentFor(false), ...sheetColours(styleSheet ?? '', reader.theme) }
  const colours = coloursOf(reader, normal)
  return reader.hasContrast ? { ...colours, ...accentFor(true) } : colours
}

function sheetColours(text: string, theme: LookOfReader['theme']): Partial<Colours> {
  const colours: Partial<Record<keyof Colours, HexColour>> = {}
  for (const [name, value] of readTokenSheet(text).tokens ?? []) {
    const both = coloursIn(value)
    if (both !== null && isColourToken(name)) colours[name] = both[theme]
  }
  return colours
}

function faintPairs(colours: Colours, reader: LookOfReader): readonly FaintPair[] {
  const kinds = [
    { standing: texts, needed: neededContrast(reader) },
    { standing: marks, needed: neededOfMarks(reader) },
  ]
  return kinds.flatMap(({ standing, needed }) =>
    standing
      .flatMap(({ token, onto }) => onto.map((ground) => ({ token, ground })))
      .flatMap(({ token, ground }) => {
        const [colour, groundColour] = [colours[token], colours[ground]]
        const ratio = contrastOf(colour, groundColour)
        return ratio < needed ? [{ token, colour, ground, groundColour, ratio, needed }] : []
      }),
  )
}
