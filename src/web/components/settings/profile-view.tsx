import { profileLimits } from '../../../domain/accounts/profile-patch'
import { useTranslation } from '../../i18n/context'
import { paths } from '../../paths'
import { problemText } from '../../problem-texts'
import { creatorTag, relMeLink } from '../../profile-snippets'
import type { AccountSummary, FormPageProps } from '../../site'
import { Button } from '../button'
import { CheckboxField, TextAreaField, TextField } from '../field'
import { type FormErrors, PostForm } from '../form'
import { IslandScript } from '../island-script'
import { PictureField } from '../picture-field'
import { SettingsLayout } from '../settings-layout'

/** The fields of the form, as saved or as typed. */
export interface ProfileValues {
  readonly displayName: string
  readonly note: string
  readonly avatarDescription: string
  readonly headerDescription: string
  readonly fields: readonly { readonly name: string; readonly value: string }[]
  readonly locked: boolean
  readonly bot: boolean
  readonly discoverable: boolean
  readonly indexable: boolean
  readonly hideCollections: boolean
  /** Domains by lines. */
  readonly attributionDomains: string
}

export type ProfileField =
  | 'display_name'
  | 'note'
  | 'avatar'
  | 'avatar_description'
  | 'header'
  | 'header_description'
  | 'fields'
  | 'attribution_domains'

export interface ProfilePageProps extends FormPageProps {
  readonly viewer: AccountSummary
  readonly errors: FormErrors<ProfileField>
  readonly message: string | null
  readonly values: ProfileValues
  /** Null for the default picture. */
  readonly avatarUrl: string | null
  readonly headerUrl: string | null
  /** Values of the fields whose links are verified. */
  readonly verified: readonly string[]
}

/** The public profile: texts, pictures, and who finds it. */
export function ProfilePage(props: ProfilePageProps) {
  const { site, viewer, csrfToken, errors, message } = props
  const t = useTranslation()
  return (
    <SettingsLayout site={site} viewer={viewer} title={t('Profile')} errors={errors} message={message}>
      <p>
        <a href={viewer.url}>{t('See your profile as others do')}</a>
      </p>
      <PostForm action={paths.profile} csrfToken={csrfToken} hidden={{ sent: 'true' }} hasFiles>
        <AboutSection {...props} />
        <PicturesSection {...props} />
        <FieldsSection {...props} />
        <ReachSection {...props} />
        <AttributionSection {...props} />
        <div class="actions">
          <Button>{t('Save')}</Button>
        </div>
      </PostForm>
      <IslandScript name="crop.js" />
    </SettingsLayout>
  )
}

function AboutSection({ errors: { fields = {} }, values }: ProfilePageProps) {
  const t = useTranslation()
  return (
    <section class="card" aria-labelledby="about">
      <h2 id="about">{t('About you')}</h2>
      <TextField
        name="display_name"
        label={t('Display name')}
        hint={t('Your name as people see it: your real one, or any other.')}
        value={values.displayName}
        autocomplete="off"
        maxlength={profileLimits.displayName}
        isOptional
        isProse
        errors={fields.display_name}
      />
      <TextAreaField
        name="note"
        label={t('Biography')}
        hint={t('Up to {count, number} characters. You can mention people and use hashtags.', {
          count: profileLimits.note,
        })}
        value={values.note}
        rows={5}
        maxlength={profileLimits.note * 4}
        isOptional
        errors={fields.note}
      />
    </section>
  )
}

function PicturesSection({ errors: { fields = {} }, values, avatarUrl, headerUrl }: ProfilePageProps) {
  const t = useTranslation()
  return (
    <section class="card" aria-labelledby="pictures">
      <h2 id="pictures">{t('Pictures')}</h2>
      <PictureField
        name="avatar"
        label={t('Profile picture')}
        hint={t('A square, at least 400 pixels wide. PNG, JPEG, GIF or WebP of at most 8 MB.')}
        width={400}
        height={400}
        currentUrl={avatarUrl}
        removeLabel={t('Remove the profile picture')}
        errors={fields.avatar}
      />
      <TextField
        name="avatar_description"
        label={t('Description of the profile picture')}
        hint={t('For people who cannot see it.')}
        value={values.avatarDescription}
        autocomplete="off"
        maxlength={profileLimits.pictureDescription}
        isOptional
        isProse
        errors={fields.avatar_description}
      />
      <PictureField
        name="header"
        label={t('Header picture')}
        hint={t(
          'Three times as wide as high, best 1500 by 500 pixels. PNG, JPEG, GIF or WebP of at most 8 MB.',
        )}
        width={1500}
        height={500}
        currentUrl={headerUrl}
        removeLabel={t('Remove the header picture')}
        errors={fields.header}
      />
      <TextField
        name="header_description"
        label={t('Description of the header picture')}
        hint={t('For people who cannot see it.')}
        value={values.headerDescription}
        autocomplete="off"
        maxlength={profileLimits.pictureDescription}
        isOptional
        isProse
        errors={fields.header_description}
      />
    </section>
  )
}

