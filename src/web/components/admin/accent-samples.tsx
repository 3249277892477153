import { shadesOf } from '../../../domain/instance/accent-shades'
import { coloursOf, type LookOfReader, neededContrast, readers } from '../../../domain/instance/token-colours'
import { contrastOf, type HexColour, lowestContrast } from '../../../lib/colour'
import type { TextKey } from '../../../lib/translate'
import { useTranslation } from '../../i18n/context'

interface SamplesProps {
  readonly colour: HexColour
}

/** Pieces of a page in the shades of a colour, for every theme, with the measured contrast. */
export function AccentSamples({ colour }: SamplesProps) {
  return (
    <ul class="samples">
      {readers.map((reader) => (
        <li>
          <Sample colour={colour} reader={reader} />
        </li>
      ))}
    </ul>
  )
}

function nameOf({ theme, hasContrast }: LookOfReader): TextKey {
  if (theme === 'light') return hasContrast ? 'admin.branding.lightHighContrast' : 'settings.appearance.light'
  return hasContrast ? 'admin.branding.darkHighContrast' : 'settings.appearance.dark'
}

function Sample({ colour, reader }: SamplesProps & { readonly reader: LookOfReader }) {
  const t = useTranslation()
  const numbers = new Intl.NumberFormat(t.language, { maximumFractionDigits: 1, roundingMode: 'trunc' })
  const shades = shadesOf(colour, reader)
  const { ground, surface, sunken, text } = coloursOf(reader)
  const onPage = (shade: HexColour) => lowestContrast(shade, [ground, surface, sunken])
  const isKept = shades.accent === colour
  return (
    <>
      <h3>{t(nameOf(reader))}</h3>
      {/* Attributes of drawings are no inline styles, which the policy of pages forbids. */}
      <svg viewBox="0 0 240 96" aria-hidden="true">
        <rect width="240" height="96" fill={ground} />
        <rect x="8" y="8" width="224" height="80" rx="8" fill={surface} />
        <text x="70" y="34" fill={text} text-anchor="middle">
          {t('admin.branding.sampleText')}
        </text>
        <text x="70" y="66" fill={shades.accent} text-anchor="middle" text-decoration="underline">
          {t('admin.branding.sampleLink')}
        </text>
        <rect x="132" y="18" width="88" height="26" rx="13" fill={shades.accent} />
        <text x="176" y="36" fill={shades.onAccent} text-anchor="middle">
          {t('admin.branding.sampleButton')}
        </text>
        <rect x="132" y="52" width="88" height="26" rx="13" fill={shades.soft} stroke={shades.accent} />
        <text x="176" y="70" fill={shades.accent} text-anchor="middle">
          {t('admin.branding.sampleChosen')}
        </text>
      </svg>
      <p class="quiet small">
        {isKept
          ? t('admin.branding.shadeKept', { shade: shades.accent })
          : t('admin.branding.shadeMoved', {
              shade: shades.accent,
              ratio: numbers.format(onPage(colour)),
              needed: numbers.format(neededContrast(reader)),
            })}{' '}
        {t('admin.branding.contrast', {
          page: numbers.format(onPage(shades.accent)),
          button: numbers.format(contrastOf(shades.accent, shades.onAccent)),
        })}
      </p>
    </>
  )
}
