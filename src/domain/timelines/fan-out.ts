import { type SQL, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/sqlite-core'
import { preparedWrite, preparedWriteShapes } from '../../db/prepared'
import { homeEntries, listEntries, statuses, tagFollows } from '../../db/schema'
import type { Visibility } from '../../db/schema/statuses'
import type { StatusTag } from '../../db/values'
import type { StatusId } from '../../lib/ids'
import type { Ctx } from '../../ports/ctx'
import { isInLocalPart } from '../policy/visibility'
import {
  eligibleByTag,
  eligibleForHome,
  eligibleForList,
  entering,
  type FeedTable,
  homeFeeds,
  isByStranger,
  isFirstForTag,
  listFeeds,
  listsWithAuthor,
  notRecentlyIn,
  otherReblogs,
  sameContentAs,
  tagged,
  tagsOfStatus,
  wantedByTag,
} from './eligibility'

const { s } = entering
const { tf, t } = tagged
const e = alias(homeEntries, 'e')

/** Fields of a new status that feeds need. */
export interface FeedStatus {
  readonly id: StatusId
  readonly visibility: Visibility
  readonly local: boolean
  readonly reblogOfId?: StatusId | null | undefined
  readonly tags?: readonly StatusTag[] | undefined
}

/**
 * Statements that add a status to the home feeds of its author, if local, of local followers and of followers of
 * its hashtags, and to the lists its author is on.
 *
 * Belongs in the batch that stores the status, after its mentions and tags: a direct status enters the home feeds
 * of mentioned followers. A reblog is skipped in feeds that showed the same content recently, itself or as a
 * reblog.
 */
export function fanOut(ctx: Ctx, status: FeedStatus) {
  const { id, local, visibility, tags = [] } = status
  const { same, isNew } = reblogDeduplication(status)
  const isDirect = visibility === 'direct'
  const isTagged = visibility === 'public' && tags.length > 0
  const home = insertHomeEntries(
    ctx.db,
    {
      id,
      same,
      isNewToFollower: isNew(homeFeeds, sql`f.account_id`),
      isNewToAuthor: isNew(homeFeeds, sql`s.account_id`),
      now: ctx.clock.now().getTime(),
    },
    { isDirect, isLocal: local, isTagged },
  )
  if (isDirect) return [home]
  return [
    home,
    ...(isTagged ? [recordFirstForTag(ctx.db, { id })] : []),
    insertListEntries(ctx.db, { id, same, isNew: isNew(listFeeds, sql`m.list_id`) }),
  ]
}

/** Properties of a status that decide whose feeds it may enter. */
interface HomeShape extends Record<string, boolean> {
  readonly isDirect: boolean
  readonly isLocal: boolean
  readonly isTagged: boolean
}

const insertHomeEntries = preparedWriteShapes(
  ['id', 'same', 'isNewToFollower', 'isNewToAuthor', 'now'],
  (_db, { id, same, isNewToFollower, isNewToAuthor, now }, { isDirect, isLocal, isTagged }: HomeShape) => {
    const feeds = [
      sql`${followerFeeds(id, isDirect)} and ${isNewToFollower}`,
      ...(isLocal
        ? [sql`select s.account_id, s.id from ${statuses} s where s.id = ${id} and ${isNewToAuthor}`]
        : []),
      ...(isTagged ? [byTag(id, now)] : []),
    ]
    return sql`${same} insert into ${homeEntries} (account_id, status_id)
      ${sql.join(feeds, sql` union all `)} on conflict do nothing`
  },
)

const insertListEntries = preparedWrite(
  ['id', 'same', 'isNew'],
  (_db, { id, same, isNew }) => sql`${same} insert into ${listEntries} (list_id, status_id)
    select m.list_id, s.id from ${statuses} s cross join ${listsWithAuthor}
    where s.id = ${id} and m.account_id = s.account_id and ${eligibleForList} and ${isNew}
    on conflict do nothing`,
)

/** Statements that add a status to the home feeds of followers of its hashtags, since an edit added some. */
export function fanOutByTag(ctx: Ctx, id: StatusId) {
  const now = ctx.clock.now().getTime()
  return [
    ctx.db.run(
      sql`insert into ${homeEntries} (account_id, status_id) ${byTag(sql`${id}`, sql`${now}`)}
        on conflict do nothing`,
    ),
    recordFirstForTag(ctx.db, { id }),
  ]
}

/**
 * Statement that records a status, after it entered feeds, as the one that those get today for its hashtags of which their owners want
 * fewer. Only such follows are read, by an index of their own.
 */
const recordFirstForTag = preparedWrite(
  ['id'],
  (_db, { id }) => sql`update ${tagFollows} set last_shown = ${id} where ${tagFollows.id} in (
    select ${tf.id} from ${statuses} s cross join ${tagsOfStatus}
      cross join ${tagFollows} tf indexed by tag_follows_fewer on ${tf.tagId} = ${t.id} and ${tf.fewer} = 1
    where ${s.id} = ${id} and ${isFirstForTag} and ${isByStranger(sql`${tf.accountId}`)}
      and exists (select 1 from ${homeEntries} e where ${e.accountId} = ${tf.accountId} and ${e.statusId} = ${s.id}))`,
)

/** Age limit of replies that enter feeds late, once their parent became known. */
export const lateMilliseconds = 6 * 3_600_000

/** Statements that add recent replies to the status `id` to the home feeds and lists they are eligible for. */
export function fanOutLateReplies(ctx: Ctx, id: StatusId) {
  const since = ctx.clock.now().getTime() - lateMilliseconds
  const isLate = sql`s.in_reply_to_id = ${id} and s.created_at > ${since}`
  return [
    ctx.db.run(sql`insert into ${homeEntries} (account_id, status_id)
      select f.account_id, s.id
      from ${statuses} s cross join follows f on f.target_account_id = s.account_id and ${isInLocalPart('f')}
      where ${isLate} and ${eligibleForHome} and ${isLocalUser(sql`f.account_id`)}
      on conflict do nothing`),
    ctx.db.run(sql`insert into ${listEntries} (list_id, status_id)
      select m.list_id, s.id from ${statuses} s cross join ${listsWithAuthor}
      where ${isLate} and m.account_id = s.account_id and ${eligibleForList}
      on conflict do nothing`),
  ]
}

/**
 * Statements that add the oldest other reblog of the same original to the feeds that show the reblog `id`, before
 * that is deleted: those feeds omitted the other because of this one.
 */
export function replaceReblog(
  ctx: Ctx,
  { id, reblogOfId }: { readonly id: StatusId; readonly reblogOfId: StatusId },
) {
  const others = sql`(${otherReblogs({ id, reblogOfId })}) other cross join statuses s on s.id = other.id`
  return [
    ctx.db.run(sql`insert into ${homeEntries} (account_id, status_id)
      select f.account_id, min(s.id) from ${others}
        cross join follows f on f.target_account_id = s.account_id and ${isInLocalPart('f')}
        cross join ${homeEntries} e on e.account_id = f.account_id and e.status_id = ${id}
      where ${eligibleForHome} group by f.account_id
      on conflict do nothing`),
    ctx.db.run(sql`insert into ${listEntries} (list_id, status_id)
      select m.list_id, min(s.id) from ${others} cross join ${listsWithAuthor}
        cross join ${listEntries} e on e.list_id = m.list_id and e.status_id = ${id}
      where m.account_id = s.account_id and ${eligibleForList} group by m.list_id
      on conflict do nothing`),
  ]
}

/** Followers eligible for a status, as rows (feed, status). */
function followerFeeds(id: SQL, isDirect: boolean): SQL {
  if (isDirect)
    return sql`select f.account_id, s.id from ${statuses} s
      cross join status_mentions m cross join follows f on m.status_id = s.id
        and f.account_id = m.account_id and f.target_account_id = s.account_id
      where s.id = ${id} and ${isLocalUser(sql`f.account_id`)}`
  return sql`select f.account_id, s.id from ${statuses} s
      cross join follows f on f.target_account_id = s.account_id and ${isInLocalPart('f')}
    where s.id = ${id} and ${isLocalUser(sql`f.account_id`)} and ${eligibleForHome}`
}

/** Followers of a hashtag of the status, as rows (feed, status), at `now` in milliseconds. */
function byTag(id: SQL, now: SQL): SQL {
  return sql`select ${tf.accountId}, ${s.id} from ${statuses} s cross join ${tagsOfStatus}
    cross join ${tagFollows} tf on ${tf.tagId} = ${t.id}
    where ${s.id} = ${id} and ${eligibleByTag(sql`${tf.accountId}`, now)} and ${wantedByTag(now)}`
}

function isLocalUser(account: SQL): SQL {
  return sql`exists (select 1 from users where users.account_id = ${account})`
}

/** Deduplicates a reblog against recently shown content of a feed; no condition for other statuses. */
function reblogDeduplication({ id, reblogOfId = null }: FeedStatus) {
  if (reblogOfId === null) return { same: sql``, isNew: () => sql`1` }
  return {
    same: sql`with ${sameContentAs({ id, reblogOfId })}`,
    isNew: (feeds: FeedTable, feed: SQL) => notRecentlyIn(feeds, feed),
  }
}
