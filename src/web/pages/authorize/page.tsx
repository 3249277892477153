import { Hono } from 'hono'
import { execute } from '../../../db/query'
import { findApplication } from '../../../domain/sessions/applications'
import {
  type AuthorizationDecision,
  type AuthorizationError,
  type AuthorizationRequest,
  areScopesGranted,
  checkAuthorization,
  findOwnCode,
  type Grant,
  grantedScopes,
  isOutOfBand,
  issueCode,
  type RedirectTarget,
  returnUrl,
} from '../../../domain/sessions/authorize'
import type { WebSession } from '../../../domain/sessions/web-session'
import { NotFound } from '../../../errors'
import type { Problem } from '../../../errors/sentences'
import { englishOf, problem } from '../../../errors/sentences'
import type { AppContext, AppEnv } from '../../../ports/app-env'
import { Button } from '../../components/button'
import { Layout } from '../../components/layout'
import { csrfTokenFor, type Form, readCsrfForm } from '../../csrf'
import { errorText } from '../../error-texts'
import { useTranslation } from '../../i18n/context'
import { showInactiveAccount } from '../../inactive-account'
import { showPage } from '../../page'
import { hasToSetUpTwoFactor, openPage, type PageRequest } from '../../page-request'
import { paths, termsNoticePath } from '../../paths'
import { pathOf, toSignIn } from '../../return-to'
import type { AccountSummary } from '../../site'
import { toTwoFactorSetUp } from '../../two-factor-set-up'
import { ConsentPage } from './consent'

const native = `${paths.authorize}/native`

/** Consent page: a user decides what an application may do. */
export function authorizeRoutes(): Hono<AppEnv> {
  const app = new Hono<AppEnv>()
  app.get(paths.authorize, showAuthorization)
  app.post(paths.authorize, (c) => decide(c, false))
  app.delete(paths.authorize, (c) => decide(c, true))
  app.get(native, showCode)
  return app
}

async function showAuthorization(c: AppContext) {
  const visit = await openPage(c)
  const request = requestOf((name) => c.req.query(name) ?? '')
  const verdict = await checkRequest(c, request)
  if (verdict.kind === 'unsafe') return showRefusal(c, verdict.refusal)
  // Visitors who are not signed in are never redirected to another site: else local links could lead anywhere.
  if (visit.session === null || visit.viewer === null) return toSignIn(c)
  // Nor are members before they decided something: a link with a wrong scope would lead to any site that registered an app.
  if (verdict.kind === 'refused') return showRefusal(c, verdict.refusal, verdict.back)
  const waiting = await showInactiveAccount(c, visit, visit.session)
  if (waiting !== null) return waiting
  if (hasToSetUpTwoFactor(visit)) return toTwoFactorSetUp(c, pathOf(c))
  if (visit.session.termsToSee !== null) return c.redirect(termsNoticePath(pathOf(c)))
  const { grant } = verdict
  const ctx = c.get('ctx')
  const held = await execute(ctx.db, grantedScopes(ctx, visit.session.accountId, grant.application.id))
  const mustAsk = isTrue(c.req.query('force_login')) || !areScopesGranted(held, grant.scopes)
  return mustAsk ? showConsent(c, visit, visit.viewer, grant, request) : sendCode(c, visit.session, grant)
}

async function decide(c: AppContext, isDenied: boolean) {
  const visit = await openPage(c)
  const form = await readCsrfForm(c, visit)
  const request = requestOf(form)
  const verdict = await checkRequest(c, request)
  if (verdict.kind === 'unsafe') return showRefusal(c, verdict.refusal)
  if (visit.session === null) {
    const again = new URLSearchParams({ return_to: pageOf(request) })
    return c.redirect(`${paths.signIn}?${again}`, 303)
  }
  if (verdict.kind === 'refused') return sendRefusal(c, verdict.back, verdict.refusal)
  const { grant } = verdict
  if (hasToSetUpTwoFactor(visit)) return toTwoFactorSetUp(c, pageOf(request))
  if (isDenied || form('decision') === 'deny')
    return sendRefusal(c, grant, { error: 'access_denied', reason: problem('oauth_declined') })
  return (await showInactiveAccount(c, visit, visit.session)) ?? sendCode(c, visit.session, grant)
}

function requestOf(param: Form): AuthorizationRequest {
  const state = param('state')
  return {
    clientId: param('client_id'),
    redirectUri: param('redirect_uri'),
    responseType: param('response_type'),
    responseMode: param('response_mode'),
    scope: param('scope'),
    state: state === '' ? null : state,
    codeChallenge: param('code_challenge'),
    codeChallengeMethod: param('code_challenge_method'),
  }
}

/** The request as parameters again: what the consent form sends back. */
function paramsOf(request: AuthorizationRequest): Record<string, string> {
  return {
    client_id: request.clientId,
    redirect_uri: request.redirectUri,
    response_type: request.responseType,
    response_mode: request.responseMode,
    scope: request.scope,
    state: request.state ?? '',
    code_challenge: request.codeChallenge,
    code_challenge_method: request.codeChallengeMethod,
  }
}

/** Path and query of the page that asks for consent to a request. */
function pageOf(request: AuthorizationRequest): string {
  return `${paths.authorize}?${new URLSearchParams(paramsOf(request))}`
}

async function checkRequest(c: AppContext, request: AuthorizationRequest): Promise<AuthorizationDecision> {
  const ctx = c.get('ctx')
  return checkAuthorization(request, await execute(ctx.db, findApplication(ctx, request.clientId)))
}

function isTrue(text: string | undefined): boolean {
  return text !== undefined && ['true', '1', 'on', 't'].includes(text.toLowerCase())
}

