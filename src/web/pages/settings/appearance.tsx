import * as z from 'zod'
import { type Look, palettes, textSizes } from '../../../contract/look'
import { execute } from '../../../db/query'
import { type Appearance, findAppearance, saveAppearance, saveLook } from '../../../domain/users/preferences'
import { pageLanguages } from '../../../lib/page-language'
import { Button } from '../../components/button'
import { SelectField } from '../../components/field'
import { PostForm } from '../../components/form'
import { lookOfChip, paletteNames } from '../../components/look-chips'
import { SettingsLayout } from '../../components/settings-layout'
import { textField } from '../../form-fields'
import { useTranslation } from '../../i18n/context'
import { changedFields } from '../../member-pages/changed-fields'
import type { SubmissionCall } from '../../member-pages/declaration'
import { memberPage } from '../../member-pages/member-page'
import { paths } from '../../paths'

const title = 'settings.appearance.appearanceAndLanguage'

const form = z.object({
  theme: textField(20),
  palette: textField(20),
  contrast: textField(20),
  text_size: textField(20),
  locale: textField(20),
  time_zone: textField(100),
  choice: textField(40),
})

export const appearancePage = memberPage({
  kind: 'settings',
  path: paths.appearance,
  title,
  access: 'signed-in',
  menu: { group: 'look', label: title, order: 15 },
  form,
  submissions: [{ run: save }, { path: paths.lookChoice, isCommand: true, run: choose }],
  notices: { saved: 'settings.appearance.choicesSaved' },
  labels: {
    theme: 'settings.appearance.theme',
    palette: 'settings.appearance.colours',
    contrast: 'settings.appearance.contrast',
    text_size: 'settings.appearance.textSize',
    locale: 'field.languagePages',
    time_zone: 'field.timeZone',
  },
  load: (ctx, { session }) => execute(ctx.db, findAppearance(ctx, session.accountId)),
  view: ({ found }) => <AppearancePage {...found} />,
})

async function save({ ctx, session, input }: SubmissionCall<z.output<typeof form>>) {
  const { time_zone: timeZone, text_size: textSize, choice: _chip, ...sent } = input
  const before = await execute(ctx.db, findAppearance(ctx, session.accountId))
  await saveAppearance(ctx, session.accountId, { ...sent, timeZone, textSize })
  const changed = before === null ? [] : changedFields(savedFields(before), input)
  return { notice: 'saved' as const, changed }
}

/** A chip of the menu. */
async function choose({ ctx, session, input }: SubmissionCall<z.output<typeof form>>) {
  await saveLook(ctx, session.accountId, lookOfChip(input.choice))
  return { redirectTo: `${paths.menu}#look` }
}

/** Fields of the form as they are saved. */
function savedFields({ locale, timeZone, look: { theme, palette, contrast, textSize } }: Appearance) {
  return { theme, palette, contrast, text_size: textSize, locale, time_zone: timeZone }
}

/** Theme, contrast and text size of pages, language of pages and mails, and the time zone of dates. */
export function AppearancePage({ locale, timeZone, look }: Appearance) {
  const t = useTranslation()
  return (
    <SettingsLayout title={t(title)}>
      <p class="quiet">{t('settings.appearance.sameInEveryBrowser')}</p>
      <PostForm action={paths.appearance}>
        <LookSection {...look} />
        <section class="block" aria-labelledby="language">
          <h2 id="language">{t('settings.appearance.languageAndTime')}</h2>
          <SelectField
            name="locale"
            label={t('field.languagePages')}
            value={locale}
            options={[
              { value: '', text: t('settings.appearance.language.browser') },
              ...languageOptions(locale),
            ]}
          />
          <SelectField
            name="time_zone"
            label={t('field.timeZone')}
            value={timeZone ?? ''}
            options={[
              { value: '', text: t('settings.appearance.timeZone.detect') },
              ...zoneOptions(timeZone),
            ]}
          />
        </section>
        <div class="save">
          <Button>{t('common.save')}</Button>
        </div>
      </PostForm>
    </SettingsLayout>
  )
}

function LookSection({ theme, palette, contrast, textSize }: Look) {
  const t = useTranslation()
  const percent = new Intl.NumberFormat(t.language, { style: 'percent' })
  const sizes = [...textSizes, '100'].toSorted((a, b) => Number(a) - Number(b))
  return (
    <section class="block" aria-labelledby="look">
      <h2 id="look">{t('settings.appearance.look')}</h2>
      <SelectField
        name="theme"
        label={t('settings.appearance.theme')}
        value={theme ?? ''}
        options={[
          { value: '', text: t('settings.appearance.sameAsDevice') },
          { value: 'light', text: t('settings.appearance.light') },
          { value: 'dark', text: t('settings.appearance.dark') },
        ]}
      />
      <SelectField
        name="palette"
        label={t('settings.appearance.colours')}
        value={palette ?? ''}
        options={[
          { value: '', text: t('settings.appearance.coloursOfServer') },
          ...palettes.map((value) => ({ value, text: t(paletteNames[value]) })),
        ]}
      />
      <SelectField
        name="contrast"
        label={t('settings.appearance.contrast')}
        hint={t('settings.appearance.highContrastMeans')}
        value={contrast ?? ''}
        options={[
          { value: '', text: t('settings.appearance.sameAsDevice') },
          { value: 'less', text: t('settings.appearance.normal') },
          { value: 'more', text: t('settings.appearance.high') },
        ]}
      />
      <SelectField
        name="text_size"
        label={t('settings.appearance.textSize')}
        hint={t('settings.appearance.ofTheSizeInBrowser')}
        value={textSize ?? ''}
        options={sizes.map((size) => ({
          value: size === '100' ? '' : size,
          text: percent.format(Number(size) / 100),
        }))}
      />
      <p class="quiet small">
        {t.rich('settings.appearance.picturesArePreferences', {
          link: (words) => <a href={paths.preferences}>{words}</a>,
        })}
      </p>
    </section>
  )
}

/** The languages of pages by their own names, and a saved one that pages do not have. */
function languageOptions(saved: string) {
  const codes: readonly string[] = pageLanguages
  return [...codes, ...(saved === '' || codes.includes(saved) ? [] : [saved])].map((value) => ({
    value,
    text: nativeName(value),
  }))
}

function nativeName(code: string): string {
  const name = new Intl.DisplayNames([code], { type: 'language' }).of(code) ?? code
  return `${name.slice(0, 1).toLocaleUpperCase(code)}${name.slice(1)}`
}

function zoneOptions(saved: string | null) {
  const zones = Intl.supportedValuesOf('timeZone')
  const all = saved === null || zones.includes(saved) ? zones : [saved, ...zones]
  return ['UTC', ...all.filter((zone) => zone !== 'UTC')].map((value) => ({
    value,
    text: value.replaceAll('_', ' '),
  }))
}
