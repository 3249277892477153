import { Hono } from 'hono'
import { execute } from '../../../db/query'
import { defaultSettings, loadSettings } from '../../../domain/instance/settings'
import { admitAnonymous, takeForNetwork } from '../../../domain/sessions/flood'
import { hasOwner } from '../../../domain/users/provision'
import { AppError, RateLimited } from '../../../errors'
import { sameText, sha256, sign, verify } from '../../../lib/secrets'
import { type AppContext, type AppEnv, clientIp } from '../../../ports/app-env'
import { ErrorPage } from '../../components/error-page'
import { readSecretCookie, setSecretCookie } from '../../cookies'
import { csrfTokenFor, type Form, readCsrfForm } from '../../csrf'
import type { FormErrors } from '../../form-errors'
import { type Markup, type PageOptions, showPage } from '../../page'
import { paths } from '../../paths'
import { siteOf } from '../../site-of'
import { ChecksStep, runChecks } from './checks'
import { EnterPage, FinishedPage, HeldPage, LockedPage } from './entry-views'
import { DatabaseStep, DomainStep, OwnerStep, SecretsStep, ServerStep, ServicesStep } from './step-views'
import { type Step, stepAsked } from './steps'
import { submissions } from './submissions'
import type { SetUp, SetUpPorts } from './types'

/** Settings of a server whose database may not be there yet. */
const freshSettings = { ...defaultSettings, cssSavedAt: null }

const stranger = { token: null, session: null, restricted: null, slots: [] }
const proofPurpose = 'set-up secret was entered'

/**
 * Pages of a server without an owner, for the browser that entered the set-up secret. `portsOf` is asked once a request.
 */
export function setUpRoutes(portsOf: (c: AppContext) => SetUpPorts): Hono<AppEnv> {
  const app = new Hono<AppEnv>()
  app.use(`${paths.setUp}/*`, async (c, next) => {
    await admitAnonymous(c.get('ctx'), clientIp(c))
    await next()
    c.res.headers.set('Cache-Control', 'no-store')
  })
  // Asked by browsers at the chosen domain, from the page at the present one.
  app.get(`${paths.setUp}/reached`, async (c) => {
    const { serverId } = await portsOf(c).installation.state(null, c.get('ctx').clock.now())
    return c.text(serverId, 200, { 'Access-Control-Allow-Origin': '*' })
  })
  app.get(paths.setUp, async (c) => {
    const found = await open(c, portsOf(c))
    return found instanceof Response ? found : showStep(c, found, stepAsked(c.req.query('step'), found.state))
  })
  app.post(`${paths.setUp}/enter`, (c) => enter(c, portsOf(c)))
  app.post(`${paths.setUp}/take-over`, (c) => takeOver(c, portsOf(c)))
  app.post(`${paths.setUp}/unlock`, (c) => unlock(c, portsOf(c)))
  app.post(`${paths.setUp}/secrets/file`, async (c) => {
    const ports = portsOf(c)
    await readCsrfForm(c, stranger)
    const found = await open(c, ports)
    return found instanceof Response ? found : downloadSecrets(c, found)
  })
  for (const { step, submit } of submissions)
    app.post(`${paths.setUp}/${step}`, async (c) => {
      const form = await readCsrfForm(c, stranger)
      const found = await open(c, portsOf(c))
      if (found instanceof Response) return found
      if (stepAsked(step, found.state) !== step) return c.redirect(paths.setUp, 303)
      const outcome = await submit(c.get('ctx'), found, form)
      if (outcome === 'done') return c.redirect(paths.setUp, 303)
      if (outcome === 'taken')
        return showSetUp(c, <EnterPage />, { errors: { form: 'setUp.taken' }, status: 409 })
      if ('finished' in outcome)
        return showSetUp(
          c,
          <FinishedPage origin={found.state.chosen.ORIGIN ?? ''} username={outcome.finished} />,
        )
      return showStep(c, found, step, { errors: outcome.errors, form })
    })
  return app
}

/** The set-up that the browser of a request holds; else the page that it gets in its place. */
async function open(c: AppContext, ports: SetUpPorts): Promise<SetUp | Response> {
  const { installation } = ports
  const ctx = c.get('ctx')
  const secret = await readSecretCookie(c, 'set_up')
  const holder = secret === null ? null : await sha256(secret)
  const state = await installation.state(holder, ctx.clock.now())
  if (state.isLocked) return showSetUp(c, <LockedPage />)
  if (state.migration.state === 'done' && (await execute(ctx.db, hasOwner(ctx)))) {
    // A database of before, or an answer that was lost.
    await installation.complete()
    return c.redirect(paths.signIn, 303)
  }
  if (holder === null || !state.isHolder)
    return showSetUp(c, <EnterPage />, {
      errors: holder === null ? {} : { form: 'setUp.taken' },
      status: holder === null ? 200 : 409,
    })
  return { ...ports, state, holder }
}

async function enter(c: AppContext, ports: SetUpPorts): Promise<Response> {
  const form = await readCsrfForm(c, stranger)
  if (!(await admitsGuess(c, ports, form('secret'), ports.setupSecret)))
    return showSetUp(c, <EnterPage />, { errors: { form: 'setUp.wrongSecret' }, status: 422 })
  return hold(c, ports, false)
}

