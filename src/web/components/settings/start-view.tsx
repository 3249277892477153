import type { Child } from 'hono/jsx'
import { profileLimits } from '../../../domain/accounts/profile-patch'
import { useTranslation } from '../../i18n/context'
import { paths } from '../../paths'
import type { AccountSummary, FormPageProps } from '../../site'
import { AccountCard } from '../account-card'
import { type AccountLine, AccountLines } from '../account-lines'
import { AppList } from '../app-list'
import { Button, ButtonLink } from '../button'
import { TextAreaField, TextField } from '../field'
import { type FormErrors, PostForm } from '../form'
import { IslandScript } from '../island-script'
import { Outcome } from '../outcome'
import { PictureField } from '../picture-field'
import { QrCode } from '../qr-code'
import { SettingsLayout } from '../settings-layout'

export interface StartPageProps extends FormPageProps {
  readonly viewer: AccountSummary
  readonly errors: FormErrors<'display_name' | 'note' | 'avatar'>
  readonly message: string | null
  /** False while the account is not confirmed or approved: then it follows nobody, and its profile stays as it is. */
  readonly isActive: boolean
  readonly displayName: string
  readonly note: string
  readonly avatarUrl: string | null
  /** Accounts to follow. */
  readonly people: readonly AccountLine[]
}

/** First steps of a new account: name and picture, whom to follow, which app. */
export function StartPage(props: StartPageProps) {
  const { site, viewer, errors, message, isActive } = props
  const t = useTranslation()
  return (
    <SettingsLayout
      site={site}
      viewer={viewer}
      title={t('Welcome')}
      heading={t('Welcome to {server}', { server: site.title })}
      errors={errors}
      message={message}
    >
      <p class="lead">
        {t.rich('Take what you like, and <link>leave out the rest</link>. This page stays in the menu.', {
          link: (words: Child[]) => <a href={paths.account}>{words}</a>,
        })}
      </p>
      <section class="card" aria-labelledby="handle">
        <h2 id="handle">{t('This is you')}</h2>
        <AccountCard account={viewer} domain={site.domain} />
        <p>{t('People on any server of the fediverse find and follow you by the name above. Pass it on.')}</p>
      </section>
      {isActive && <ProfileSection {...props} />}
      {isActive && <PeopleSection {...props} />}
      <AppList site={site} />
      <section class="card" aria-labelledby="phone">
        <h2 id="phone">{t('On your phone')}</h2>
        <p>{t('Scan this with the camera to open this server there, or type its address into the app.')}</p>
        <QrCode
          text={`https://${site.host}`}
          label={t('QR code with the address {address}', { address: site.host })}
        />
        <p>
          <code class="code-to-copy">{site.host}</code>
        </p>
      </section>
      <section class="card" aria-labelledby="next">
        <h2 id="next">{t('Then')}</h2>
        <p>
          {t.rich(
            'Say hello with <tag>#introduction</tag>, and look who is here on the <front>front page</front>.',
            {
              tag: (words: Child[]) => <a href={`${paths.tags}/introduction`}>{words}</a>,
              front: (words: Child[]) => <a href={paths.home}>{words}</a>,
            },
          )}
        </p>
        <div class="actions">
          <ButtonLink look="secondary" href={paths.account}>
            {t('Your account')}
          </ButtonLink>
        </div>
      </section>
      {isActive && <IslandScript name="crop.js" />}
    </SettingsLayout>
  )
}

/** Buttons to follow people send it too: what is typed there is shown again. */
const profileForm = 'profile-form'

function ProfileSection({
  csrfToken,
  message,
  errors: { fields = {} },
  displayName,
  note,
  avatarUrl,
}: StartPageProps) {
  const t = useTranslation()
  return (
    <section class="card" aria-labelledby="profile">
      <h2 id="profile">{t('1. Say who you are')}</h2>
      <Outcome message={message} at="profile" />
      <PostForm
        id={profileForm}
        action={`${paths.firstSteps}/profile`}
        csrfToken={csrfToken}
        hidden={{ sent: 'true' }}
        hasFiles
      >
        <TextField
          name="display_name"
          label={t('Display name')}
          hint={t('Your name as people see it: your real one, or any other.')}
          value={displayName}
          autocomplete="off"
          maxlength={profileLimits.displayName}
          isOptional
          isProse
          errors={fields.display_name}
        />
        <PictureField
          name="avatar"
          label={t('Profile picture')}
          hint={t('A square, at least 400 pixels wide. PNG, JPEG, GIF or WebP of at most 8 MB.')}
          width={400}
          height={400}
          currentUrl={avatarUrl}
          errors={fields.avatar}
        />
        <TextAreaField
          name="note"
          label={t('Biography')}
          hint={t('Some words on what you like to talk about.')}
          value={note}
          rows={3}
          maxlength={profileLimits.note * 4}
          isOptional
          errors={fields.note}
        />
        <Button>{t('Save')}</Button>
      </PostForm>
      <p>
        <a href={paths.profile}>{t('More about you: header picture, fields, privacy')}</a>
      </p>
    </section>
  )
}

function PeopleSection({ site, message, people }: StartPageProps) {
  const t = useTranslation()
  return (
    <section class="card" aria-labelledby="people">
      <h2 id="people">{t('2. Follow some people')}</h2>
      <Outcome message={message} at="people" />
      <p>{t('Your home timeline shows what the people and hashtags post that you follow.')}</p>
      {people.length === 0 && <p class="muted">{t('There is nobody to suggest at the moment.')}</p>}
      <AccountLines
        domain={site.domain}
        lines={people}
        actions={({ id, account }) => (
          <Button form={profileForm} action={`${paths.firstSteps}/follow/${id}`}>
            {t('Follow')}
            <span class="visually-hidden"> {account.displayName}</span>
          </Button>
        )}
      />
      <div class="actions">
        <ButtonLink look="secondary" href={paths.people}>
          {t('More people')}
        </ButtonLink>
        <ButtonLink look="secondary" href={paths.followedTags}>
          {t('Follow hashtags')}
        </ButtonLink>
      </div>
    </section>
  )
}
