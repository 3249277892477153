import * as z from 'zod'
import { execute } from '../../../db/query'
import { type Preferences, preferencesOf } from '../../../domain/users/defaults'
import { findOwnSettings, parseChoice, savePreferences } from '../../../domain/users/preferences'
import { languages } from '../../../lib/language'
import { Button } from '../../components/button'
import { CheckboxField, SelectField } from '../../components/field'
import { PostForm } from '../../components/form'
import {
  LanguageChoices,
  type LanguageOption,
  languageField,
  languageOptions,
  tickedLanguages,
} from '../../components/language-choices'
import { SettingsLayout } from '../../components/settings-layout'
import { checkbox, textField } from '../../form-fields'
import { useTranslation } from '../../i18n/context'
import { changedFields } from '../../member-pages/changed-fields'
import type { SubmissionCall } from '../../member-pages/declaration'
import { memberPage } from '../../member-pages/member-page'
import { paths } from '../../paths'
import { visibilityLabels } from '../../visibility-labels'

const title = 'settings.preferences'

const languageFields = Object.fromEntries(languages.map(({ code }) => [languageField(code), checkbox]))

const form = z.object({
  visibility: textField(),
  sensitive: checkbox,
  language: textField(),
  quote_policy: textField(),
  expand_media: textField(),
  expand_spoilers: checkbox,
  autoplay_gifs: checkbox,
  show_application: checkbox,
  remind_descriptions: checkbox,
  ...languageFields,
})

export const preferencesPage = memberPage({
  kind: 'settings',
  path: paths.preferences,
  title,
  access: 'signed-in',
  menu: { group: 'look', label: 'settings.preferences.postingAndReading', order: 20 },
  form,
  submissions: [{ run: save }],
  notices: { preferences: 'settings.preferences.preferencesSaved' },
  labels: {
    visibility: 'settings.preferences.whoSeesNewPosts',
    quote_policy: 'settings.preferences.whoMayQuote',
    language: 'settings.preferences.languageIWrite',
    sensitive: 'settings.preferences.markMyPicturesVideos',
    show_application: 'settings.preferences.showWhichAppI',
    remind_descriptions: 'settings.preferences.remindOfDescriptions',
    expand_media: 'settings.preferences.picturesAndVideos',
    expand_spoilers: 'settings.preferences.openPostsBehindContent',
    autoplay_gifs: 'settings.preferences.playAnimatedPicturesBy',
    ...Object.fromEntries(
      Object.keys(languageFields).map((name) => [name, 'settings.preferences.languagesPublicTimelines']),
    ),
  },
  load: async (ctx, { session }) => execute(ctx.db, findOwnSettings(ctx, session.accountId)),
  view: ({ isRefused, typed, found: own }) => (
    <PreferencesPage
      preferences={preferencesOf(own)}
      language={own.settings.defaultLanguage ?? null}
      showsApplication={own.settings.showApplication ?? true}
      chosenLanguages={
        isRefused ? tickedLanguages((name) => typed(name) === 'true') : (own.settings.chosenLanguages ?? [])
      }
    />
  ),
})

async function save({ ctx, session, input }: SubmissionCall<z.output<typeof form>>) {
  const ticked: Readonly<Record<string, unknown>> = input
  const choice = parseChoice({
    defaultVisibility: input.visibility,
    defaultSensitive: input.sensitive,
    defaultLanguage: input.language === '' ? null : input.language,
    defaultQuotePolicy: input.quote_policy,
    chosenLanguages: tickedLanguages((name) => ticked[name] === true),
    expandMedia: input.expand_media,
    expandSpoilers: input.expand_spoilers,
    autoplayGifs: input.autoplay_gifs,
    showApplication: input.show_application,
    remindsOfDescriptions: input.remind_descriptions,
  })
  if (choice === null) return { problem: 'problem.pleaseChooseFromWhat' as const }
  const own = await execute(ctx.db, findOwnSettings(ctx, session.accountId))
  await savePreferences(ctx, session.accountId, choice)
  const changed = own === null ? [] : changedFields(savedFields(own), input)
  // The notice names them together.
  return { notice: 'preferences' as const, changed: changed.filter(isFirstLanguage) }
}

/** Whether a field is no box of a language, or the first of such boxes among `names`. */
function isFirstLanguage(name: string, at: number, names: readonly string[]): boolean {
  return (
    !Object.hasOwn(languageFields, name) ||
    names.findIndex((one) => Object.hasOwn(languageFields, one)) === at
  )
}

