import type { Hono } from 'hono'
import type { Child } from 'hono/jsx'
import { combineQueries } from '../../../db/query'
import { type AppError, Forbidden, NotFound } from '../../../errors'
import type { AppEnv } from '../../../ports/app-env'
import type { Ctx } from '../../../ports/ctx'
import { loadStatuses, statusesById } from '../../../view/load/statuses'
import { presentOnlyStatus } from '../../../view/present/status'
import { CsrfField } from '../../components/form'
import { Problems } from '../../components/problems'
import { Shell, ViewHead } from '../../components/shell'
import type { PageError } from '../../error-texts'
import { useTranslation } from '../../i18n/context'
import type { Markup } from '../../page'
import { useTypedForm } from '../../page-context'
import { type PostState, type PostView, postView } from '../../posts/post-view'
import { QuotedPost } from '../../posts/quoted-post'
import { type SubjectForm, type SubjectView, subjectForm } from '../subject-form'

/** Properties of the page of a form about a post. */
export interface PostFormView<F> extends SubjectView<F> {
  readonly post: PostView
  readonly state: PostState
}

/** A page with one form about a post. */
export interface PostForm<F> extends Pick<SubjectForm<F>, 'fields' | 'read' | 'work'> {
  /** End of its address, behind that of the post. */
  readonly name: string
  show(ctx: Ctx, view: PostFormView<F>): Markup | Promise<Markup>
  /** Words for the codes of refusals that pages have none for. */
  readonly reasons?: Reasons
}

type Reasons = Readonly<Record<string, PageError>>

export function postForm<F>(app: Hono<AppEnv>, page: PostForm<F>): void {
  subjectForm(app, {
    ...page,
    path: `/posts/:id{[0-9]{1,16}}/${page.name}`,
    read: (ctx, as, request) =>
      combineQueries({
        bundle: loadStatuses(ctx, as, statusesById([request.id])),
        data: page.read(ctx, as, request),
      }),
    show: (ctx, view) => {
      const { bundle, data } = view.found
      const status = presentOnlyStatus({ config: ctx.config, now: view.now }, bundle)
      const post = postView(ctx.config, status, view.session.accountId)
      if (post.state === null) throw new NotFound()
      return page.show(ctx, { ...view, found: data, post, state: post.state })
    },
    reasonsOf: (failure) => reasonsOf(failure, page.reasons ?? {}),
  })
}

/** Reasons in the words of an act on a post, where the refusal has none of its own. */
function reasonsOf(failure: AppError, reasons: Reasons): readonly PageError[] {
  const own = failure.problems.flatMap(({ code }) => reasons[code] ?? [])
  if (own.length > 0) return own
  if (failure instanceof NotFound) return ['client.postIsGone']
  if (failure instanceof Forbidden) return ['client.notAllowed']
  return failure.status === 429 ? ['error.askedTooMuchShort'] : failure.problems
}

export interface PostFormPageProps {
  readonly view: PostFormView<unknown>
  readonly title: string
  /** Stands above the form, as forms of its own do. */
  readonly before?: Child
  /** False where there is nothing to send. */
  readonly isForm?: boolean
  readonly children: Child
}

/** The post, and what a page offers to do with it, in one form. */
export function PostFormPage({ view, title, before, isForm = true, children }: PostFormPageProps) {
  const typing = useTypedForm()
  const t = useTranslation()
  const { post, action, back } = view
  const content = (
    <>
      <Problems />
      <QuotedPost post={post} />
      {children}
    </>
  )
  return (
    <Shell title={title} place={null} isPrivate>
      <ViewHead title={title} line={t('status.postByName', { name: post.author.name })} back={back} />
      {before}
      {isForm ? (
        <form class="pad asked" method="post" action={action} {...typing}>
          <CsrfField />
          {content}
        </form>
      ) : (
        <div class="pad asked">{content}</div>
      )}
    </Shell>
  )
}
