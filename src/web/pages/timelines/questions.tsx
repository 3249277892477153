import { Hono } from 'hono'
import { combineQueries, execute } from '../../../db/query'
import { type Viewer, viewerById } from '../../../domain/core/viewer'
import { blockAccount, muteAccount } from '../../../domain/relationships/block'
import { ownStatus, visibleOriginal } from '../../../domain/statuses/find'
import { removalFacts } from '../../../domain/statuses/find-affected-servers'
import { deleteStatus } from '../../../domain/statuses/remove'
import { NotFound } from '../../../errors'
import type { TextKey } from '../../../lib/translate'
import type { AppContext, AppEnv } from '../../../ports/app-env'
import type { Ctx } from '../../../ports/ctx'
import { loadStatuses, statusesById } from '../../../view/load/statuses'
import { presentOnlyStatus } from '../../../view/present/status'
import { CsrfField } from '../../components/form'
import { Shell, ViewHead } from '../../components/shell'
import { useTranslation } from '../../i18n/context'
import { requireIdInPath } from '../../member-pages/id-in-path'
import { type MemberFrame, showMemberView } from '../../member-view'
import { paths } from '../../paths'
import { type PostQuestion, postQuestions, questionPath } from '../../posts/acts'
import { Post } from '../../posts/post'
import { type PostView, postView } from '../../posts/post-view'
import { act } from './acts'

/** Pages that ask before a post is deleted, or its author is muted or blocked. */
export function questionRoutes(): Hono<AppEnv> {
  const app = new Hono<AppEnv>()
  for (const question of postQuestions) {
    const path = `/posts/:id{[0-9]{1,16}}/${question}`
    app.get(path, (c) => showQuestion(c, question))
    app.post(path, (c) => act(c, (ctx, viewer) => answers[question](ctx, viewer, requireIdInPath(c))))
  }
  return app
}

function showQuestion(c: AppContext, question: PostQuestion): Promise<Response> {
  const { config } = c.get('ctx')
  return showMemberView(c, {
    read: (ctx, as) => loadStatuses(ctx, as, statusesById([requireIdInPath(c)])),
    show: (frame, bundle) => {
      const status = presentOnlyStatus({ config, now: frame.now }, bundle)
      const post = postView(config, status, frame.session.accountId)
      if (post.state?.isOwn !== (question === 'delete')) throw new NotFound()
      return <QuestionPage {...frame} question={question} post={post} />
    },
  })
}

const words: Readonly<
  Record<PostQuestion, { readonly title: TextKey; readonly effect: TextKey; readonly yes: TextKey }>
> = {
  delete: { title: 'client.deleteQuestion', effect: 'client.deleteEffect', yes: 'client.deletePost' },
  mute: { title: 'client.muteQuestion', effect: 'client.muteEffect', yes: 'client.muteName' },
  block: { title: 'client.blockQuestion', effect: 'client.blockEffect', yes: 'client.blockName' },
}

export interface QuestionPageProps extends MemberFrame {
  readonly question: PostQuestion
  readonly post: PostView
}

export function QuestionPage(props: QuestionPageProps) {
  const { question, post } = props
  const t = useTranslation()
  const { name } = post.author
  const { title, effect, yes } = words[question]
  return (
    <Shell {...props} title={t(title, { name })} place={null} isPrivate>
      <ViewHead title={t(title, { name })} back={post.path} />
      <Post post={post} />
      <form class="form" method="post" action={questionPath(post.id, question)}>
        <CsrfField />
        <input type="hidden" name="return_to" value={paths.home} />
        <p>{t(effect, { name })}</p>
        <p class="two">
          <button type="submit" class="button danger">
            {t(yes, { name })}
          </button>
          <a class="button" href={post.path}>
            {t('common.cancel')}
          </a>
        </p>
      </form>
    </Shell>
  )
}

const answers: Readonly<Record<PostQuestion, (ctx: Ctx, viewer: Viewer, id: number) => Promise<void>>> = {
  delete: async (ctx, viewer, id) => {
    await ctx.throttle.take('deletions', String(viewer.id))
    const query = combineQueries({ own: ownStatus(ctx, viewer.id, id), facts: removalFacts(ctx, id) })
    const { own, facts } = await execute(ctx.db, query)
    if (own === null) throw new NotFound()
    await deleteStatus(ctx, viewer, { ...facts, status: own, withMedia: false })
  },
  mute: async (ctx, viewer, id) =>
    muteAccount(ctx, viewer, await authorOf(ctx, viewer, id), {
      hideNotifications: true,
      durationSeconds: 0,
    }),
  block: async (ctx, viewer, id) => blockAccount(ctx, viewer, await authorOf(ctx, viewer, id)),
}

/** The author of a post that the member may see. */
async function authorOf(ctx: Ctx, viewer: Viewer, id: number): Promise<number> {
  const status = await execute(ctx.db, visibleOriginal(ctx, viewerById(viewer.id), id))
  if (status === null) throw new NotFound()
  return status.accountId
}
