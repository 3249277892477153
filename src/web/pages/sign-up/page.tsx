import { Hono } from 'hono'
import { combineQueries, constant, execute } from '../../../db/query'
import { loadRules, type RuleRow } from '../../../domain/instance/rules'
import { pickSettings } from '../../../domain/instance/settings'
import { takeForNetwork } from '../../../domain/sessions/flood'
import { issueChallenge } from '../../../domain/users/challenge'
import { passwordLengths } from '../../../domain/users/check-sign-up'
import { findInvite } from '../../../domain/users/invites'
import { signUp } from '../../../domain/users/sign-up'
import { escapeHtml } from '../../../lib/html'
import type { AppEnv } from '../../../ports/app-env'
import { type AppContext, clientIp } from '../../../ports/app-env'
import { csrfTokenFor, type Form, readCsrfForm } from '../../csrf'
import { wantsJson } from '../../error-response'
import { type FormErrors, formErrors } from '../../form-errors'
import { zoneOf } from '../../i18n/reader'
import { showPage } from '../../page'
import { openPage, type PageRequest, startBrowserSession } from '../../page-request'
import { paths } from '../../paths'
import { leadsToApplication, returnToOf } from '../../return-to'
import type { RuleText } from '../../site'
import { sendsMail } from '../confirmation'
import { CheckMailPage, WaitingForApprovalPage } from './done'
import { type SignUpField, SignUpPage, type SignUpValues } from './view'

const fields = [
  'username',
  'email',
  'password',
  'password_confirmation',
  'date_of_birth',
  'reason',
  'agreement',
  'challenge',
] as const satisfies readonly SignUpField[]

const blank: SignUpValues = { username: '', email: '', dateOfBirth: '', reason: '', agreement: false }

export function signUpRoutes(): Hono<AppEnv> {
  const app = new Hono<AppEnv>()
  app.get(paths.signUp, async (c) => {
    const visit = await openPage(c)
    if (visit.session !== null) return c.redirect(paths.home)
    const returnTo = returnToOf(c, c.req.query('return_to'))
    return showSignUp(c, visit, { ...fresh, returnTo })
  })
  app.post(paths.signUp, async (c) => {
    const visit = await openPage(c)
    const form = await readCsrfForm(c, visit)
    const ctx = c.get('ctx')
    if (visit.session !== null) return c.redirect(paths.home, 303)
    await takeForNetwork(ctx, 'signUps', clientIp(c))
    const values = valuesOf(form)
    const returnTo = returnToOf(c, form('return_to'))
    const inviteCode = form('invite_code') === '' ? null : form('invite_code').slice(0, 100)
    try {
      return await openAccount(c, visit, { values, form, returnTo, inviteCode })
    } catch (failure) {
      const errors = formErrors(failure, fields)
      return showSignUp(c, visit, { values, errors, returnTo, inviteCode, status: 422 })
    }
  })
  return app
}

/**
 * Sign-up page of an invitation; programs pass through to the endpoint of the same address.
 *
 * Mounted ahead of the endpoints, which answer whatever reaches them.
 */
export function invitationRoutes(): Hono<AppEnv> {
  const app = new Hono<AppEnv>()
  app.get(`${paths.invitation}/:code`, async (c, next) => {
    if (wantsJson(c)) return next()
    const visit = await openPage(c)
    if (visit.session !== null) return c.redirect(paths.home)
    return showSignUp(c, visit, { ...fresh, inviteCode: c.req.param('code').slice(0, 100) })
  })
  return app
}

function valuesOf(form: Form): SignUpValues {
  return {
    username: form('username').slice(0, 200),
    email: form('email').slice(0, 500),
    dateOfBirth: form('date_of_birth').slice(0, 20),
    reason: form('reason').slice(0, 2_000),
    agreement: form('agreement') === 'true',
  }
}

interface SignUpSubmission {
  readonly values: SignUpValues
  readonly form: Form
  readonly returnTo: string | null
  readonly inviteCode: string | null
}

async function openAccount(
  c: AppContext,
  visit: PageRequest,
  { values, form, returnTo, inviteCode }: SignUpSubmission,
) {
  const ctx = c.get('ctx')
  const { accountId, confirmed, approved } = await signUp(ctx, {
    ...values,
    password: form('password'),
    passwordConfirmation: form('password_confirmation'),
    locale: form('locale').slice(0, 20),
    timeZone: zoneOf(c.req.raw),
    ip: clientIp(c),
    applicationId: null,
    inviteCode,
    solution: form('challenge'),
  })
  if (!confirmed) {
    const csrfToken = await csrfTokenFor(c, visit)
    const page = { viewer: null, csrfToken }
    return showPage(c, <CheckMailPage email={values.email.trim()} stage="signed-up" />, page)
  }
  if (!approved) return showPage(c, <WaitingForApprovalPage answersByMail={sendsMail(c)} />, { viewer: null })
  await startBrowserSession(c, visit, { accountId, username: values.username.trim(), lastActiveAt: null })
  return c.redirect(returnTo ?? paths.start, 303)
}

interface SignUpFormState {
  readonly values: SignUpValues
  readonly errors: FormErrors<SignUpField>
  readonly returnTo: string | null
  readonly inviteCode: string | null
  readonly status: 200 | 422
}

const fresh: SignUpFormState = { values: blank, errors: {}, returnTo: null, inviteCode: null, status: 200 }

async function showSignUp(
  c: AppContext,
  visit: PageRequest,
  { values, errors, returnTo, inviteCode, status }: SignUpFormState,
) {
  const ctx = c.get('ctx')
  const { settings } = visit
  const invitation = inviteCode === null ? constant(null) : findInvite(ctx, inviteCode)
  const {
    rules,
    invite,
    asked: { signUpChallenge },
  } = await execute(
    ctx.db,
    combineQueries({
      rules: loadRules(ctx),
      invite: invitation,
      asked: pickSettings(ctx, ['signUpChallenge']),
    }),
  )
  const invitedBy = invite?.isUsable === true ? invite.inviter : null
  const state = invitedBy === null ? settings.registrations : ('open' as const)
  const isAsked = signUpChallenge && state !== 'closed'
  const page = {
    values,
    minimumAge: settings.minimumAge,
    state,
    rules: rules.map(ruleText),
    closedMessageHtml:
      settings.registrationsMessage === null ? null : `<p>${escapeHtml(settings.registrationsMessage)}</p>`,
    answersByMail: sendsMail(c),
    passwordMinLength: passwordLengths.min,
    inviteCode,
    invitedBy,
    returnTo,
    challenge: isAsked ? await issueChallenge(ctx) : null,
  }
  return showPage(c, <SignUpPage {...page} />, {
    csrfToken: await csrfTokenFor(c, visit),
    errors,
    status,
    formsLeadAway: leadsToApplication(returnTo),
    ...(isAsked ? { script: 'challenge.js' } : {}),
  })
}

export function ruleText(rule: RuleRow): RuleText {
  return { id: String(rule.id), text: rule.text, hint: rule.hint }
}
