import { type HexColour, hexColourOf } from './colour'

/** Tokens that a style sheet sets, or the number of the first line that it may not have. */
export type TokenSheet =
  | { readonly tokens: ReadonlyMap<string, string>; readonly line: null }
  | { readonly tokens: null; readonly line: number }

const hex = '#(?:[0-9a-f]{3}|[0-9a-f]{6})'
const colour = new RegExp(`^(?:${hex}|light-dark\\( ?${hex} ?, ?${hex} ?\\))$`, 'i')
const length = /^(?:0|\d{1,2}(?:\.\d{1,4})?(?:rem|em|px))$/
const family = `(?:"[\\w -]{1,60}"|[a-z][\\w-]{0,60})`
const fonts = new RegExp(`^${family}(?: ?, ?${family}){0,11}$`, 'i')

/** Tokens that take a colour. */
const colourNames = [
  'ground',
  'surface',
  'sunken',
  'line',
  'edge',
  'text',
  'quiet',
  'link',
  'accent',
  'accent-hover',
  'on-accent',
  'accent-soft',
  'slate',
  'slate-soft',
  'focus',
] as const
/** Name of a token that a style sheet sets to a colour, without its two hyphens. */
export type SheetColour = (typeof colourNames)[number]

/** Forms of the values that tokens take, by their names. Nothing in them leads to an address or runs. */
const forms: ReadonlyMap<string, RegExp> = new Map([
  ...colourNames.map((name): [string, RegExp] => [name, colour]),
  ...['r1', 'r2', 'r3'].map((name) => [name, length] as const),
  ...['font', 'mono'].map((name) => [name, fonts] as const),
])

/**
 * Reads a style sheet that sets tokens of the pages: declarations of custom properties, alone or in one rule for `:root`, and
 * comments. Every name and every value is one of a few forms; anything else is refused.
 */
export function readTokenSheet(text: string): TokenSheet {
  const plain = text
    .replaceAll(/\/\*.*?\*\//gs, (comment) => comment.replaceAll(/[^\n]/g, ' '))
    .replace(/^(\s*):root\s*\{(.*)\}(\s*)$/s, '$1      $2 $3')
  const tokens = new Map<string, string>()
  let line = 1
  for (const part of plain.split(';')) {
    const at = line + (/^\s*/.exec(part)?.[0].split('\n').length ?? 1) - 1
    line += part.split('\n').length - 1
    const declaration = part.trim().replaceAll(/\s+/g, ' ')
    if (declaration === '') continue
    const [, name = '', value = ''] = /^--([a-z0-9-]+) ?: ?(.+)$/.exec(declaration) ?? []
    if (forms.get(name)?.test(value) !== true) return { tokens: null, line: at }
    tokens.set(name, value)
  }
  return { tokens, line: null }
}

/** The tokens as a style sheet in the layer of all tokens. It weighs as little as theirs, so that high contrast wins. */
export function writtenTokens(tokens: ReadonlyMap<string, string>): string {
  return `@layer tokens{:root{${[...tokens].map(([name, value]) => `--${name}:${value}`).join(';')}}}`
}

/** Colours of a token in light and dark; null for a value of another form. */
export function coloursIn(value: string): { readonly light: HexColour; readonly dark: HexColour } | null {
  const [first, second = first] = (value.match(/#[0-9a-f]+/gi) ?? []).map(sixDigits)
  return colour.test(value) && first != null && second != null ? { light: first, dark: second } : null
}

function sixDigits(text: string): HexColour | null {
  return hexColourOf(text.length === 4 ? text.replaceAll(/[0-9a-f]/gi, '$&$&') : text)
}
