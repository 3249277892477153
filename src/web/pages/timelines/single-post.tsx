import { Hono } from 'hono'
import { NotFound } from '../../../errors'
import type { AppEnv } from '../../../ports/app-env'
import { loadStatuses, statusesById } from '../../../view/load/statuses'
import { presentOnlyStatus } from '../../../view/present/status'
import { Shell, ViewHead } from '../../components/shell'
import { useTranslation } from '../../i18n/context'
import { requireIdInPath } from '../../member-pages/id-in-path'
import { showMemberView } from '../../member-view'
import { Feed } from '../../posts/feed'
import { type PostView, postView } from '../../posts/post-view'

/** A post alone, as it stands in timelines: scripts put it in place of an older version. */
export function singlePostRoutes(): Hono<AppEnv> {
  const app = new Hono<AppEnv>()
  app.get('/posts/:id{[0-9]{1,16}}', (c) =>
    showMemberView(c, {
      read: (ctx, as) => loadStatuses(ctx, as, statusesById([requireIdInPath(c)])),
      show: (frame, bundle) => {
        if (bundle.ids.length === 0) throw new NotFound()
        const { config } = c.get('ctx')
        const status = presentOnlyStatus({ config, now: frame.now }, bundle)
        return <SinglePostPage post={postView(config, status, frame.session.accountId)} />
      },
    }),
  )
  return app
}

export interface SinglePostPageProps {
  readonly post: PostView
}

export function SinglePostPage(props: SinglePostPageProps) {
  const { post } = props
  const t = useTranslation()
  const title = t('status.postByName', { name: post.author.name })
  return (
    <Shell title={title} place={null} isPrivate>
      <ViewHead title={title} back={post.path} />
      <Feed label={title} posts={[post]} />
    </Shell>
  )
}
