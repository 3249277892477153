import type * as z from 'zod'
import type { WebSession } from '../../domain/sessions/web-session'
import { Conflict, Forbidden, TooLarge } from '../../errors'
import { isMultipart } from '../../lib/params'
import type { TextKey } from '../../lib/translate'
import type { AppContext } from '../../ports/app-env'
import { questionPage } from '../components/admin/question-page'
import { csrfTokenFor, type Form, type FormFields, readCsrfFields } from '../csrf'
import { type FormErrors, formErrors, hasErrors, schemaErrors } from '../form-errors'
import { showInactiveAccount } from '../inactive-account'
import { type Markup, showPage } from '../page'
import { emptyPage, type Saved, type SentForm } from '../page-context'
import { hasToSetUpTwoFactor, memberOf, openPage, type PageRequest, summaryOf } from '../page-request'
import { paths, termsNoticePath } from '../paths'
import { pathOf, toSignIn } from '../return-to'
import { documentsEntries } from '../served-documents'
import { toTwoFactorSetUp } from '../two-factor-set-up'
import { keepUntilSignIn } from '../unsent-form'
import type {
  Done,
  Download,
  FieldOf,
  MemberPage,
  PageAccess,
  PageDeclaration,
  PageSpec,
  Submission,
  Submitted,
} from './declaration'
import { keepDraft, takeDraft } from './draft'
import { idInPath } from './id-in-path'
import { findNotice, isPermitted, menuFor, settingsMenuAt } from './menu'
import type { QuestionWords } from './question'

