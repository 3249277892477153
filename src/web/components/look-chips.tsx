import type { Child } from 'hono/jsx'
import { type Look, palettes, themes } from '../../contract/look'
import type { TextKey } from '../../lib/translate'
import { chosenOf } from '../form-fields'
import { grounds } from '../grounds'
import { useLook, useTranslation } from '../i18n/context'
import { paths } from '../paths'
import { CsrfField } from './form'
import { Icon, type IconName } from './icon'

export const paletteNames = {
  sepia: 'settings.appearance.sepia',
  sea: 'settings.appearance.sea',
  forest: 'settings.appearance.forest',
  plum: 'settings.appearance.plum',
  graphite: 'settings.appearance.graphite',
} as const satisfies Record<NonNullable<Look['palette']>, TextKey>

/** `--accent` of the palettes in light. */
export const accents = {
  sepia: '#83501c',
  sea: '#0d60a3',
  forest: '#2d6d42',
  plum: '#8c3b74',
  graphite: '#414953',
} as const satisfies Record<NonNullable<Look['palette']>, string>

type Choice = Partial<Pick<Look, 'theme' | 'palette'>>

const choices: ReadonlyMap<string, Choice> = new Map<string, Choice>([
  ...[null, ...themes].map((theme): [string, Choice] => [`theme:${theme ?? ''}`, { theme }]),
  ...[null, ...palettes].map((palette): [string, Choice] => [`palette:${palette ?? ''}`, { palette }]),
])

/** Choice that a chip sends; `Invalid` for any other value. */
export function lookOfChip(value: string): Choice {
  return choices.get(chosenOf([...choices.keys()], 'theme', value)) ?? {}
}

interface ThemeChip {
  readonly value: NonNullable<Look['theme']> | null
  readonly label: TextKey
  readonly icon?: IconName
}

const themeChips: readonly ThemeChip[] = [
  { value: null, label: 'settings.appearance.sameAsDevice' },
  { value: 'light', label: 'settings.appearance.light', icon: 'sun' },
  { value: 'dark', label: 'settings.appearance.dark', icon: 'moon' },
]

/** Theme and colours of the account, each chosen by one press. */
export function LookChips() {
  const t = useTranslation()
  const { theme, palette } = useLook()
  return (
    <form id="look" class="group-top pad themes" method="post" action={paths.lookChoice}>
      <CsrfField />
      <fieldset>
        <legend class="hidden">{t('settings.appearance.theme')}</legend>
        <div class="chips">
          {themeChips.map(({ value, label, icon }) => (
            <Chip value={`theme:${value ?? ''}`} isPressed={theme === value}>
              {icon !== undefined && <Icon name={icon} isSmall />}
              {t(label)}
            </Chip>
          ))}
        </div>
      </fieldset>
      <fieldset>
        <legend class="hidden">{t('settings.appearance.colours')}</legend>
        <div class="chips">
          <Chip value="palette:" isPressed={palette === null}>
            {t('settings.appearance.coloursOfServer')}
          </Chip>
          {palettes.map((name) => (
            <Chip value={`palette:${name}`} isPressed={palette === name}>
              <svg width="16" height="16" viewBox="0 0 16 16" aria-hidden="true">
                <circle cx="8" cy="8" r="7.5" fill={grounds[name].light} stroke={accents[name]} />
                <path d="M8 .5a7.5 7.5 0 0 1 0 15z" fill={accents[name]} />
              </svg>
              {t(paletteNames[name])}
            </Chip>
          ))}
        </div>
      </fieldset>
    </form>
  )
}

interface ChipProps {
  readonly value: string
  readonly isPressed: boolean
  readonly children?: Child
}

function Chip({ value, isPressed, children }: ChipProps) {
  return (
    <button type="submit" class="chip" name="choice" value={value} aria-pressed={String(isPressed)}>
      {children}
    </button>
  )
}
