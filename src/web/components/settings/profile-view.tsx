import { profileLimits } from '../../../domain/accounts/profile-patch'
import { errorText } from '../../error-texts'
import { useTranslation } from '../../i18n/context'
import { useMember, usePage } from '../../page-context'
import { paths } from '../../paths'
import { Button } from '../button'
import { CheckboxField, TextAreaField, TextField } from '../field'
import { PostForm } from '../form'
import { IslandScript } from '../island-script'
import { PictureField } from '../picture-field'
import { SettingsLayout } from '../settings-layout'
import { useFieldErrors } from '../typed-values'

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

export interface ProfilePageProps {
  readonly values: ProfileValues
  /** Null for the default picture. */
  readonly avatarUrl: string | null
  readonly headerUrl: string | null
  /** Values of the fields whose links are verified. */
  readonly verified: readonly string[]
}

/** The public profile: texts, pictures, and who finds it. */
export function ProfilePage(props: ProfilePageProps) {
  const t = useTranslation()
  const viewer = useMember()
  return (
    <SettingsLayout title={t('common.profile')}>
      <p>
        <a href={viewer.url}>{t('settings.profile.seeProfileOthersDo')}</a>
      </p>
      <PostForm action={paths.profile} hidden={{ sent: 'true' }} hasFiles>
        <AboutSection {...props} />
        <PicturesSection {...props} />
        <FieldsSection {...props} />
        <ReachSection {...props} />
        <AttributionSection {...props} />
        <div class="save">
          <Button>{t('common.save')}</Button>
        </div>
      </PostForm>
      <IslandScript name="crop.js" />
    </SettingsLayout>
  )
}

function AboutSection({ values }: ProfilePageProps) {
  const t = useTranslation()
  return (
    <section class="block" aria-labelledby="about">
      <h2 id="about">{t('settings.profile.aboutYou')}</h2>
      <TextField
        name="display_name"
        label={t('field.displayName')}
        hint={t('settings.namePeopleSeeReal')}
        value={values.displayName}
        autocomplete="off"
        maxlength={profileLimits.displayName}
        isOptional
        isProse
      />
      <TextAreaField
        name="note"
        label={t('settings.biography')}
        hint={t('settings.profile.biography.hint', {
          count: profileLimits.note,
        })}
        value={values.note}
        rows={5}
        maxlength={profileLimits.note * 4}
        isOptional
      />
    </section>
  )
}

function PicturesSection({ values, avatarUrl, headerUrl }: ProfilePageProps) {
  const t = useTranslation()
  return (
    <section class="block" aria-labelledby="pictures">
      <h2 id="pictures">{t('settings.profile.pictures')}</h2>
      <PictureField
        name="avatar"
        label={t('field.profilePicture')}
        hint={t('settings.squareLeast400Pixels')}
        width={400}
        height={400}
        currentUrl={avatarUrl}
        removeLabel={t('settings.profile.removeProfilePicture')}
      />
      <TextField
        name="avatar_description"
        label={t('field.descriptionProfilePicture')}
        hint={t('settings.profile.peopleWhoCannotSee')}
        value={values.avatarDescription}
        autocomplete="off"
        maxlength={profileLimits.pictureDescription}
        isOptional
        isProse
      />
      <PictureField
        name="header"
        label={t('field.headerPicture')}
        hint={t('settings.profile.headerPicture.hint')}
        width={1500}
        height={500}
        currentUrl={headerUrl}
        removeLabel={t('settings.profile.removeHeaderPicture')}
      />
      <TextField
        name="header_description"
        label={t('field.descriptionHeaderPicture')}
        hint={t('settings.profile.peopleWhoCannotSee')}
        value={values.headerDescription}
        autocomplete="off"
        maxlength={profileLimits.pictureDescription}
        isOptional
        isProse
      />
    </section>
  )
}

function FieldsSection({ values, verified }: ProfilePageProps) {
  const t = useTranslation()
  const viewer = useMember()
  const { site } = usePage()
  const problems = useFieldErrors('fields')
  return (
    <section class="block" aria-labelledby="extra">
      <h2 id="extra">{t('field.extraFields')}</h2>
      <p>{t('settings.profile.websitePronounsAgeAnything')}</p>
      <div id="field-fields" tabindex={-1} class="field">
        {problems.length > 0 && <p class="error">{problems.map((one) => errorText(t, one)).join(' ')}</p>}
        {values.fields.map(({ name, value }, at) => (
          <fieldset class="field-pair">
            <legend>
              {t('settings.profile.fieldNumber', { number: at + 1 })}{' '}
              {value !== '' && verified.includes(value) && (
                <span class="tag ok">{t('settings.profile.linkVerified')}</span>
              )}
            </legend>
            <TextField
              name={`field_name_${at + 1}`}
              label={t('settings.profile.label')}
              value={name}
              autocomplete="off"
              maxlength={profileLimits.fieldName}
              isOptional
              isProse
            />
            <TextField
              name={`field_value_${at + 1}`}
              label={t('field.content')}
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
        <summary>{t('settings.profile.showWebsiteYours')}</summary>
        <p>{t('settings.profile.putAddressWebsiteInto')}</p>
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
    <section class="block" aria-labelledby="reach">
      <h2 id="reach">{t('settings.profile.privacyAndReach')}</h2>
      <CheckboxField
        name="discoverable"
        label={t('settings.profile.suggestMyProfilePosts')}
        hint={t('settings.profile.suggestMyProfilePosts.hint')}
        isChecked={values.discoverable}
        isOptional
      />
      <CheckboxField
        name="indexable"
        label={t('settings.profile.findMyPublicPosts')}
        hint={t('settings.profile.findMyPublicPosts.hint')}
        isChecked={values.indexable}
        isOptional
      />
      <CheckboxField
        name="locked"
        label={t('settings.profile.approveFollowersMyself')}
        hint={t('settings.profile.approveFollowersMyself.hint')}
        isChecked={values.locked}
        isOptional
      />
      <CheckboxField
        name="hide_collections"
        label={t('settings.profile.hideWhomIFollow')}
        isChecked={values.hideCollections}
        isOptional
      />
      <CheckboxField
        name="bot"
        label={t('settings.profile.accountAutomated')}
        hint={t('settings.profile.accountAutomated.hint')}
        isChecked={values.bot}
        isOptional
      />
    </section>
  )
}

function AttributionSection({ values }: ProfilePageProps) {
  const t = useTranslation()
  const viewer = useMember()
  const { site } = usePage()
  return (
    <section class="block" aria-labelledby="attribution">
      <h2 id="attribution">{t('settings.profile.articlesByYou')}</h2>
      <p>{t('settings.profile.whenSomebodySharesArticle')}</p>
      <p>
        <code class="code-to-copy">{creatorTag(`@${viewer.acct}@${site.domain}`)}</code>
      </p>
      <TextAreaField
        name="attribution_domains"
        label={t('field.websitesMayNameAuthor')}
        hint={t('settings.profile.websitesMayNameAuthor.hint')}
        value={values.attributionDomains}
        rows={3}
        maxlength={50_000}
        isOptional
      />
    </section>
  )
}

/** Link that proves a website to be that of a profile. */
function relMeLink({ url, text }: { readonly url: string; readonly text: string }): string {
  return `<a rel="me" href="${url}">${text}</a>`
}

/** Tag of an article that names its author. */
function creatorTag(handle: string): string {
  return `<meta name="fediverse:creator" content="${handle}">`
}