/** Answers a request for the page itself. */
export async function show<S extends z.ZodObject, F, N extends string>(
  c: AppContext,
  spec: PageSpec<S, F, N>,
  pages: readonly MemberPage[],
): Promise<Response> {
  const visit = await openPage(c)
  return guarded(c, visit, spec, async (session) => {
    if (spec.isBeforeTerms !== true && session.termsToSee !== null)
      return c.redirect(termsNoticePath(pathOf(c)), 303)
    const draft = await takeDraft(c, pathOf(c))
    // With a notice, another form of the page was sent, and this one continues.
    const errors = draft === null || c.req.query('done') !== undefined ? {} : ({ form: notYetSent } as const)
    return render(c, spec, { visit, session, pages, errors, sent: draft, status: 200 })
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
  const takesUploads = spec.uploadFields !== undefined && memberOf(visit) !== null
  const { uploads } = c.get('ctx')
  if (takesUploads && uploads !== null && visit.session !== null && isMultipart(c.req.raw.headers))
    return uploads.answer(visit.session.accountId, c.req.raw)
  let fields: FormFields
  try {
    // Without a session nothing is done, and typed values are kept for its page.
    const isKept = visit.session === null && visit.restricted === null && submission.isCommand !== true
    fields = await readCsrfFields(c, visit, { takesUploads, isKept })
  } catch (failure) {
    const hasFiles = spec.uploadFields !== undefined || spec.fileFields !== undefined
    if (!(failure instanceof TooLarge) || !hasFiles) throw failure
    const errors = { form: 'form.whatChoseTooLarge' as const }
    return guarded(c, visit, spec, (session) =>
      render(c, spec, { visit, session, pages, errors, sent: null, status: 413 }),
    )
  }
  const { form, file, upload } = fields
  const { access = spec.access } = submission
  if (visit.session === null && (access !== 'restricted' || visit.restricted === null)) {
    if (submission.isCommand) return c.redirect(paths.signIn, 303)
    const path = returnPathOf(c, spec.path)
    return keepUntilSignIn(c, visit, { path, action: c.req.path, names: textFields(spec), form })
  }
  return guarded(c, visit, { ...spec, access }, async (session) => {
    const refuse = (errors: FormErrors<string>, status: 409 | 422 = 422) =>
      render(c, spec, { visit, session, pages, errors, sent: { action: c.req.path, form }, status })
    const names = Object.keys(spec.form.shape)
    const [files, uploads] = [new Set<string>(spec.fileFields), new Set<string>(spec.uploadFields)]
    const read = (name: string) =>
      uploads.has(name) ? upload(name) : files.has(name) ? file(name) : form(name)
    const answer = submission.ask === undefined ? 'true' : form('confirmed')
    if (answer === 'false') {
      if (submission.isCommand) return c.redirect(addressOf(c, spec.path), 303)
      const sent = { action: c.req.path, form }
      return render(c, spec, { visit, session, pages, errors: {}, sent, status: 200 })
    }
    const sent = names.map((name) => [name, read(name)])
    const parsed = spec.form.safeParse(Object.fromEntries(sent))
    if (!parsed.success) return refuse(schemaErrors(parsed.error))
    const call = { c, ctx: c.get('ctx'), session, input: parsed.data }
    let outcome: Submitted<N>
    try {
      const words = answer === 'true' ? null : await submission.ask?.(call)
      if (words != null) {
        const texts = names.filter((name) => !uploads.has(name) && !files.has(name))
        return ask(c, { visit, session, pages, form, names: texts, words })
      }
      outcome = await submission.run(call)
    } catch (failure) {
      if (submission.isCommand) throw failure
      return refuse(formErrors(failure, names), failure instanceof Conflict ? 409 : 422)
    }
    if ('problem' in outcome) return refuse({ form: outcome.problem })
    if ('show' in outcome) return showOnce(c, visit, outcome.show)
    if ('redirectTo' in outcome) return c.redirect(outcome.redirectTo, 303)
    const next = `${addressOf(c, spec.noticesAt ?? spec.path)}?${noticeQuery(outcome)}`
    if (outcome.keeps !== undefined)
      await keepDraft(c, { path: next, action: outcome.keeps, names: textFields(spec), form })
    return c.redirect(next, 303)
  })
}

/** Fields of a page that hold text. */
function textFields<S extends z.ZodObject, F, N extends string>(spec: PageSpec<S, F, N>): readonly string[] {
  const held = new Set<string>([...(spec.fileFields ?? []), ...(spec.uploadFields ?? [])])
  return [...Object.keys(spec.form.shape), 'sent'].filter((name) => !held.has(name))
}

/** Parameters of an address that shows a notice, with what was changed and where. */
function noticeQuery({ notice, changed, at }: Done<string>): URLSearchParams {
  return new URLSearchParams({
    done: notice,
    ...(changed === undefined ? {} : { changed: changed.join(',') }),
    ...(at === undefined ? {} : { at }),
  })
}

/** Notice above a form whose session ended before it was sent. */
export const notYetSent = 'form.signedOutBeforeSent'

/** Address of the page with the form of the request: pages of many things show one by the parameter `id`. */
function returnPathOf(c: AppContext, path: string): string {
  const id = idInPath(c)
  return id === null || path.includes(':id') ? addressOf(c, path) : `${path}?id=${id}`
}

/** Address of a page about one thing: `path` with the parameters of the request. */
function addressOf(c: AppContext, path: string): string {
  return path.replaceAll(/:(\w+)/g, (_, name) => encodeURIComponent(c.req.param(name) ?? ''))
}

interface Asking {
  readonly visit: PageRequest
  readonly session: WebSession
  readonly pages: readonly MemberPage[]
  readonly form: Form
  /** Fields that the answer sends again. */
  readonly names: readonly string[]
  readonly words: QuestionWords
}

/** Shows the question of a form, which is sent again with the answer. */
async function ask(c: AppContext, { visit, session, pages, form, names, words }: Asking): Promise<Response> {
  const menu = [...menuFor(pages, 'admin', session), ...(await documentsEntries(c.get('ctx')))]
  const [current] = menu
    .filter(({ path }) => c.req.path.startsWith(`${path}/`))
    .toSorted((one, other) => other.path.length - one.path.length)
  const fields = [...names, 'about'].map((name) => [name, form(name)] as const)
  return showPage(
    c,
    questionPage({
      current: current?.path ?? '',
      action: c.req.path,
      hidden: Object.fromEntries(fields.filter(([, value]) => value !== '')),
      about: form('about').slice(0, 200),
      words,
    }),
    { viewer: summaryOf(c, session), csrfToken: await csrfTokenFor(c, visit), menu },
  )
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
async function showOnce(c: AppContext, visit: PageRequest, markup: Markup): Promise<Response> {
  if (visit.viewer === null) return toSignIn(c)
  return showPage(c, markup, { csrfToken: await csrfTokenFor(c, visit) })
}

/** Changes of a form that the address names, in labels of the page. */
function savedIn(c: AppContext, labels: Readonly<Record<string, TextKey>>): Saved {
  const changed = c.req.query('changed')?.split(',') ?? null
  const known = changed?.flatMap((name) => (Object.hasOwn(labels, name) ? (labels[name] ?? []) : []))
  return { changed: known === undefined ? null : [...new Set(known)], at: c.req.query('at') ?? null }
}

interface Rendering<Field extends string> {
  readonly visit: PageRequest
  readonly session: WebSession
  readonly pages: readonly MemberPage[]
  readonly errors: FormErrors<Field>
  /** The form to show again; null where saved values are shown. */
  readonly sent: SentForm | null
  /** Status of the page of a refused form. */
  readonly status?: 200 | 409 | 413 | 422
}

async function render<S extends z.ZodObject, F, N extends string>(
  c: AppContext,
  spec: PageSpec<S, F, N>,
  { visit, session, pages, errors, sent, status = 422 }: Rendering<FieldOf<S>>,
): Promise<Response> {
  const query = (name: string) => c.req.query(name) ?? ''
  const found = await spec.load(c.get('ctx'), {
    session,
    query,
    id: idInPath(c),
    param: (name) => c.req.param(name) ?? '',
  })
  if (found === null) return toSignIn(c)
  const page = {
    session,
    found,
    isRefused: hasErrors(errors),
    typed: sent?.form ?? (() => ''),
  }
  const { script, needs } = spec
  // Restricted sessions, and those that lack a second factor, can open no other page.
  const documents = spec.kind === 'admin' ? await documentsEntries(c.get('ctx')) : []
  const hasMenu = spec.kind === 'settings' && visit.session !== null && !hasToSetUpTwoFactor(visit)
  return showPage(c, spec.view(page), {
    status: hasErrors(errors) ? status : 200,
    viewer: summaryOf(c, session),
    csrfToken: await csrfTokenFor(c, visit),
    errors,
    sent,
    message: findNotice(pages, spec.path, query('done'), session),
    saved: savedIn(c, spec.labels ?? {}),
    menu: [...menuFor(pages, spec.kind, session), ...documents],
    adminPath: menuFor(pages, 'admin', session)[0]?.path ?? null,
    settingsMenu: hasMenu ? settingsMenuAt(pages, session, spec.path) : emptyPage.settingsMenu,
    ...(script === undefined ? {} : { script }),
    ...(needs === undefined ? {} : { needs }),
  })
}
