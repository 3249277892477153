import type * as z from 'zod'
import type { WebSession } from '../../domain/sessions/web-session'
import { Forbidden } from '../../errors'
import type { AppContext } from '../../platform/app-env'
import { type FormErrors, hasErrors } from '../components/form'
import { csrfTokenFor, type Form, readCsrfFields } from '../csrf'
import { formErrors, schemaErrors } from '../form-errors'
import { showInactiveAccount } from '../inactive-account'
import { type Markup, showPage } from '../page'
import { hasToSetUpTwoFactor, openPage, type PageRequest, summaryOf } from '../page-request'
import { paths, termsNoticePath } from '../paths'
import { pathOf, toSignIn } from '../return-to'
import { toTwoFactorSetUp } from '../two-factor-set-up'
import type {
  Download,
  FieldOf,
  MemberPage,
  PageAccess,
  PageDeclaration,
  PageFrame,
  PageSpec,
  Submission,
  Submitted,
} from './declaration'
import { findNotice, isPermitted, menuFor } from './menu'

/** Answers a request for the page itself. */
export async function show<S extends z.ZodObject, F, N extends string>(
  c: AppContext,
  spec: PageSpec<S, F, N>,
  pages: readonly MemberPage[],
): Promise<Response> {
  const visit = await openPage(c)
  return guarded(c, visit, spec, (session) => {
    if (spec.isBeforeTerms !== true && session.termsToSee !== null)
      return c.redirect(termsNoticePath(pathOf(c)), 303)
    return render(c, spec, { visit, session, pages, errors: {}, typed: () => '' })
  })
}

export async function sendDownload(
  c: AppContext,
  access: PageAccess,
  send: Download['send'],
): Promise<Response> {
  const visit = await openPage(c)
  return guarded(c, visit, { access }, (session) => send(c, session))
}

/** Answers a form of the page: refused unread without a CSRF token, shown again with what is wrong, or redirected. */
export async function submit<S extends z.ZodObject, F, N extends string>(
  c: AppContext,
  spec: PageSpec<S, F, N>,
  submission: Submission<z.output<S>, N>,
  pages: readonly MemberPage[],
): Promise<Response> {
  const visit = await openPage(c)
  const { form, file } = await readCsrfFields(c, visit)
  if (visit.session === null && submission.isCommand) return c.redirect(paths.signIn, 303)
  const { access = spec.access } = submission
  return guarded(c, visit, { ...spec, access }, async (session) => {
    const refuse = (errors: FormErrors<string>) =>
      render(c, spec, { visit, session, pages, errors, typed: form })
    const names = Object.keys(spec.form.shape)
    const files = new Set<string>(spec.fileFields)
    const sent = names.map((name) => [name, files.has(name) ? file(name) : form(name)])
    const parsed = spec.form.safeParse(Object.fromEntries(sent))
    if (!parsed.success) return refuse(schemaErrors(parsed.error))
    let outcome: Submitted<N>
    try {
      outcome = await submission.run({ c, ctx: c.get('ctx'), session, input: parsed.data })
    } catch (failure) {
      if (submission.isCommand) throw failure
      return refuse(formErrors(failure, names))
    }
    if ('problem' in outcome) return refuse({ form: outcome.problem })
    if ('show' in outcome) return showOnce(c, visit, outcome.show)
    const next =
      'redirectTo' in outcome
        ? outcome.redirectTo
        : `${spec.noticesAt ?? spec.path}?done=${encodeURIComponent(outcome.notice)}`
    return c.redirect(next, 303)
  })
}

/** Runs `go` for a session that `access` admits. Others get the sign-in page, or the page that says what is missing. */
async function guarded(
  c: AppContext,
  visit: PageRequest,
  { access, isBeforeTwoFactor = false }: Pick<PageDeclaration, 'access' | 'isBeforeTwoFactor'>,
  go: (session: WebSession) => Response | Promise<Response>,
): Promise<Response> {
  const session = visit.session ?? (access === 'restricted' ? visit.restricted : null)
  if (session === null) return toSignIn(c)
  const inactive =
    access === 'signed-in' || access === 'restricted' ? null : await showInactiveAccount(c, visit, session)
  if (inactive !== null) return inactive
  if (!isBeforeTwoFactor && hasToSetUpTwoFactor(visit))
    return c.req.method === 'GET' ? toTwoFactorSetUp(c, pathOf(c)) : c.redirect(paths.twoFactor, 303)
  if (!isPermitted(access, session)) throw new Forbidden()
  return go(session)
}

/** Shows a page that no address leads to. */
async function showOnce(
  c: AppContext,
  visit: PageRequest,
  view: (frame: PageFrame) => Markup,
): Promise<Response> {
  const { site, viewer } = visit
  if (viewer === null) return toSignIn(c)
  return showPage(c, view({ site, viewer, csrfToken: await csrfTokenFor(c, visit) }))
}

interface Rendering<Field extends string> {
  readonly visit: PageRequest
  readonly session: WebSession
  readonly pages: readonly MemberPage[]
  readonly errors: FormErrors<Field>
  readonly typed: Form
}

async function render<S extends z.ZodObject, F, N extends string>(
  c: AppContext,
  spec: PageSpec<S, F, N>,
  { visit, session, pages, errors, typed }: Rendering<FieldOf<S>>,
): Promise<Response> {
  const { site } = visit
  const query = (name: string) => c.req.query(name) ?? ''
  const found = await spec.load(c.get('ctx'), { session, query })
  if (found === null) return toSignIn(c)
  const page = {
    site,
    viewer: summaryOf(c, session),
    session,
    found,
    errors,
    typed,
    csrfToken: await csrfTokenFor(c, visit),
    message: findNotice(pages, spec.path, query('done'), session),
    menu: menuFor(pages, spec.kind, session),
  }
  const { script } = spec
  return showPage(c, spec.view(page), {
    status: hasErrors(errors) ? 422 : 200,
    ...(script === undefined ? {} : { script }),
  })
}
