import type { Tag } from '../../../contract/entities/tag'
import { isValidHashtag, readHashtag } from '../../../contract/text/hashtag'
import { combineQueries } from '../../../db/query'
import type { Viewer } from '../../../domain/core/viewer'
import { followTag, selectTag, unfollowTag } from '../../../domain/tags/follow'
import { tagFeedAccess, visibleScopes } from '../../../domain/timelines/public'
import { tagSelection } from '../../../domain/timelines/tag'
import { NotFound } from '../../../errors'
import type { AppContext } from '../../../ports/app-env'
import type { Ctx } from '../../../ports/ctx'
import { loadStatuses, withoutHidden } from '../../../view/load/statuses'
import { loadTags, unusedTag, usesPerWeek } from '../../../view/load/tags'
import { presentStatuses } from '../../../view/present/status'
import { presentTag } from '../../../view/present/tag'
import { Empty, Shell, ViewHead } from '../../components/shell'
import type { Form } from '../../csrf'
import { wantsJson } from '../../error-response'
import { useTranslation } from '../../i18n/context'
import { showMemberView } from '../../member-view'
import { olderPageUrl, parseMaxId } from '../../pagination'
import { Feed, Older } from '../../posts/feed'
import { type PostView, postView } from '../../posts/post-view'
import { onlyTag } from '../../tag-filter'
import { FollowTag, recentPeople } from './follow-tag'
import { Newer } from './tabs'

const pageSize = 20

/** Answers members with the public posts with a hashtag, and with its button to follow. */
export async function showTagTimeline(
  c: AppContext,
  asked: string,
  forVisitors: () => Promise<Response>,
): Promise<Response> {
  const name = readHashtag(asked)
  if (name === null || wantsJson(c)) throw new NotFound()
  const { config } = c.get('ctx')
  const maxId = parseMaxId(c)
  return showMemberView(c, {
    forVisitors,
    read: (ctx, as) =>
      combineQueries({
        access: tagFeedAccess(ctx),
        tags: loadTags(ctx, as.id, selectTag(name), usesPerWeek('part', pageSize)),
        bundle: loadStatuses(
          ctx,
          as,
          tagSelection(as, onlyTag(name), { limit: pageSize, maxId }, ctx.clock.now()),
        ),
      }),
    show: (frame, { access, tags, bundle }) => {
      const shown = visibleScopes(access, frame.session)
      const ids = bundle.ids.filter((id) =>
        bundle.statuses.get(id)?.status.local ? shown.local : shown.remote,
      )
      const open = withoutHidden({ ...bundle, ids }, 'public')
      const tag = tags[0] ?? unusedTag(isValidHashtag(asked) ? asked : name, frame.now)
      return (
        <TagTimelinePage
          tag={presentTag(config, tag, true)}
          posts={presentStatuses({ config, now: frame.now }, open).map((status) =>
            postView(config, status, frame.session.accountId),
          )}
          newestUrl={maxId === undefined ? null : c.req.path}
          olderUrl={olderPageUrl(c, bundle, pageSize)}
        />
      )
    },
  })
}

/** Follows a hashtag or unfollows it, as the button of the form says. */
export async function followOrNot(ctx: Ctx, viewer: Viewer, name: string, form: Form): Promise<void> {
  if (!isValidHashtag(name)) throw new NotFound()
  if (form('act') === 'unfollow') return unfollowTag(ctx, viewer, name)
  if (form('act') !== 'follow') throw new NotFound()
  await ctx.throttle.take('follows', String(viewer.id))
  return followTag(ctx, viewer, name)
}

export interface TagTimelinePageProps {
  readonly tag: Tag
  readonly posts: readonly PostView[]
  readonly newestUrl: string | null
  readonly olderUrl: string | null
}

export function TagTimelinePage(props: TagTimelinePageProps) {
  const { tag, posts, newestUrl, olderUrl } = props
  const t = useTranslation()
  const title = `#${tag.name}`
  const people = recentPeople(tag)
  return (
    <Shell title={title} place="explore" isPrivate>
      <ViewHead title={title} line={people > 0 && t('client.personInThePastTwoDays', { count: people })}>
        {newestUrl !== null && <Newer url={newestUrl} count={0} />}
        <FollowTag tag={tag} />
      </ViewHead>
      {posts.length === 0 ? (
        <Empty title={t('client.nothingHereYet')}>
          <p>{t('client.publicPostsWithTheHashtagAppear')}</p>
        </Empty>
      ) : (
        <Feed label={title} posts={posts} />
      )}
      <Older url={olderUrl} />
    </Shell>
  )
}
