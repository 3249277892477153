import type { Child } from 'hono/jsx'
import { Banner } from '../../components/banner'
import { Button, ButtonLink } from '../../components/button'
import { ChallengeField, type PageChallenge } from '../../components/challenge-field'
import { RuleList } from '../../components/contact-card'
import { CheckboxField, TextAreaField, TextField } from '../../components/field'
import { PostForm } from '../../components/form'
import { FormPage } from '../../components/form-page'
import { Layout } from '../../components/layout'
import { NewPasswordFields } from '../../components/new-password'
import { Prose } from '../../components/prose'
import { useTranslation } from '../../i18n/context'
import { usePage } from '../../page-context'
import { paths } from '../../paths'
import type { RuleText, SignUpState } from '../../site'

export type SignUpField =
  | 'username'
  | 'email'
  | 'password'
  | 'password_confirmation'
  | 'date_of_birth'
  | 'reason'
  | 'agreement'
  | 'challenge'

export interface SignUpPageProps {
  /** `open` also for the holder of a valid invitation. */
  readonly state: SignUpState
  /** Text of the operator for visitors while sign-up is closed; sanitised. */
  readonly closedMessageHtml: string | null
  readonly values: SignUpValues
  readonly rules: readonly RuleText[]
  /** In years; null asks for no date of birth. */
  readonly minimumAge: number | null
  readonly passwordMinLength: number
  readonly inviteCode: string | null
  /** User name of the inviter; null without a usable invitation. */
  readonly invitedBy: string | null
  /** Path on this server that sign-up leads to. */
  readonly returnTo: string | null
  /** Challenge for the browser; null asks for none. */
  readonly challenge: PageChallenge | null
  /** Whether moderators' decisions are mailed. */
  readonly answersByMail: boolean
}

export interface SignUpValues {
  readonly username: string
  readonly email: string
  /** ISO 8601 day. */
  readonly dateOfBirth: string
  readonly reason: string
  readonly agreement: boolean
}

export function SignUpPage(props: SignUpPageProps) {
  const t = useTranslation()
  const { site } = usePage()
  const { state } = props
  if (state === 'closed') return <ClosedPage {...props} />
  return (
    <FormPage
      title={t('common.signUp')}
      intro={
        <p class="quiet">
          {t.rich('signUp.createAccountDomainFrom', {
            b: (words) => <strong>{words}</strong>,
            domain: site.domain,
          })}
        </p>
      }
      after={
        <p class="aside">
          {t.rich('signUp.haveAccountHereSign', {
            link: (words) => <a href={paths.signIn}>{words}</a>,
          })}
        </p>
      }
    >
      <Invitation {...props} />
      {state === 'approval' && (
        <Banner kind="info">
          <p>
            {props.answersByMail
              ? t('signUp.personReadsEveryRequest')
              : t('signUp.personReadsEveryRequestHere')}
          </p>
        </Banner>
      )}
      <SignUpForm {...props} />
    </FormPage>
  )
}

/** Names the inviter, or says that the invitation is invalid. */
function Invitation({ inviteCode, invitedBy }: SignUpPageProps) {
  const t = useTranslation()
  const { site } = usePage()
  if (inviteCode === null) return null
  return (
    <Banner kind="info">
      {invitedBy === null ? (
        <p>{t('signUp.invitationCameByNo')}</p>
      ) : (
        <p>
          {t.rich('signUp.handleInvitedYou', {
            b: (words) => <strong>{words}</strong>,
            handle: <bdi>{`@${invitedBy}@${site.domain}`}</bdi>,
          })}
        </p>
      )}
    </Banner>
  )
}

function SignUpForm(props: SignUpPageProps) {
  const t = useTranslation()
  const { site } = usePage()
  const { values, minimumAge, state } = props
  const hidden = { locale: t.language, invite_code: props.inviteCode, return_to: props.returnTo }
  return (
    <PostForm action={paths.signUp} hidden={hidden}>
      <TextField
        name="username"
        label={t('common.userName')}
        hint={t('signUp.userName.hint')}
        value={values.username}
        suffix={`@${site.domain}`}
        autocomplete="username"
        maxlength={30}
        pattern="[A-Za-z0-9_]+"
      />
      <TextField
        name="email"
        label={t('field.emailAddress')}
        hint={t('signUp.emailAddress.hint')}
        type="email"
        value={values.email}
        autocomplete="email"
      />
      <NewPasswordFields
        labels={[t('field.password'), t('signUp.confirmPassword')]}
        minLength={props.passwordMinLength}
      />
      {minimumAge !== null && (
        <TextField
          name="date_of_birth"
          label={t('field.dateOfBirth')}
          hint={t('signUp.dateOfBirth.hint', { count: minimumAge })}
          type="date"
          value={values.dateOfBirth}
          autocomplete="bday"
        />
      )}
      {state === 'approval' && (
        <TextAreaField
          name="reason"
          label={t('signUp.whyDoWantJoin')}
          hint={t('signUp.whyDoWantJoin.hint')}
          value={values.reason}
          rows={4}
          maxlength={420}
        />
      )}
      <Agreement {...props} />
      {props.challenge !== null && <ChallengeField challenge={props.challenge} />}
      <Button>{state === 'approval' ? t('signUp.requestAnAccount') : t('signUp.createAccount')}</Button>
    </PostForm>
  )
}

function Agreement({ rules, values }: SignUpPageProps) {
  const t = useTranslation()
  const { site } = usePage()
  const links = { privacy: linkTo(paths.privacy), terms: linkTo(paths.terms) }
  const label = site.hasTerms
    ? t.rich(rules.length > 0 ? 'signUp.iAcceptRulesAbovePrivacy' : 'signUp.iAcceptPrivacyPolicyTerms', links)
    : t.rich(rules.length > 0 ? 'signUp.iAcceptRulesAbove' : 'signUp.iAcceptPrivacyPolicy', links)
  return (
    <section class="agreement">
      {rules.length > 0 && (
        <>
          <h2>{t('signUp.rulesServer')}</h2>
          <RuleList rules={rules} />
        </>
      )}
      <CheckboxField name="agreement" label={label} isChecked={values.agreement} />
    </section>
  )
}

/** Link that opens beside the form, so that nothing typed is lost. */
function linkTo(path: string) {
  return (words: Child[]) => (
    <a href={path} target="_blank" rel="noopener">
      {words}
    </a>
  )
}

function ClosedPage(props: SignUpPageProps) {
  const t = useTranslation()
  const { site } = usePage()
  const { closedMessageHtml } = props
  return (
    <Layout title={t('signUp.signUpClosed')} isAlone isPrivate>
      <div class="block">
        <Invitation {...props} />
        {closedMessageHtml === null ? (
          <p>{t('signUp.domainTakesNoNew', { domain: site.domain })}</p>
        ) : (
          <Prose html={closedMessageHtml} />
        )}
        <div class="actions">
          <ButtonLink href={paths.signIn}>{t('common.signIn')}</ButtonLink>
          <ButtonLink look="secondary" href={paths.about}>
            {t('common.aboutThisServer')}
          </ButtonLink>
        </div>
      </div>
    </Layout>
  )
}
