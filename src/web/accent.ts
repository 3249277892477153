import { accentTokens } from '../domain/instance/accent-shades'
import { assetVersions } from '../lib/asset-versions'
import type { HexColour } from '../lib/colour'

/** Style sheet that puts shades of `colour` in place of the accent in `src/styles/tokens.css`, for every reader. */
export function accentSheet(colour: HexColour): string {
  const [normal, high] = [false, true].map((hasContrast) => declarations(colour, hasContrast))
  return `@layer tokens{:root{${normal}}@media (prefers-contrast:more){:root:not([data-contrast="less"]){${high}}}:root[data-contrast="more"]{${high}}}`
}

function declarations(colour: HexColour, hasContrast: boolean): string {
  const light = accentTokens(colour, { theme: 'light', hasContrast })
  const dark = new Map(Object.entries(accentTokens(colour, { theme: 'dark', hasContrast })))
  return Object.entries(light)
    .map(([token, shade]) => `--${token}:light-dark(${shade},${dark.get(token)})`)
    .join(';')
}

/** Path of the style sheet of a colour. Its name says the colour, so that serving it reads nothing. */
export function accentPath(colour: HexColour): string {
  return `/styles/accent-${colour.slice(1)}.css?v=${assetVersions['client.css']}`
}
