import * as z from 'zod'
import { execute } from '../../../db/query'
import { findAppearance, saveAppearance } from '../../../domain/users/preferences'
import { pageLanguages } from '../../../lib/page-language'
import { Button } from '../../components/button'
import { SelectField } from '../../components/field'
import { PostForm } from '../../components/form'
import { SettingsLayout } from '../../components/settings-layout'
import { textField } from '../../form-fields'
import { useTranslation } from '../../i18n/context'
import { changedFields } from '../../member-pages/changed-fields'
import { memberPage } from '../../member-pages/member-page'
import { paths } from '../../paths'

const title = 'settings.appearance.languageAndTime'

export const appearancePage = memberPage({
  kind: 'settings',
  path: paths.appearance,
  title,
  access: 'signed-in',
  menu: { group: 'preferences', label: title, order: 15 },
  form: z.object({ locale: textField(20), time_zone: textField(100) }),
  submissions: [
    {
      run: async ({ ctx, session, input }) => {
        const before = await execute(ctx.db, findAppearance(ctx, session.accountId))
        await saveAppearance(ctx, session.accountId, { locale: input.locale, timeZone: input.time_zone })
        const stored = { locale: before?.locale ?? '', time_zone: before?.timeZone ?? '' }
        return { notice: 'saved', changed: changedFields(stored, input) }
      },
    },
  ],
  notices: { saved: 'settings.appearance.languageTimeZoneSaved' },
  labels: { locale: 'field.languagePages', time_zone: 'field.timeZone' },
  load: (ctx, { session }) => execute(ctx.db, findAppearance(ctx, session.accountId)),
  view: ({ found }) => <AppearancePage {...found} />,
})

export interface AppearancePageProps {
  readonly locale: string
  /** Null: that of the browser's place. */
  readonly timeZone: string | null
}

/** Language of pages and mails, and the time zone of dates. */
export function AppearancePage(props: AppearancePageProps) {
  const { locale, timeZone } = props
  const t = useTranslation()
  return (
    <SettingsLayout title={t(title)}>
      <p class="lead">{t('settings.appearance.coloursFollowDeviceLight')}</p>
      <section class="card" aria-label={t(title)}>
        <PostForm action={paths.appearance}>
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
          <Button>{t('common.save')}</Button>
        </PostForm>
      </section>
    </SettingsLayout>
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
