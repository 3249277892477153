import { Hono } from 'hono'
import { both, execute } from '../../db/query'
import { attemptSubject, findAccountsOfDevice } from '../../domain/sessions/devices'
import { takeForNetwork } from '../../domain/sessions/flood'
import { checkSecondFactor } from '../../domain/sign-in/check-code'
import { type Factors, findFactors } from '../../domain/sign-in/factors'
import { checkMailedCode, mailCode } from '../../domain/sign-in/mailed-code'
import { findNextStep } from '../../domain/sign-in/next-step'
import { checkPasskeyStep, listPasskeys } from '../../domain/sign-in/passkeys'
import {
  beginPending,
  findPending,
  type PendingSignIn,
  pendingSeconds,
  type SignInStep,
} from '../../domain/sign-in/pending'
import { findMemberById, type Member } from '../../domain/users/find'
import { isLockedOut } from '../../domain/users/passwords'
import { Forbidden, Invalid } from '../../errors'
import type { TextKey } from '../../lib/translate'
import { type AppContext, type AppEnv, clientIp } from '../../ports/app-env'
import { Button } from '../components/button'
import { TextField } from '../components/field'
import { PostForm } from '../components/form'
import { FormPage } from '../components/form-page'
import { PasskeyForm } from '../components/passkey-form'
import { clearSecretCookie, readSecretCookie, setSecretCookie } from '../cookies'
import { csrfTokenFor, type Form, readCsrfForm } from '../csrf'
import { type FormErrors, formErrors } from '../form-errors'
import { useTranslation } from '../i18n/context'
import { showPage } from '../page'
import { usePage } from '../page-context'
import { deviceHashOf, openPage, type PageRequest, startBrowserSession } from '../page-request'
import { type PasskeyOptions, stepOptions } from '../passkey-options'
import { paths, signInStepPath } from '../paths'
import { leadsAway, returnToOf } from '../return-to'
import type { Site } from '../site'

/** Second step of signing in: a code from an authenticator app, a recovery code, or a code by mail. */
export function signInStepRoutes(): Hono<AppEnv> {
  const app = new Hono<AppEnv>()
  app.get(paths.signInStep, async (c) => {
    const visit = await openPage(c)
    const aim = aimIn(c, (name) => c.req.query(name) ?? '')
    const waiting = await findWaiting(c)
    if (waiting === null) return beginAgain(c, aim)
    const notice = c.req.query('done') === 'sent' ? 'signInStep.anotherCodeWay' : null
    return showStep(c, visit, { waiting, aim, message: notice, errors: {} })
  })
  app.post(paths.signInStep, completeStep)
  app.post(paths.signInStepPasskey, completeByPasskey)
  app.post(paths.signInCodeAgain, sendAgain)
  return app
}

/**
 * Begins the second step if the sign-in of this member needs one, and says whether it does. A code that cannot be
 * mailed is not asked for.
 */
export async function leadToSecondStep(
  c: AppContext,
  member: Member,
  deviceHash: string | null,
): Promise<boolean> {
  const ctx = c.get('ctx')
  const step = await findNextStep(ctx, member, { deviceHash, ip: clientIp(c) })
  if (step === null) return false
  const { token, tokenHash } = await beginPending(ctx, member.accountId, step)
  if (step === 'mailed-code' && !(await mailCode(ctx, { tokenHash }, member))) return false
  await setSecretCookie(c, 'sign_in', token, pendingSeconds[step])
  return true
}

/** Path that a sign-in leads to, and whether the accounts of this browser stay beside it. */
interface Aim {
  readonly returnTo: string | null
  readonly isAdded: boolean
}

function aimIn(c: AppContext, field: Form): Aim {
  return { returnTo: returnToOf(c, field('return_to')), isAdded: field('add') === '1' }
}

interface Waiting {
  readonly pending: PendingSignIn
  readonly member: Member
}