/** Counts a guess for its network, and logs it where it is wrong. */
async function admitsGuess(
  c: AppContext,
  { installation }: SetUpPorts,
  guess: string,
  secret: string,
): Promise<boolean> {
  await takeForNetwork(c.get('ctx'), 'signInsByIp', clientIp(c))
  if (sameText(guess.trim(), secret)) return true
  await installation.countWrongSecret()
  c.get('ctx').log.error('A wrong set-up secret was entered')
  return false
}

async function takeOver(c: AppContext, ports: SetUpPorts): Promise<Response> {
  const form = await readCsrfForm(c, stranger)
  const [at, signature = ''] = form('proof').split('.')
  const age = c.get('ctx').clock.now().getTime() - Number(at)
  const isProven =
    age >= 0 &&
    age < proofMilliseconds &&
    (await verify(c.get('ctx').config.secrets, proofPurpose, String(at), signature))
  if (!isProven) return showSetUp(c, <EnterPage />, { errors: { form: 'setUp.taken' }, status: 422 })
  return hold(c, ports, true)
}

const proofMilliseconds = 600_000

/** Makes this browser the one that sets the server up; the first of two wins, the other is told. */
async function hold(c: AppContext, { installation }: SetUpPorts, takesOver: boolean): Promise<Response> {
  const { clock, config, random } = c.get('ctx')
  const secret = random.token()
  const now = clock.now()
  if ((await installation.hold(await sha256(secret), now, takesOver)) === null) {
    await setSecretCookie(c, 'set_up', secret)
    return c.redirect(paths.setUp, 303)
  }
  const at = String(now.getTime())
  const proof = `${at}.${await sign(config.secrets, proofPurpose, at)}`
  return showSetUp(c, <HeldPage proof={proof} />, { status: 409 })
}

async function unlock(c: AppContext, ports: SetUpPorts): Promise<Response> {
  const form = await readCsrfForm(c, stranger)
  await takeForNetwork(c.get('ctx'), 'signInsByIp', clientIp(c))
  if (await ports.installation.sealAgain(form('proof').trim())) return c.redirect(paths.front, 303)
  await ports.installation.countWrongSecret()
  c.get('ctx').log.error('A wrong secret was entered to open the server')
  return showSetUp(c, <LockedPage />, { errors: { form: 'setUp.locked.wrong' }, status: 422 })
}

/** The secrets and what was chosen, in the form that `wrangler secret bulk` takes. */
async function downloadSecrets(c: AppContext, { installation, holder, state }: SetUp): Promise<Response> {
  const secret = await installation.secretForFile(holder)
  if (secret === null) return c.redirect(paths.setUp, 303)
  const text = JSON.stringify({ INSTANCE_SECRET: secret, ...state.chosen }, null, 2)
  return c.body(`${text}\n`, 200, {
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Disposition': 'attachment; filename="fieldfare-secrets.json"',
  })
}

interface Refused {
  readonly errors: FormErrors<string>
  readonly form: Form
}

async function showStep(c: AppContext, setUp: SetUp, step: Step, refused?: Refused): Promise<Response> {
  const { state, server } = setUp
  const { config } = c.get('ctx')
  const options: PageOptions =
    refused === undefined
      ? {}
      : {
          errors: refused.errors,
          sent: { action: `${paths.setUp}/${step}`, form: refused.form },
          status: 422,
        }
  switch (step) {
    case 'database': {
      const response = await showSetUp(c, <DatabaseStep state={state} />, options)
      if (state.migration.state === 'running') response.headers.set('Refresh', '2')
      return response
    }
    case 'domain': {
      const domain = new URL(state.chosen.ORIGIN ?? config.origin).host
      return showSetUp(c, <DomainStep state={state} domain={domain} />, options)
    }
    case 'server': {
      const settings = await execute(server().db, loadSettings(server()))
      return showSetUp(c, <ServerStep state={state} settings={settings} />, options)
    }
    case 'services': {
      const canMail = !server().config.missingServices.includes('email')
      return showSetUp(c, <ServicesStep state={state} canMail={canMail} />, options)
    }
    case 'secrets':
      return showSetUp(c, <SecretsStep state={state} />, options)
    case 'checks': {
      const { hostname } = new URL(state.chosen.ORIGIN ?? config.origin)
      const [checks, missing] = [await runChecks(c.get('ctx'), hostname), server().config.missingServices]
      const page = <ChecksStep state={state} checks={checks} missing={missing} />
      return showSetUp(c, page, {
        ...options,
        script: 'set-up.js',
        connectsTo: [state.chosen.ORIGIN ?? config.origin],
      })
    }
    case 'owner':
      return showSetUp(c, <OwnerStep state={state} />, options)
  }
}

/** Page of a failure, whose frame takes nothing from the database. */
export async function showSetUpFailure(c: AppContext, failure: Error): Promise<Response> {
  const known = failure instanceof AppError ? failure : null
  const { config, log, requestId } = c.get('ctx')
  if (known === null) log.error('A page of set-up failed', { method: c.req.method, cause: failure })
  const status = known?.status ?? 500
  const page = {
    status,
    problems: known === null || known instanceof RateLimited ? null : known.problems,
    requestId: known === null ? requestId : null,
    signInPath: null,
  }
  return showPage(c, <ErrorPage {...page} />, { status, site: siteOf(config, freshSettings) })
}

async function showSetUp(c: AppContext, markup: Markup, options: PageOptions = {}): Promise<Response> {
  const csrfToken = await csrfTokenFor(c, stranger)
  const site = siteOf(c.get('ctx').config, freshSettings)
  return showPage(c, markup, { ...options, csrfToken, site })
}
