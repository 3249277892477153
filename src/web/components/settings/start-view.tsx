import type { Child } from 'hono/jsx'
import { profileLimits } from '../../../domain/accounts/profile-patch'
import { useTranslation } from '../../i18n/context'
import { useMember, usePage } from '../../page-context'
import { paths } from '../../paths'
import { AccountCard, type AccountLine, AccountLines } from '../account-card'
import { AppList } from '../app-list'
import { Button, ButtonLink } from '../button'
import { TextAreaField, TextField } from '../field'
import { PostForm } from '../form'
import { Outcome } from '../form-page'
import { IslandScript } from '../island-script'
import { PictureField } from '../picture-field'
import { QrCode } from '../qr-code'
import { SettingsLayout } from '../settings-layout'

export interface StartPageProps {
  /** False while the account is not confirmed or approved: then it cannot follow accounts or change its profile. */
  readonly isActive: boolean
  readonly displayName: string
  readonly note: string
  readonly avatarUrl: string | null
  /** Accounts to follow. */
  readonly people: readonly AccountLine[]
}

/** First steps of a new account: name and picture, accounts to follow, apps. */
export function StartPage(props: StartPageProps) {
  const { isActive } = props
  const t = useTranslation()
  const viewer = useMember()
  const { site } = usePage()
  return (
    <SettingsLayout
      title={t('settings.start.welcome')}
      heading={t('settings.start.welcomeToServer', { server: site.title })}
    >
      <p class="quiet">
        {t.rich('settings.start.takeWhatLikeLeave', {
          link: (words: Child[]) => <a href={paths.account}>{words}</a>,
        })}
      </p>
      <section class="block" aria-labelledby="handle">
        <h2 id="handle">{t('settings.start.thisIsYou')}</h2>
        <AccountCard account={viewer} domain={site.domain} />
        <p>{t('settings.start.peopleAnyServerFediverse')}</p>
      </section>
      {isActive && <ProfileSection {...props} />}
      {isActive && <PeopleSection {...props} />}
      {isActive && <HelloSection />}
      <AppList />
      <section class="block" aria-labelledby="phone">
        <h2 id="phone">{t('settings.start.onYourPhone')}</h2>
        <p>{t('settings.start.scanCameraOpenServer')}</p>
        <QrCode
          text={`https://${site.host}`}
          label={t('settings.start.qrCodeAddressAddress', { address: site.host })}
        />
        <p>
          <code class="code-to-copy">{site.host}</code>
        </p>
      </section>
      {isActive && <IslandScript name="crop.js" />}
    </SettingsLayout>
  )
}

/** Buttons to follow people send it too: what is typed there is shown again. */
const profileForm = 'profile-form'

function ProfileSection({ displayName, note, avatarUrl }: StartPageProps) {
  const t = useTranslation()
  return (
    <section class="block" aria-labelledby="profile">
      <h2 id="profile">{t('settings.start.n1SayWho')}</h2>
      <Outcome at="profile" />
      <PostForm id={profileForm} action={`${paths.firstSteps}/profile`} hidden={{ sent: 'true' }} hasFiles>
        <TextField
          name="display_name"
          label={t('field.displayName')}
          hint={t('settings.namePeopleSeeReal')}
          value={displayName}
          autocomplete="off"
          maxlength={profileLimits.displayName}
          isOptional
          isProse
        />
        <PictureField
          name="avatar"
          label={t('field.profilePicture')}
          hint={t('settings.squareLeast400Pixels')}
          width={400}
          height={400}
          currentUrl={avatarUrl}
        />
        <TextAreaField
          name="note"
          label={t('settings.biography')}
          hint={t('settings.start.biography.hint')}
          value={note}
          rows={3}
          maxlength={profileLimits.note * 4}
          isOptional
        />
        <Button>{t('common.save')}</Button>
      </PostForm>
      <p>
        <a href={paths.profile}>{t('settings.start.moreAboutHeaderPicture')}</a>
      </p>
    </section>
  )
}

function PeopleSection({ people }: StartPageProps) {
  const t = useTranslation()
  const { site } = usePage()
  return (
    <section class="block" aria-labelledby="people">
      <h2 id="people">{t('settings.start.n2FollowSomePeople')}</h2>
      <Outcome at="people" />
      <p>{t('settings.start.homeTimelineShowsWhat')}</p>
      {people.length === 0 && <p class="quiet small">{t('settings.start.thereNobodySuggestMoment')}</p>}
      <AccountLines
        domain={site.domain}
        lines={people}
        actions={({ id, account }) => (
          <Button form={profileForm} action={`${paths.firstSteps}/follow/${id}`}>
            {t('common.follow')}
            <span class="hidden"> {account.displayName}</span>
          </Button>
        )}
      />
      <div class="actions">
        <ButtonLink look="secondary" href={paths.people}>
          {t('common.morePeople')}
        </ButtonLink>
        <ButtonLink look="secondary" href={paths.followedTags}>
          {t('settings.start.followHashtags')}
        </ButtonLink>
      </div>
    </section>
  )
}

function HelloSection() {
  const t = useTranslation()
  const firstPost = `${paths.publish}?${new URLSearchParams({ text: '#introduction ' })}`
  return (
    <section class="block" aria-labelledby="hello">
      <h2 id="hello">{t('settings.start.n3SayHello')}</h2>
      <p>
        {t.rich('settings.start.postWithIntroduction', {
          tag: (words: Child[]) => <a href={`${paths.tags}/introduction`}>{words}</a>,
        })}
      </p>
      <div class="actions">
        <ButtonLink href={firstPost}>{t('settings.start.writeFirstPost')}</ButtonLink>
        <ButtonLink look="secondary" href={paths.home}>
          {t('client.home')}
        </ButtonLink>
      </div>
    </section>
  )
}