/** Sign-in that this browser is in the middle of, with the member as they are now. */
async function findWaiting(c: AppContext): Promise<Waiting | null> {
  const ctx = c.get('ctx')
  const pending = await findPending(ctx, await readSecretCookie(c, 'sign_in'))
  if (pending === null) return null
  const member = await execute(ctx.db, findMemberById(ctx, pending.accountId))
  return member === null ? null : { pending, member }
}

function beginAgain(c: AppContext, { returnTo, isAdded }: Aim): Response {
  clearSecretCookie(c, 'sign_in')
  const query = new URLSearchParams({
    done: 'again',
    ...(isAdded ? { add: '1' } : {}),
    ...(returnTo === null ? {} : { return_to: returnTo }),
  })
  return c.redirect(`${paths.signIn}?${query}`, 303)
}

async function completeStep(c: AppContext) {
  const ctx = c.get('ctx')
  const visit = await openPage(c)
  const form = await readCsrfForm(c, visit)
  await takeForNetwork(ctx, 'signInsByIp', clientIp(c))
  const aim = aimIn(c, form)
  const waiting = await findWaiting(c)
  if (waiting === null) return beginAgain(c, aim)
  const { pending, member } = waiting
  const attempt = { code: form('code').slice(0, 100), subject: await subjectOf(c, member) }
  try {
    const check = pending.step === 'mailed-code' ? checkMailedCode : checkSecondFactor
    await check(ctx, pending, attempt)
  } catch (failure) {
    const errors = formErrors(failure, ['code'])
    return showStep(c, visit, { waiting, aim, message: null, errors })
  }
  return finish(c, visit, member, aim)
}

async function completeByPasskey(c: AppContext) {
  const ctx = c.get('ctx')
  const visit = await openPage(c)
  const form = await readCsrfForm(c, visit)
  await takeForNetwork(ctx, 'signInsByIp', clientIp(c))
  const aim = aimIn(c, form)
  const waiting = await findWaiting(c)
  if (waiting === null) return beginAgain(c, aim)
  try {
    await checkPasskeyStep(ctx, waiting.pending, form('credential'))
  } catch (failure) {
    if (!(failure instanceof Invalid)) throw failure
    return showStep(c, visit, { waiting, aim, message: null, errors: { form: failure.problems } })
  }
  return finish(c, visit, waiting.member, aim)
}

/** Signs in, once every step is taken. */
async function finish(c: AppContext, visit: PageRequest, member: Member, { returnTo, isAdded }: Aim) {
  clearSecretCookie(c, 'sign_in')
  await startBrowserSession(c, visit, member, { isAdded })
  return c.redirect(pathAfterSignIn(member, returnTo, visit.site), 303)
}

/**
 * Suspended and disabled accounts come to the page of strikes, where they can appeal, and no further; a new member to
 * the first steps, once.
 */
export function pathAfterSignIn(
  member: Member,
  returnTo: string | null,
  { start }: Pick<Site, 'start'>,
): string {
  if (isLockedOut(member)) return paths.strikes
  if (returnTo !== null) return returnTo
  const isActive = member.confirmedAt !== null && member.approved
  if (!isActive) return paths.home
  return member.firstStepsDue ? paths.start : start
}

/** Subjects that attempts at the account are counted for. */
async function subjectOf(c: AppContext, { accountId }: Member): Promise<string> {
  const ctx = c.get('ctx')
  const deviceHash = await deviceHashOf(c)
  const known = await execute(ctx.db, findAccountsOfDevice(ctx, deviceHash))
  return attemptSubject(accountId, { deviceHash, known })
}

async function sendAgain(c: AppContext) {
  const ctx = c.get('ctx')
  const visit = await openPage(c)
  const form = await readCsrfForm(c, visit)
  const aim = aimIn(c, form)
  const waiting = await findWaiting(c)
  if (waiting === null) return beginAgain(c, aim)
  const { pending, member } = waiting
  if (pending.step !== 'mailed-code') throw new Forbidden()
  await ctx.throttle.take('confirmations', `sign-in ${member.accountId}`)
  if (!(await mailCode(ctx, pending, member))) throw new Forbidden('code_not_sent')
  const path = signInStepPath(aim.returnTo, aim.isAdded)
  return c.redirect(`${path}${path.includes('?') ? '&' : '?'}done=sent`, 303)
}