function FieldsSection({ site, viewer, errors: { fields = {} }, values, verified }: ProfilePageProps) {
  const t = useTranslation()
  return (
    <section class="card" aria-labelledby="extra">
      <h2 id="extra">{t('Extra fields')}</h2>
      <p>{t('Your website, pronouns, age, anything you want to tell at a glance.')}</p>
      <div id="field-fields" tabindex={-1} class="field">
        {fields.fields !== undefined && (
          <p class="field-error">{fields.fields.map((one) => problemText(t, one)).join(' ')}</p>
        )}
        {values.fields.map(({ name, value }, at) => (
          <fieldset class="field-pair">
            <legend>
              {t('Field {number, number}', { number: at + 1 })}{' '}
              {value !== '' && verified.includes(value) && (
                <span class="badge badge-success">{t('Link verified')}</span>
              )}
            </legend>
            <TextField
              name={`field_name_${at + 1}`}
              label={t('Label')}
              value={name}
              autocomplete="off"
              maxlength={profileLimits.fieldName}
              isOptional
              isProse
            />
            <TextField
              name={`field_value_${at + 1}`}
              label={t('Content')}
              value={value}
              autocomplete="off"
              maxlength={profileLimits.fieldValue}
              isOptional
              isProse
            />
          </fieldset>
        ))}
      </div>
      <details>
        <summary>{t('Show that a website is yours')}</summary>
        <p>
          {t(
            'Put the address of the website into a field, and this link on the website. Its field then gets a tick, once you save.',
          )}
        </p>
        <p>
          <code class="code-to-copy">{relMeLink({ url: viewer.url, text: site.title })}</code>
        </p>
      </details>
    </section>
  )
}

function ReachSection({ values }: ProfilePageProps) {
  const t = useTranslation()
  return (
    <section class="card" aria-labelledby="reach">
      <h2 id="reach">{t('Privacy and reach')}</h2>
      <CheckboxField
        name="discoverable"
        label={t('Suggest my profile and posts to others')}
        hint={t('In the directory, in trends and among people to follow.')}
        isChecked={values.discoverable}
        isOptional
      />
      <CheckboxField
        name="indexable"
        label={t('Find my public posts by search')}
        hint={t('People who interacted with a post find it in any case.')}
        isChecked={values.indexable}
        isOptional
      />
      <CheckboxField
        name="locked"
        label={t('Approve followers myself')}
        hint={t('Posts for followers then reach nobody you did not let in.')}
        isChecked={values.locked}
        isOptional
      />
      <CheckboxField
        name="hide_collections"
        label={t('Hide whom I follow and who follows me')}
        isChecked={values.hideCollections}
        isOptional
      />
      <CheckboxField
        name="bot"
        label={t('This account is automated')}
        hint={t('People see that a program posts here, and that it may not be watched.')}
        isChecked={values.bot}
        isOptional
      />
    </section>
  )
}

function AttributionSection({ site, viewer, errors: { fields = {} }, values }: ProfilePageProps) {
  const t = useTranslation()
  return (
    <section class="card" aria-labelledby="attribution">
      <h2 id="attribution">{t('Articles by you')}</h2>
      <p>
        {t(
          'When somebody shares an article of yours, its preview leads to your profile, if the website says so with this tag and is listed here.',
        )}
      </p>
      <p>
        <code class="code-to-copy">{creatorTag(`@${viewer.acct}@${site.domain}`)}</code>
      </p>
      <TextAreaField
        name="attribution_domains"
        label={t('Websites that may name you as the author')}
        hint={t('One a line, like example.com')}
        value={values.attributionDomains}
        rows={3}
        maxlength={50_000}
        isOptional
        errors={fields.attribution_domains}
      />
    </section>
  )
}
