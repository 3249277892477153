import * as z from 'zod'
import { execute } from '../../../db/query'
import { type Preferences, preferencesOf } from '../../../domain/users/defaults'
import { findOwnSettings, parseChoice, savePreferences } from '../../../domain/users/preferences'
import { languages } from '../../../lib/language'
import { Button } from '../../components/button'
import { CheckboxField, SelectField } from '../../components/field'
import { ErrorSummary, hasErrors, PostForm } from '../../components/form'
import { Layout } from '../../components/layout'
import { checkbox, textField } from '../../form-fields'
import type { SubmissionCall } from '../../member-pages/declaration'
import { memberPage } from '../../member-pages/member-page'
import { paths } from '../../paths'
import type { AccountSummary, FormPageProps } from '../../site'

const title = 'Preferences'

/** The name of the box for a language. */
export function languageField(code: string): string {
  return `language-${code}`
}

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
  ...languageFields,
})

export const preferencesPage = memberPage({
  kind: 'settings',
  path: paths.preferences,
  title,
  access: 'signed-in',
  menu: { label: 'Preferences', order: 20 },
  form,
  submissions: [{ run: save }],
  notices: { preferences: 'Your preferences are saved.' },
  noticesAt: paths.account,
  load: async (ctx, { session }) => execute(ctx.db, findOwnSettings(ctx, session.accountId)),
  view: ({ site, viewer, csrfToken, errors, found: own }) => (
    <PreferencesPage
      site={site}
      viewer={viewer}
      csrfToken={csrfToken}
      problem={errors.form ?? null}
      preferences={preferencesOf(own)}
      language={own.settings.defaultLanguage ?? null}
      showsApplication={own.settings.showApplication ?? true}
      chosenLanguages={own.settings.chosenLanguages ?? []}
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
    chosenLanguages: languages.map(({ code }) => code).filter((code) => ticked[languageField(code)] === true),
    expandMedia: input.expand_media,
    expandSpoilers: input.expand_spoilers,
    autoplayGifs: input.autoplay_gifs,
    showApplication: input.show_application,
  })
  if (choice === null) return { problem: 'Please choose from what is offered' }
  await savePreferences(ctx, session.accountId, choice)
  return { notice: 'preferences' as const }
}

export interface PreferencesPageProps extends FormPageProps {
  readonly viewer: AccountSummary
  readonly preferences: Omit<Preferences, 'language'>
  /** Null: the language of the server's pages. */
  readonly language: string | null
  readonly showsApplication: boolean
  /** Empty: all. */
  readonly chosenLanguages: readonly string[]
  /** Problem of the form as a whole. */
  readonly problem: string | null
}

/** Defaults for posting and reading. */
export function PreferencesPage(props: PreferencesPageProps) {
  const { site, viewer, csrfToken, problem } = props
  const errors = problem === null ? {} : { form: problem }
  return (
    <Layout site={site} viewer={viewer} title={title} width="text" isPrivate hasErrors={hasErrors(errors)}>
      <h1>Preferences</h1>
      <ErrorSummary errors={errors} />
      <PostForm action={paths.preferences} csrfToken={csrfToken}>
        <PostingSection {...props} />
        <ReadingSection {...props} />
        <div class="actions">
          <Button>Save</Button>
        </div>
      </PostForm>
      <p class="aside">
        <a href={paths.account}>Back to your account</a>
      </p>
    </Layout>
  )
}

const byName = languages
  .map(({ code, name, native }) => ({ value: code, text: name === native ? name : `${name} (${native})` }))
  .toSorted((a, b) => a.text.localeCompare(b.text, 'en'))

function PostingSection({ preferences, language, showsApplication }: PreferencesPageProps) {
  return (
    <section class="card" aria-labelledby="posting">
      <h2 id="posting">Posting</h2>
      <SelectField
        name="visibility"
        label="Who sees new posts"
        value={preferences.visibility}
        options={[
          { value: 'public', text: 'Everyone' },
          { value: 'unlisted', text: 'Everyone, but not in public timelines' },
          { value: 'private', text: 'Followers' },
          { value: 'direct', text: 'Only people I mention' },
        ]}
      />
      <SelectField
        name="quote_policy"
        label="Who may quote them"
        value={preferences.quotePolicy}
        options={[
          { value: 'public', text: 'Everyone' },
          { value: 'followers', text: 'Followers' },
          { value: 'nobody', text: 'Only I' },
        ]}
      />
      <SelectField
        name="language"
        label="Language I write in"
        value={language ?? ''}
        options={[{ value: '', text: 'Same as these pages' }, ...byName]}
      />
      <CheckboxField
        name="sensitive"
        label="Mark my pictures and videos as sensitive"
        isChecked={preferences.sensitive}
        isOptional
      />
      <CheckboxField
        name="show_application"
        label="Show which app I post with"
        isChecked={showsApplication}
        isOptional
      />
    </section>
  )
}

function ReadingSection({ preferences, chosenLanguages }: PreferencesPageProps) {
  const isChosen = ({ value }: { readonly value: string }) => chosenLanguages.includes(value)
  // Ticked languages come first: they must not hide far down in a long list.
  const ordered = [...byName.filter(isChosen), ...byName.filter((language) => !isChosen(language))]
  return (
    <section class="card" aria-labelledby="reading">
      <h2 id="reading">Reading</h2>
      <p class="muted">Apps that know these choices follow them.</p>
      <SelectField
        name="expand_media"
        label="Pictures and videos"
        value={preferences.expandMedia}
        options={[
          { value: 'default', text: 'Hide what is marked as sensitive' },
          { value: 'show_all', text: 'Show all' },
          { value: 'hide_all', text: 'Hide all' },
        ]}
      />
      <CheckboxField
        name="expand_spoilers"
        label="Open posts behind content warnings"
        isChecked={preferences.expandSpoilers}
        isOptional
      />
      <CheckboxField
        name="autoplay_gifs"
        label="Play animated pictures by themselves"
        isChecked={preferences.autoplayGifs}
        isOptional
      />
      <fieldset aria-describedby="languages-hint">
        <legend>Languages in public timelines</legend>
        <p class="muted" id="languages-hint">
          Tick none to see all. Posts that do not say their language are always shown.
        </p>
        <div class="choices">
          {ordered.map(({ value, text }) => (
            <CheckboxField
              name={languageField(value)}
              label={text}
              isChecked={isChosen({ value })}
              isOptional
            />
          ))}
        </div>
      </fieldset>
    </section>
  )
}
