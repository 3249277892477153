import type { Hono } from 'hono'
import { execute, type Query } from '../../db/query'
import { type Viewer, type ViewerRef, viewerById } from '../../domain/core/viewer'
import { AppError, NotFound } from '../../errors'
import type { AppContext, AppEnv } from '../../ports/app-env'
import type { Ctx } from '../../ports/ctx'
import { type Form, readCsrfFields } from '../csrf'
import type { PageError } from '../error-texts'
import { takeDraft } from '../member-pages/draft'
import { notYetSent } from '../member-pages/handle'
import { requireIdInPath } from '../member-pages/id-in-path'
import { detourOf, type MemberFrame, showInShell, showMemberView } from '../member-view'
import type { Markup } from '../page'
import { WithErrors } from '../page-context'
import { openPage } from '../page-request'
import { pathOf } from '../return-to'
import { keepUntilSignIn } from '../unsent-form'
import { memberViewer } from './interact/member-viewer'
import { refuse } from './people/refusal'
import { placeOf } from './timelines/acts'

/** The id in the address of a page, and a parameter of that address. */
export interface FormRequest {
  readonly id: number
  query(name: string): string
}

/** Properties of the page of a form. */
export interface SubjectView<F> extends MemberFrame {
  readonly found: F
  /** The form as it was sent; null for one that was not sent yet. */
  readonly typed: Form | null
  readonly request: FormRequest
  /** Address that the form is sent to. */
  readonly action: string
  /** Page that its reader came from. */
  readonly back: string
}

/** A page with one form about the account or the post in its address. It works without scripts, and keeps what was typed. */
export interface SubjectForm<F> {
  /** Route with `:id`. */
  readonly path: string
  /** Names of the fields that are kept while the reader signs in again. */
  fields(form: Form): readonly string[]
  read(ctx: Ctx, as: ViewerRef, request: FormRequest): Query<F>
  show(ctx: Ctx, view: SubjectView<F>): Markup | Promise<Markup>
  /** Runs the command of the form, and returns the path to go on with; null for the page that led here. */
  work(ctx: Ctx, viewer: Viewer, sent: FormRequest & { readonly form: Form }): Promise<string | null>
  /** Reasons of a refusal in words of the page. */
  reasonsOf(failure: AppError): readonly PageError[]
}

export function subjectForm<F>(app: Hono<AppEnv>, page: SubjectForm<F>): void {
  app.get(page.path, (c) => showForm(c, page))
  app.post(page.path, (c) => answerForm(c, page))
}

function requestOf(c: AppContext): FormRequest {
  return { id: requireIdInPath(c), query: (name) => c.req.query(name) ?? '' }
}

interface Shown<F> {
  readonly frame: MemberFrame
  readonly found: F
  readonly typed: Form | null
}

async function view<F>(c: AppContext, page: SubjectForm<F>, shown: Shown<F>): Promise<Markup> {
  const { frame, found, typed } = shown
  const request = requestOf(c)
  return page.show(c.get('ctx'), {
    ...frame,
    found,
    typed,
    request,
    action: pathOf(c),
    back: placeOf(c, request.query('return_to')),
  })
}

function showForm<F>(c: AppContext, page: SubjectForm<F>): Promise<Response> {
  return showMemberView(c, {
    read: (ctx, as) => page.read(ctx, as, requestOf(c)),
    show: async (frame, found) => {
      const draft = await takeDraft(c, pathOf(c))
      const markup = await view(c, page, { frame, found, typed: draft?.form ?? null })
      return draft === null ? markup : <WithErrors errors={{ form: notYetSent }}>{markup}</WithErrors>
    },
  })
}

async function answerForm<F>(c: AppContext, page: SubjectForm<F>): Promise<Response> {
  const ctx = c.get('ctx')
  const visit = await openPage(c)
  const { session } = visit
  const isKept = session === null && visit.restricted === null
  const { form } = await readCsrfFields(c, visit, { isKept })
  if (session === null) {
    return keepUntilSignIn(c, visit, { path: pathOf(c), action: pathOf(c), names: page.fields(form), form })
  }
  const detour = await detourOf(c, visit, session)
  if (detour !== null) return detour
  const request = requestOf(c)
  const back = placeOf(c, request.query('return_to'))
  try {
    const viewer = await memberViewer(ctx, session.accountId)
    return c.redirect((await page.work(ctx, viewer, { ...request, form })) ?? back, 303)
  } catch (failure) {
    if (!(failure instanceof AppError)) throw failure
    if (failure instanceof NotFound) return refuse(c, failure, back, page.reasonsOf)
    const frame = { session, now: ctx.clock.now() }
    const found = await execute(ctx.db, page.read(ctx, viewerById(session.accountId), request))
    return showInShell(c, visit, await view(c, page, { frame, found, typed: form }), {
      errors: { form: page.reasonsOf(failure) },
      status: failure.status,
    })
  }
}
