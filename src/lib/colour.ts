/** Colour of six hexadecimal digits after a number sign, in lower case. */
export type HexColour = `#${string}`

/** A text as such a colour; null where it is none. */
export function hexColourOf(text: string): HexColour | null {
  const [, digits] = /^#([\da-f]{6})$/.exec(text.trim().toLowerCase()) ?? []
  return digits === undefined ? null : `#${digits}`
}

/** Colour in OKLCH: lightness from 0 to 1, chroma, and hue in radians. Source: Björn Ottosson, "A perceptual color space", 2020. */
export interface Oklch {
  readonly lightness: number
  readonly chroma: number
  readonly hue: number
}

type Triple = readonly [number, number, number]

/** Lowest contrast of texts, and of marks that are no text, for level AA (WCAG 2.2, 1.4.3 and 1.4.11); texts for level AAA (1.4.6). */
export const contrastLevels = { text: 4.5, mark: 3, enhanced: 7 } as const

/** Contrast of two colours, from 1 to 21 (WCAG 2.2). */
export function contrastOf(one: HexColour, other: HexColour): number {
  const [a, b] = [luminanceOf(one), luminanceOf(other)]
  return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05)
}

/** Lowest contrast of a colour on these grounds. */
export function lowestContrast(colour: HexColour, grounds: readonly HexColour[]): number {
  return Math.min(...grounds.map((ground) => contrastOf(colour, ground)))
}

function luminanceOf(colour: HexColour): number {
  const [red, green, blue] = linearOf(colour)
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

export function toOklch(colour: HexColour): Oklch {
  const [red, green, blue] = linearOf(colour)
  const long = Math.cbrt(0.4122214708 * red + 0.5363325363 * green + 0.0514459929 * blue)
  const medium = Math.cbrt(0.2119034982 * red + 0.6806995451 * green + 0.1073969566 * blue)
  const short = Math.cbrt(0.0883024619 * red + 0.2817188376 * green + 0.6299787005 * blue)
  const lightness = 0.2104542553 * long + 0.793617785 * medium - 0.0040720468 * short
  const a = 1.9779984951 * long - 2.428592205 * medium + 0.4505937099 * short
  const b = 0.0259040371 * long + 0.7827717662 * medium - 0.808675766 * short
  return { lightness, chroma: Math.hypot(a, b), hue: Math.atan2(b, a) }
}

/** The colour as screens show it, with less chroma where they have none of so much at its lightness. */
export function fromOklch(wanted: Oklch): HexColour {
  const lightness = Math.min(1, Math.max(0, wanted.lightness))
  let [shown, most] = [0, wanted.chroma]
  if (isShown(linearFrom({ ...wanted, lightness }))) shown = most
  else
    for (let step = 0; step < 16; step++) {
      const middle = (shown + most) / 2
      if (isShown(linearFrom({ ...wanted, lightness, chroma: middle }))) shown = middle
      else most = middle
    }
  const [red, green, blue] = linearFrom({ ...wanted, lightness, chroma: shown })
  return `#${[red, green, blue].map(digitsOf).join('')}`
}

function linearFrom({ lightness, chroma, hue }: Oklch): Triple {
  const [a, b] = [chroma * Math.cos(hue), chroma * Math.sin(hue)]
  const long = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3
  const medium = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3
  const short = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3
  return [
    4.0767416621 * long - 3.3077115913 * medium + 0.2309699292 * short,
    -1.2684380046 * long + 2.6097574011 * medium - 0.3413193965 * short,
    -0.0041960863 * long - 0.7034186147 * medium + 1.707614701 * short,
  ]
}

const isShown = (channels: Triple) => channels.every((value) => value >= -0.0005 && value <= 1.0005)

function linearOf(colour: HexColour): Triple {
  const channel = (at: number) => {
    const value = Number.parseInt(colour.slice(at, at + 2), 16) / 255
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4
  }
  return [channel(1), channel(3), channel(5)]
}

function digitsOf(linear: number): string {
  const held = Math.min(1, Math.max(0, linear))
  const value = held <= 0.0031308 ? held * 12.92 : 1.055 * held ** (1 / 2.4) - 0.055
  return Math.round(value * 255)
    .toString(16)
    .padStart(2, '0')
}
