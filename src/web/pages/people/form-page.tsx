import type { Hono } from 'hono'
import { combineQueries, execute, type Query } from '../../../db/query'
import { selectById } from '../../../domain/accounts/find'
import { type Viewer, type ViewerRef, viewerById } from '../../../domain/core/viewer'
import { AppError, NotFound } from '../../../errors'
import type { AppContext, AppEnv } from '../../../ports/app-env'
import type { Ctx } from '../../../ports/ctx'
import { loadAccounts } from '../../../view/load/accounts'
import { loadRelationships } from '../../../view/load/relationships'
import { presentOnlyAccount, presentRelationship } from '../../../view/present/account'
import { type Form, readCsrfFields } from '../../csrf'
import { keepDraft, takeDraft } from '../../member-pages/draft'
import { notYetSent } from '../../member-pages/handle'
import { requireIdInPath } from '../../member-pages/id-in-path'
import { detourOf, type MemberFrame, showInShell, showMemberView } from '../../member-view'
import type { Markup } from '../../page'
import { WithErrors } from '../../page-context'
import { openPage } from '../../page-request'
import { type Profile, profileOf } from '../../people/profile-view'
import { pathOf, toSignIn } from '../../return-to'
import { memberViewer } from '../interact/member-viewer'
import { placeOf } from '../timelines/acts'
import { reasonsOf, refuse } from './refusal'

/** Account that a page is about, and a parameter of its address. */
interface FormRequest {
  readonly id: number
  query(name: string): string
}

/** Properties of the page of a form. */
export interface FormView<F> extends MemberFrame {
  readonly profile: Profile
  readonly found: F
  /** The form as it was sent; null for one that was not sent yet. */
  readonly typed: Form | null
  readonly request: FormRequest
  /** Address that the form is sent to. */
  readonly action: string
  /** Page that its reader came from. */
  readonly back: string
}

/** A page with one form about an account. It works without scripts, and keeps what was typed. */
export interface PersonForm<F> {
  /** End of its address, behind that of the account. */
  readonly name: string
  /** Names of the fields that are kept while the reader signs in again. */
  fields(form: Form): readonly string[]
  read(ctx: Ctx, as: ViewerRef, request: FormRequest): Query<F>
  show(ctx: Ctx, view: FormView<F>): Markup | Promise<Markup>
  /** Runs the command of the form, and returns the path to go on with; null for the page that led here. */
  work(ctx: Ctx, viewer: Viewer, sent: FormRequest & { readonly form: Form }): Promise<string | null>
}

export function personForm<F>(app: Hono<AppEnv>, page: PersonForm<F>): void {
  const path = `/accounts/:id{[0-9]{1,16}}/${page.name}`
  app.get(path, (c) => showForm(c, page))
  app.post(path, (c) => answerForm(c, page))
}

function requestOf(c: AppContext): FormRequest {
  return { id: requireIdInPath(c), query: (name) => c.req.query(name) ?? '' }
}

function readAll<F>(ctx: Ctx, as: ViewerRef, page: PersonForm<F>, request: FormRequest) {
  return combineQueries({
    account: loadAccounts(ctx, selectById(request.id)),
    relationships: loadRelationships(ctx, as, selectById(request.id)),
    data: page.read(ctx, as, request),
  })
}

type Found<F> = ReturnType<typeof readAll<F>> extends Query<infer T> ? T : never

interface Sent {
  readonly typed: Form | null
}

async function view<F>(
  c: AppContext,
  page: PersonForm<F>,
  { frame, found, typed }: Sent & { readonly frame: MemberFrame; readonly found: Found<F> },
): Promise<Markup> {
  const ctx = c.get('ctx')
  const [facts] = found.relationships
  if (facts === undefined || facts.id === frame.session.accountId) throw new NotFound()
  const profile = profileOf(ctx.config, presentOnlyAccount(ctx.config, found.account), {
    relationship: presentRelationship(facts),
    readerId: frame.session.accountId,
    showsLimited: true,
  })
  const request = requestOf(c)
  return page.show(ctx, {
    ...frame,
    profile,
    found: found.data,
    typed,
    request,
    action: pathOf(c),
    back: placeOf(c, request.query('return_to')),
  })
}

function showForm<F>(c: AppContext, page: PersonForm<F>): Promise<Response> {
  return showMemberView(c, {
    read: (ctx, as) => readAll(ctx, as, page, requestOf(c)),
    show: async (frame, found) => {
      const draft = await takeDraft(c, pathOf(c))
      const markup = await view(c, page, { frame, found, typed: draft?.form ?? null })
      return draft === null ? markup : <WithErrors errors={{ form: notYetSent }}>{markup}</WithErrors>
    },
  })
}

async function answerForm<F>(c: AppContext, page: PersonForm<F>): Promise<Response> {
  const ctx = c.get('ctx')
  const visit = await openPage(c)
  const { session } = visit
  const isKept = session === null && visit.restricted === null
  const { form } = await readCsrfFields(c, visit, { isKept })
  if (session === null) {
    await keepDraft(c, { path: pathOf(c), action: pathOf(c), names: page.fields(form), form })
    return toSignIn(c)
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
    if (failure instanceof NotFound) return refuse(c, failure, back)
    const frame = { session, now: ctx.clock.now() }
    const found = await execute(ctx.db, readAll(ctx, viewerById(session.accountId), page, request))
    return showInShell(c, visit, await view(c, page, { frame, found, typed: form }), {
      errors: { form: reasonsOf(failure) },
      status: failure.status,
    })
  }
}
