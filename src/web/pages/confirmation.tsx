import { Hono } from 'hono'
import { execute } from '../../db/query'
import { takeForNetwork } from '../../domain/sessions/flood'
import { issueChallenge } from '../../domain/users/challenge'
import { isEmail } from '../../domain/users/check-sign-up'
import { confirmAddress, requestConfirmation } from '../../domain/users/confirm'
import { findMemberByEmail } from '../../domain/users/find'
import { problem } from '../../errors/sentences'
import { type AppContext, type AppEnv, clientIp } from '../../ports/app-env'
import type { Ctx } from '../../ports/ctx'
import { AppList } from '../components/app-list'
import { Button, ButtonLink } from '../components/button'
import { ChallengeField, type PageChallenge } from '../components/challenge-field'
import { type FormErrors, hasErrors, PostForm } from '../components/form'
import { EmailLinkForm, FormPage } from '../components/form-page'
import { Layout } from '../components/layout'
import { csrfTokenFor, readCsrfForm } from '../csrf'
import { formErrors } from '../form-errors'
import { useTranslation } from '../i18n/context'
import { showPage } from '../page'
import { openPage, type PageRequest } from '../page-request'
import { paths } from '../paths'
import type { FormPageProps, PageProps } from '../site'
import { CheckMailPage, NoMailPage } from './sign-up/done'

export function confirmationRoutes(): Hono<AppEnv> {
  const app = new Hono<AppEnv>()
  app.get(paths.confirmation, async (c) => {
    const token = c.req.query('confirmation_token') ?? ''
    const outcome = await confirmAddress(c.get('ctx'), token)
    const visit = await openPage(c)
    return outcome === 'challenge_due' ? showChallenge(c, visit, { token }) : showOutcome(c, visit, outcome)
  })
  app.post(paths.confirmation, async (c) => {
    const ctx = c.get('ctx')
    const visit = await openPage(c)
    const form = await readCsrfForm(c, visit)
    const token = form('confirmation_token').slice(0, 200)
    await takeForNetwork(ctx, 'confirmationsByIp', clientIp(c))
    try {
      const outcome = await confirmAddress(ctx, token, form('challenge'))
      if (outcome !== 'challenge_due') return showOutcome(c, visit, outcome)
      return showChallenge(c, visit, {
        token,
        errors: { form: 'problem.browserHasNotSolved' },
      })
    } catch (failure) {
      return showChallenge(c, visit, { token, errors: formErrors(failure, ['challenge']) })
    }
  })
  app.get(paths.resendConfirmation, async (c) => {
    const visit = await openPage(c)
    const { site, viewer, session } = visit
    const csrfToken = await csrfTokenFor(c, visit)
    const email = session?.email ?? ''
    const page = { site, viewer, csrfToken, email, errors: {}, sendsMail: sendsMail(c) }
    return showPage(c, <ResendConfirmationPage {...page} />)
  })
  app.post(paths.resendConfirmation, async (c) => {
    const ctx = c.get('ctx')
    const visit = await openPage(c)
    const { site, viewer } = visit
    const email = (await readCsrfForm(c, visit))('email').trim().slice(0, 300)
    const csrfToken = await csrfTokenFor(c, visit)
    if (!isEmail(email)) {
      const errors = { fields: { email: [problem('invalid_email', { field: 'email' })] } }
      const page = { site, viewer, csrfToken, email, errors, sendsMail: sendsMail(c) }
      return showPage(c, <ResendConfirmationPage {...page} />, { status: 422 })
    }
    await takeForNetwork(ctx, 'confirmationsByIp', clientIp(c))
    await ctx.throttle.take('confirmations', `confirm ${email.toLowerCase()}`)
    // The answer and its time are the same whether or not an account waits for this mail.
    ctx.waitUntil(sendAgain(ctx, email))
    const page = { site, viewer, csrfToken, email, stage: 'asked-again' as const }
    return showPage(c, sendsMail(c) ? <CheckMailPage {...page} /> : <NoMailPage {...page} />)
  })
  return app
}

export function sendsMail(c: AppContext): boolean {
  return c.get('ctx').mailer !== null
}

async function sendAgain(ctx: Ctx, email: string): Promise<void> {
  const member = await execute(ctx.db, findMemberByEmail(ctx, email))
  const isWaiting = member !== null && (member.confirmedAt === null || member.unconfirmedEmail !== null)
  if (isWaiting) await requestConfirmation(ctx, member, null)
}

function showOutcome(c: AppContext, { site, viewer }: PageRequest, outcome: ConfirmationOutcome) {
  const page = { site, viewer, outcome, answersByMail: sendsMail(c) }
  return showPage(c, <ConfirmationPage {...page} />, { status: outcome === 'bad_link' ? 403 : 200 })
}

