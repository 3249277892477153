import type { Tag } from '../../../contract/entities/tag'
import { isValidHashtag, readHashtag } from '../../../contract/text/hashtag'
import { combineQueries } from '../../../db/query'
import type { Viewer } from '../../../domain/core/viewer'
import {
  changeTagFollow,
  followTag,
  selectTag,
  type TagFollowOptions,
  tagFollowOf,
  unfollowTag,
} from '../../../domain/tags/follow'
import { tagFeedAccess, visibleScopes } from '../../../domain/timelines/public'
import { tagSelection } from '../../../domain/timelines/tag'
import { NotFound } from '../../../errors'
import { dayMilliseconds } from '../../../lib/days'
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
import { TagMenu, TagNotes, tagActs } from './tag-menu'

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
        follow: tagFollowOf(ctx, as, name),
        bundle: loadStatuses(
          ctx,
          as,
          tagSelection(as, onlyTag(name), { limit: pageSize, maxId }, ctx.clock.now()),
        ),
      }),
    show: (frame, { access, tags, follow, bundle }) => {
      const shown = visibleScopes(access, frame.session)
      const ids = bundle.ids.filter((id) =>
        bundle.statuses.get(id)?.status.local ? shown.local : shown.remote,
      )
      const open = withoutHidden({ ...bundle, ids }, 'public')
      const tag = tags[0] ?? unusedTag(isValidHashtag(asked) ? asked : name, frame.now)
      return (
        <TagTimelinePage
          tag={presentTag(config, tag, true)}
          follow={follow}
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

type Act = (ctx: Ctx, viewer: Viewer, name: string) => Promise<void>

const acts: Readonly<Record<(typeof tagActs)[number], Act>> = {
  follow: followTag,
  unfollow: unfollowTag,
  snooze: (ctx, viewer, name) =>
    changeTagFollow(ctx, viewer, name, {
      snoozedUntil: new Date(ctx.clock.now().getTime() + dayMilliseconds),
    }),
  unsnooze: (ctx, viewer, name) => changeTagFollow(ctx, viewer, name, { snoozedUntil: null }),
  fewer: (ctx, viewer, name) => changeTagFollow(ctx, viewer, name, { fewer: true }),
  all: (ctx, viewer, name) => changeTagFollow(ctx, viewer, name, { fewer: false }),
}

/** Runs the act of a button of a hashtag. */
export async function actOnTag(ctx: Ctx, viewer: Viewer, name: string, form: Form): Promise<void> {
  const known = tagActs.find((one) => one === form('act'))
  if (known === undefined || !isValidHashtag(name)) throw new NotFound()
  if (known !== 'unfollow') await ctx.throttle.take('follows', String(viewer.id))
  await acts[known](ctx, viewer, name)
}

export interface TagTimelinePageProps {
  readonly tag: Tag
  /** Limits of what it brings into home; null where it is not followed. */
  readonly follow: TagFollowOptions | null
  readonly posts: readonly PostView[]
  readonly newestUrl: string | null
  readonly olderUrl: string | null
}

export function TagTimelinePage(props: TagTimelinePageProps) {
  const { tag, follow, posts, newestUrl, olderUrl } = props
  const t = useTranslation()
  const title = `#${tag.name}`
  const people = recentPeople(tag)
  return (
    <Shell title={title} place="explore" isPrivate>
      <ViewHead title={title} line={people > 0 && t('client.personInThePastTwoDays', { count: people })}>
        {newestUrl !== null && <Newer url={newestUrl} count={0} />}
        <FollowTag tag={tag} />
        {follow !== null && <TagMenu tag={tag} follow={follow} />}
      </ViewHead>
      {follow !== null && <TagNotes tag={tag} follow={follow} />}
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