interface StepState {
  readonly waiting: Waiting
  readonly aim: Aim
  readonly message: TextKey | null
  readonly errors: FormErrors<'code'>
}

async function showStep(c: AppContext, visit: PageRequest, { waiting, errors, message, aim }: StepState) {
  const ctx = c.get('ctx')
  const { pending, member } = waiting
  const { accountId, email } = member
  const [factors, passkeys] = await execute(
    ctx.db,
    both(findFactors(ctx, accountId), listPasskeys(ctx, accountId)),
  )
  const takesPasskey = pending.step === 'second-factor' && passkeys.length > 0
  const page = {
    step: pending.step,
    hasTotp: factors.hasTotp,
    passkeyOptions: takesPasskey ? await stepOptions(ctx, pending, passkeys) : null,
    maskedEmail: maskEmail(email),
    ...aim,
  }
  const hasFailed = errors.form !== undefined || errors.fields !== undefined
  return showPage(c, <SignInStepPage {...page} />, {
    viewer: null,
    csrfToken: await csrfTokenFor(c, visit),
    errors,
    message,
    status: hasFailed ? 422 : 200,
    formsLeadAway: leadsAway(aim.returnTo, visit.site),
    script: 'passkeys.js',
  })
}

/** Address as a hint for its owner: `e…@mail.example`. */
export function maskEmail(email: string): string {
  return email.replace(/^(.).*@/u, '$1…@')
}

export interface SignInStepPageProps {
  readonly step: SignInStep
  readonly hasTotp: Factors['hasTotp']
  /** For one of the account's passkeys; null where it has none, or none is asked for. */
  readonly passkeyOptions: PasskeyOptions | null
  readonly maskedEmail: string
  readonly returnTo: string | null
  readonly isAdded: boolean
}

export function SignInStepPage(props: SignInStepPageProps) {
  const t = useTranslation()
  const { message } = usePage()
  const { step, hasTotp, passkeyOptions, returnTo, isAdded } = props
  const hidden = { return_to: returnTo, add: isAdded ? '1' : null }
  const isMailed = step === 'mailed-code'
  return (
    <FormPage
      title={isMailed ? t('signInStep.enterCodeWeSent') : t('common.twoFactorAuthentication')}
      intro={
        <p class="quiet">
          {message !== null
            ? t(message)
            : isMailed
              ? t('signInStep.browserNewAccountWe', {
                  email: props.maskedEmail,
                })
              : t('signInStep.passwordRightOneMore')}
        </p>
      }
      after={
        <p class="aside">
          <a href={paths.signIn}>{t('signInStep.useAnotherAccount')}</a>
        </p>
      }
    >
      {passkeyOptions !== null && (
        <PasskeyForm action={paths.signInStepPasskey} act="get" options={passkeyOptions} hidden={hidden}>
          <Button look={hasTotp ? 'secondary' : 'primary'}>{t('signInStep.useYourPasskey')}</Button>
        </PasskeyForm>
      )}
      <PostForm action={paths.signInStep} hidden={hidden}>
        <TextField
          name="code"
          label={
            isMailed ? t('signInStep.codeFromMail') : hasTotp ? t('field.code') : t('signInStep.recoveryCode')
          }
          hint={
            isMailed
              ? undefined
              : hasTotp
                ? t('signInStep.sixDigitsAuthenticatorApp')
                : t('signInStep.codeFromMail.hint')
          }
          autocomplete="one-time-code"
          inputmode={isMailed ? 'numeric' : 'text'}
          maxlength={100}
        />
        <Button look={hasTotp || isMailed ? 'primary' : 'secondary'}>{t('common.signIn')}</Button>
      </PostForm>
      {isMailed && (
        <PostForm action={paths.signInCodeAgain} hidden={hidden} class="inline">
          <Button look="link">{t('signInStep.sendAnotherCode')}</Button>
        </PostForm>
      )}
    </FormPage>
  )
}