async function showChallenge(
  c: AppContext,
  visit: PageRequest,
  { token, errors = {} }: { readonly token: string; readonly errors?: FormErrors<'challenge'> },
) {
  const { site, viewer } = visit
  const page = {
    site,
    viewer,
    csrfToken: await csrfTokenFor(c, visit),
    errors,
    token,
    challenge: await issueChallenge(c.get('ctx')),
  }
  const status = hasErrors(errors) ? 422 : 200
  return showPage(c, <ChallengePage {...page} />, { status, script: 'challenge.js' })
}

/** Outcome of following the link of a confirmation mail. */
export type ConfirmationOutcome = 'confirmed' | 'waiting_for_approval' | 'address_changed' | 'bad_link'

export interface ChallengePageProps extends FormPageProps {
  /** Secret of the link in the mail. */
  readonly token: string
  readonly challenge: PageChallenge
  readonly errors: FormErrors<'challenge'>
}

/** Page with the last step before the address is confirmed, for members who signed up in an application. */
export function ChallengePage({ site, viewer, csrfToken, token, challenge, errors }: ChallengePageProps) {
  const t = useTranslation()
  return (
    <FormPage
      site={site}
      viewer={viewer}
      title={t('confirmation.oneMoreStep')}
      errors={errors}
      intro={<p class="lead">{t('confirmation.domainKeepsRobotsOut', { domain: site.domain })}</p>}
    >
      <PostForm action={paths.confirmation} csrfToken={csrfToken} hidden={{ confirmation_token: token }}>
        <ChallengeField challenge={challenge} errors={errors.fields?.challenge} />
        <Button>{t('common.confirmYourAddress')}</Button>
      </PostForm>
    </FormPage>
  )
}

export interface ConfirmationPageProps extends PageProps {
  readonly outcome: ConfirmationOutcome
  /** Whether moderators' decisions are mailed. */
  readonly answersByMail: boolean
}

const outcomes = {
  confirmed: {
    title: 'confirmation.welcomeAboard',
    text: 'confirmation.emailAddressConfirmedAccount',
  },
  waiting_for_approval: {
    title: 'confirmation.addressConfirmed',
    text: 'confirmation.thankNowPersonWill',
  },
  address_changed: {
    title: 'confirmation.addressChanged',
    text: 'confirmation.accountUsesNewEmail',
  },
  bad_link: {
    title: 'common.linkNoLongerWorks',
    text: 'confirmation.usedAlreadyTooOld',
  },
} as const satisfies Record<ConfirmationOutcome, { title: string; text: string }>

export function ConfirmationPage({ site, viewer, outcome, answersByMail }: ConfirmationPageProps) {
  const t = useTranslation()
  const { title, text } = outcomes[outcome]
  return (
    <Layout site={site} viewer={viewer} title={t(title)} width="narrow" isPrivate>
      <div class="card">
        <h1>{t(title)}</h1>
        <p>{t(text)}</p>
        {outcome === 'waiting_for_approval' && (
          <p>{answersByMail ? t('common.getEmailOnceHas') : t('common.serverSendsNoEmail')}</p>
        )}
        <div class="actions">
          <NextStep outcome={outcome} isSignedIn={viewer !== null} />
        </div>
      </div>
      {outcome === 'confirmed' && <AppList site={site} />}
    </Layout>
  )
}

function NextStep({ outcome, isSignedIn }: { outcome: ConfirmationOutcome; isSignedIn: boolean }) {
  const t = useTranslation()
  if (outcome === 'bad_link')
    return <ButtonLink href={paths.resendConfirmation}>{t('common.sendNewLink')}</ButtonLink>
  if (outcome === 'waiting_for_approval') {
    return (
      <ButtonLink look="secondary" href={paths.front}>
        {t('common.backFrontPage')}
      </ButtonLink>
    )
  }
  if (isSignedIn) return <ButtonLink href={paths.account}>{t('common.goAccount')}</ButtonLink>
  return <ButtonLink href={paths.signIn}>{t('common.signIn')}</ButtonLink>
}

export interface ResendConfirmationPageProps extends FormPageProps {
  readonly email: string
  readonly errors: FormErrors<'email'>
  readonly sendsMail: boolean
}

export function ResendConfirmationPage(props: ResendConfirmationPageProps) {
  const t = useTranslation()
  const { site, viewer, csrfToken, email, errors, sendsMail } = props
  const intro = sendsMail
    ? t('confirmation.weSendConfirmationLink')
    : t('confirmation.domainSendsNoEmail', {
        domain: site.domain,
      })
  return (
    <FormPage
      site={site}
      viewer={viewer}
      title={t('common.confirmYourAddress')}
      errors={errors}
      intro={<p class="lead">{intro}</p>}
    >
      <EmailLinkForm
        action={paths.resendConfirmation}
        csrfToken={csrfToken}
        email={email}
        errors={errors}
        sendsMail={sendsMail}
      />
    </FormPage>
  )
}
