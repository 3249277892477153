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
import { PostForm } from '../components/form'
import { EmailLinkForm, FormPage } from '../components/form-page'
import { Layout } from '../components/layout'
import { csrfTokenFor, readCsrfForm } from '../csrf'
import type { FormErrors } from '../form-errors'
import { formErrors, hasErrors } from '../form-errors'
import { useTranslation } from '../i18n/context'
import { showPage } from '../page'
import { usePage } from '../page-context'
import { openPage, type PageRequest } from '../page-request'
import { paths } from '../paths'
import { CheckMailPage, NoMailPage } from './sign-up/done'

export function confirmationRoutes(): Hono<AppEnv> {
  const app = new Hono<AppEnv>()
  app.get(paths.confirmation, async (c) => {
    const token = c.req.query('confirmation_token') ?? ''
    const outcome = await confirmAddress(c.get('ctx'), token)
    const visit = await openPage(c)
    return outcome === 'challenge_due' ? showChallenge(c, visit, { token }) : showOutcome(c, outcome)
  })
  app.post(paths.confirmation, async (c) => {
    const ctx = c.get('ctx')
    const visit = await openPage(c)
    const form = await readCsrfForm(c, visit)
    const token = form('confirmation_token').slice(0, 200)
    await takeForNetwork(ctx, 'confirmationsByIp', clientIp(c))
    try {
      const outcome = await confirmAddress(ctx, token, form('challenge'))
      if (outcome !== 'challenge_due') return showOutcome(c, outcome)
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
    const email = visit.session?.email ?? ''
    const csrfToken = await csrfTokenFor(c, visit)
    return showPage(c, <ResendConfirmationPage email={email} sendsMail={sendsMail(c)} />, { csrfToken })
  })
  app.post(paths.resendConfirmation, async (c) => {
    const ctx = c.get('ctx')
    const visit = await openPage(c)
    const email = (await readCsrfForm(c, visit))('email').trim().slice(0, 300)
    const csrfToken = await csrfTokenFor(c, visit)
    if (!isEmail(email)) {
      const errors = { fields: { email: [problem('invalid_email', { field: 'email' })] } }
      const page = { csrfToken, errors, status: 422 } as const
      return showPage(c, <ResendConfirmationPage email={email} sendsMail={sendsMail(c)} />, page)
    }
    await takeForNetwork(ctx, 'confirmationsByIp', clientIp(c))
    await ctx.throttle.take('confirmations', `confirm ${email.toLowerCase()}`)
    // The answer and its time are the same whether or not an account waits for this mail.
    ctx.waitUntil(sendAgain(ctx, email))
    const page = { email, stage: 'asked-again' as const }
    return showPage(c, sendsMail(c) ? <CheckMailPage {...page} /> : <NoMailPage {...page} />, { csrfToken })
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

function showOutcome(c: AppContext, outcome: ConfirmationOutcome) {
  return showPage(c, <ConfirmationPage outcome={outcome} answersByMail={sendsMail(c)} />, {
    status: outcome === 'bad_link' ? 403 : 200,
  })
}

async function showChallenge(
  c: AppContext,
  visit: PageRequest,
  { token, errors = {} }: { readonly token: string; readonly errors?: FormErrors<'challenge'> },
) {
  const challenge = await issueChallenge(c.get('ctx'))
  return showPage(c, <ChallengePage token={token} challenge={challenge} />, {
    csrfToken: await csrfTokenFor(c, visit),
    errors,
    status: hasErrors(errors) ? 422 : 200,
    script: 'challenge.js',
  })
}

/** Outcome of following the link of a confirmation mail. */
export type ConfirmationOutcome = 'confirmed' | 'waiting_for_approval' | 'address_changed' | 'bad_link'

export interface ChallengePageProps {
  /** Secret of the link in the mail. */
  readonly token: string
  readonly challenge: PageChallenge
}

/** Page with the last step before the address is confirmed, for members who signed up in an application. */
export function ChallengePage({ token, challenge }: ChallengePageProps) {
  const t = useTranslation()
  const { site } = usePage()
  return (
    <FormPage
      title={t('confirmation.oneMoreStep')}
      intro={<p class="quiet">{t('confirmation.domainKeepsRobotsOut', { domain: site.domain })}</p>}
    >
      <PostForm action={paths.confirmation} hidden={{ confirmation_token: token }}>
        <ChallengeField challenge={challenge} />
        <Button>{t('common.confirmYourAddress')}</Button>
      </PostForm>
    </FormPage>
  )
}

export interface ConfirmationPageProps {
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

export function ConfirmationPage({ outcome, answersByMail }: ConfirmationPageProps) {
  const t = useTranslation()
  const { viewer } = usePage()
  const { title, text } = outcomes[outcome]
  return (
    <Layout title={t(title)} isAlone isPrivate>
      <div class="block">
        <p>{t(text)}</p>
        {outcome === 'waiting_for_approval' && (
          <p>{answersByMail ? t('common.getEmailOnceHas') : t('common.serverSendsNoEmail')}</p>
        )}
        <div class="actions">
          <NextStep outcome={outcome} isSignedIn={viewer !== null} />
        </div>
      </div>
      {outcome === 'confirmed' && <AppList />}
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

export interface ResendConfirmationPageProps {
  readonly email: string
  readonly sendsMail: boolean
}

export function ResendConfirmationPage(props: ResendConfirmationPageProps) {
  const t = useTranslation()
  const { site } = usePage()
  const { email, sendsMail } = props
  const intro = sendsMail
    ? t('confirmation.weSendConfirmationLink')
    : t('confirmation.domainSendsNoEmail', {
        domain: site.domain,
      })
  return (
    <FormPage title={t('common.confirmYourAddress')} intro={<p class="quiet">{intro}</p>}>
      <EmailLinkForm action={paths.resendConfirmation} email={email} sendsMail={sendsMail} />
    </FormPage>
  )
}