/** The fields of the form as it would be sent unchanged. */
function savedFields(own: Parameters<typeof preferencesOf>[0]): Readonly<Record<string, string>> {
  const { settings } = own
  const preferences = preferencesOf(own)
  const { visibility, quotePolicy, sensitive, expandMedia, expandSpoilers } = preferences
  const { autoplayGifs, remindsOfDescriptions } = preferences
  const isChosen = (code: string) => settings.chosenLanguages?.includes(code) ?? false
  return {
    visibility,
    quote_policy: quotePolicy,
    language: settings.defaultLanguage ?? '',
    sensitive: String(sensitive),
    show_application: String(settings.showApplication ?? true),
    expand_media: expandMedia,
    expand_spoilers: String(expandSpoilers),
    autoplay_gifs: String(autoplayGifs),
    remind_descriptions: String(remindsOfDescriptions),
    ...Object.fromEntries(languages.map(({ code }) => [languageField(code), String(isChosen(code))])),
  }
}

export interface PreferencesPageProps {
  readonly preferences: Omit<Preferences, 'language'>
  /** Null: the language of the server's pages. */
  readonly language: string | null
  readonly showsApplication: boolean
  /** Empty: all. */
  readonly chosenLanguages: readonly string[]
}

/** Defaults for posting and reading. */
export function PreferencesPage(props: PreferencesPageProps) {
  const t = useTranslation()
  const options = languageOptions(t.language)
  return (
    <SettingsLayout title={t(title)}>
      <PostForm action={paths.preferences}>
        <PostingSection {...props} options={options} />
        <ReadingSection {...props} options={options} />
        <div class="save">
          <Button>{t('common.save')}</Button>
        </div>
      </PostForm>
    </SettingsLayout>
  )
}

interface SectionProps extends PreferencesPageProps {
  readonly options: readonly LanguageOption[]
}

function PostingSection({ preferences, language, showsApplication, options }: SectionProps) {
  const t = useTranslation()
  return (
    <section class="block" aria-labelledby="posting">
      <h2 id="posting">{t('settings.preferences.posting')}</h2>
      <SelectField
        name="visibility"
        label={t('settings.preferences.whoSeesNewPosts')}
        value={preferences.visibility}
        options={Object.entries(visibilityLabels).map(([value, label]) => ({ value, text: t(label) }))}
      />
      <SelectField
        name="quote_policy"
        label={t('settings.preferences.whoMayQuote')}
        value={preferences.quotePolicy}
        options={[
          { value: 'public', text: t('common.everyone') },
          { value: 'followers', text: t('field.followers') },
          { value: 'nobody', text: t('settings.preferences.onlyI') },
        ]}
      />
      <SelectField
        name="language"
        label={t('settings.preferences.languageIWrite')}
        value={language ?? ''}
        options={[{ value: '', text: t('settings.preferences.samePages') }, ...options]}
      />
      <CheckboxField
        name="sensitive"
        label={t('settings.preferences.markMyPicturesVideos')}
        isChecked={preferences.sensitive}
        isOptional
      />
      <CheckboxField
        name="show_application"
        label={t('settings.preferences.showWhichAppI')}
        isChecked={showsApplication}
        isOptional
      />
      <CheckboxField
        name="remind_descriptions"
        label={t('settings.preferences.remindOfDescriptions')}
        isChecked={preferences.remindsOfDescriptions}
        isOptional
      />
    </section>
  )
}

function ReadingSection({ preferences, chosenLanguages }: SectionProps) {
  const t = useTranslation()
  return (
    <section class="block" aria-labelledby="reading">
      <h2 id="reading">{t('settings.preferences.reading')}</h2>
      <p class="quiet small">{t('settings.preferences.appsKnowChoicesFollow')}</p>
      <SelectField
        name="expand_media"
        label={t('settings.preferences.picturesAndVideos')}
        hint={t('settings.preferences.hiddenLoadWhenOpened')}
        value={preferences.expandMedia}
        options={[
          { value: 'default', text: t('settings.preferences.hideWhatMarkedSensitive') },
          { value: 'show_all', text: t('common.showAll') },
          { value: 'hide_all', text: t('settings.preferences.hideAll') },
        ]}
      />
      <CheckboxField
        name="expand_spoilers"
        label={t('settings.preferences.openPostsBehindContent')}
        isChecked={preferences.expandSpoilers}
        isOptional
      />
      <CheckboxField
        name="autoplay_gifs"
        label={t('settings.preferences.playAnimatedPicturesBy')}
        isChecked={preferences.autoplayGifs}
        isOptional
      />
      <LanguageChoices
        legend={t('settings.preferences.languagesPublicTimelines')}
        hint={t('settings.preferences.tickNoneSeeAll')}
        chosen={chosenLanguages}
      />
    </section>
  )
}
