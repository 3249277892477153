import { Hono } from 'hono'
import { combineQueries, execute } from '../../../db/query'
import type { Viewer } from '../../../domain/core/viewer'
import { ownStatus } from '../../../domain/statuses/find'
import { removalFacts } from '../../../domain/statuses/find-affected-servers'
import { deleteStatus } from '../../../domain/statuses/remove'
import { NotFound } from '../../../errors'
import type { AppContext, AppEnv } from '../../../ports/app-env'
import type { Ctx } from '../../../ports/ctx'
import { loadStatuses, statusesById } from '../../../view/load/statuses'
import { presentOnlyStatus } from '../../../view/present/status'
import { CsrfField } from '../../components/form'
import { Shell, ViewHead } from '../../components/shell'
import { useTranslation } from '../../i18n/context'
import { requireIdInPath } from '../../member-pages/id-in-path'
import { showMemberView } from '../../member-view'
import { paths } from '../../paths'
import { deletionPath } from '../../posts/acts'
import { Post } from '../../posts/post'
import { type PostView, postView } from '../../posts/post-view'
import { act } from './acts'

/** The page that asks before a post is deleted. */
export function questionRoutes(): Hono<AppEnv> {
  const app = new Hono<AppEnv>()
  const path = '/posts/:id{[0-9]{1,16}}/delete'
  app.get(path, showQuestion)
  app.post(path, (c) => act(c, (ctx, viewer) => deleteOwn(ctx, viewer, requireIdInPath(c))))
  return app
}

function showQuestion(c: AppContext): Promise<Response> {
  const { config } = c.get('ctx')
  return showMemberView(c, {
    read: (ctx, as) => loadStatuses(ctx, as, statusesById([requireIdInPath(c)])),
    show: (frame, bundle) => {
      const status = presentOnlyStatus({ config, now: frame.now }, bundle)
      const post = postView(config, status, frame.session.accountId)
      if (post.state?.isOwn !== true) throw new NotFound()
      return <QuestionPage post={post} />
    },
  })
}

export interface QuestionPageProps {
  readonly post: PostView
}

export function QuestionPage(props: QuestionPageProps) {
  const { post } = props
  const t = useTranslation()
  const title = t('client.deleteQuestion')
  return (
    <Shell title={title} place={null} isPrivate>
      <ViewHead title={title} back={post.path} />
      <Post post={post} />
      <form class="form" method="post" action={deletionPath(post.id)}>
        <CsrfField />
        <input type="hidden" name="return_to" value={paths.home} />
        <p>{t('client.deleteEffect')}</p>
        <p class="two">
          <button type="submit" class="button danger">
            {t('client.deletePost')}
          </button>
          <a class="button" href={post.path}>
            {t('common.cancel')}
          </a>
        </p>
      </form>
    </Shell>
  )
}

async function deleteOwn(ctx: Ctx, viewer: Viewer, id: number): Promise<void> {
  await ctx.throttle.take('deletions', String(viewer.id))
  const query = combineQueries({ own: ownStatus(ctx, viewer.id, id), facts: removalFacts(ctx, id) })
  const { own, facts } = await execute(ctx.db, query)
  if (own === null) throw new NotFound()
  await deleteStatus(ctx, viewer, { ...facts, status: own, withMedia: false })
}