async function showConsent(
  c: AppContext,
  visit: PageRequest,
  viewer: AccountSummary,
  grant: Grant,
  request: AuthorizationRequest,
) {
  const { application, scopes, redirectUri } = grant
  const page = {
    account: viewer,
    application,
    scopes,
    redirectUri,
    params: paramsOf(request),
    returnTo: pathOf(c),
  }
  const csrfToken = await csrfTokenFor(c, visit)
  return showPage(c, <ConsentPage {...page} />, { viewer: null, csrfToken, formsLeadAway: true })
}

async function sendCode(c: AppContext, session: WebSession, grant: Grant) {
  const code = await issueCode(c.get('ctx'), session.accountId, grant)
  if (isOutOfBand(grant)) return c.redirect(`${native}?${new URLSearchParams({ code })}`)
  return send(c, grant, { code }, grant.application.name)
}

function sendRefusal(c: AppContext, back: RedirectTarget, refusal: AuthorizationError) {
  if (isOutOfBand(back)) return showRefusal(c, refusal)
  return send(c, back, answerOf(refusal), 'the app')
}

function answerOf({ error, reason }: AuthorizationError): Record<string, string> {
  return { error, error_description: englishOf([reason]) }
}

/** Back to the application. Without scripts a form can only be sent on by the person. */
function send(c: AppContext, back: RedirectTarget, answer: Record<string, string>, applicationName: string) {
  if (back.mode !== 'form_post') return c.redirect(returnUrl(back, answer))
  const fields = { ...answer, ...(back.state === null ? {} : { state: back.state }) }
  const page = { action: back.redirectUri, fields, applicationName }
  return showPage(c, <FormPostPage {...page} />, { formsLeadAway: true })
}

/** `back`: a verified address, which the person may return to. */
function showRefusal(c: AppContext, refusal: AuthorizationError, back: RedirectTarget | null = null) {
  const status = refusal.error === 'invalid_client' ? 401 : 400
  const backUrl = back === null || isOutOfBand(back) ? null : returnUrl(back, answerOf(refusal))
  return showPage(c, <OAuthErrorPage {...refusal} backUrl={backUrl} />, {
    status,
  })
}

/** Shows a code to the account it was made for, and no other text from the address. */
async function showCode(c: AppContext) {
  const ctx = c.get('ctx')
  const visit = await openPage(c)
  const { session } = visit
  if (session === null) return toSignIn(c)
  const code = c.req.query('code') ?? ''
  const found = await findOwnCode(ctx, session.accountId, code)
  if (found === null) throw new NotFound('no_device_code')
  return showPage(c, <CodePage code={code} applicationName={found.applicationName} />)
}

interface CodePageProps {
  readonly code: string
  readonly applicationName: string
}

/** For applications without an address to return to: the person carries the code over. */
export function CodePage({ code, applicationName }: CodePageProps) {
  const t = useTranslation()
  return (
    <Layout
      title={t('authorize.code.authorisationCode')}
      heading={t('authorize.code.copyThisCode')}
      isAlone
      isPrivate
    >
      <div class="block">
        <p>
          {t.rich('authorize.code.pasteIntoNameWithin', {
            app: (words) => (
              <strong>
                <bdi>{words}</bdi>
              </strong>
            ),
            name: applicationName,
          })}
        </p>
        <p>
          <code class="code-to-copy">{code}</code>
        </p>
        <p class="quiet small">{t('authorize.code.giveNobodyElseWhoever')}</p>
      </div>
    </Layout>
  )
}

interface FormPostPageProps {
  /** The address of the application. */
  readonly action: string
  readonly fields: Readonly<Record<string, string>>
  readonly applicationName: string
}

/** Carries the answer to applications that want it as a form: without scripts the person sends it on. */
function FormPostPage({ action, fields, applicationName }: FormPostPageProps) {
  const t = useTranslation()
  const heading = t.rich('authorize.formPost.backToName', {
    app: (words) => <bdi>{words}</bdi>,
    name: applicationName,
  })
  return (
    <Layout title={t('authorize.backApp')} heading={heading} isAlone isPrivate>
      <div class="block">
        <form method="post" action={action} class="form">
          {Object.entries(fields).map(([name, value]) => (
            <input type="hidden" name={name} value={value} />
          ))}
          <Button>{t('common.continue')}</Button>
        </form>
      </div>
    </Layout>
  )
}

interface OAuthErrorPageProps {
  /** As in RFC 6749, e.g. `invalid_scope`. */
  readonly error: string
  readonly reason: Problem
  /** Address of the application with the error in it; null where none is verified. */
  readonly backUrl?: string | null
}

/** For requests that cannot be granted. Nothing is sent to the application unless the person follows the link. */
export function OAuthErrorPage({ error, reason, backUrl = null }: OAuthErrorPageProps) {
  const t = useTranslation()
  return (
    <Layout title={t('authorize.oauthError.appCouldNotAuthorised')} isAlone isPrivate>
      <div class="block">
        <p>{errorText(t, reason)}</p>
        <p>{t('authorize.oauthError.accountUntouchedClosePage')}</p>
        {backUrl !== null && (
          <p>
            <a href={backUrl} rel="nofollow noopener noreferrer">
              {t('authorize.backApp')}
            </a>{' '}
            <bdi class="quiet small">{backUrl.split(/[?#]/, 1)[0]}</bdi>
          </p>
        )}
        <p class="quiet small">
          {t.rich('authorize.oauthError.errorCodeError', { code: (words) => <code>{words}</code>, error })}
        </p>
      </div>
    </Layout>
  )
}
