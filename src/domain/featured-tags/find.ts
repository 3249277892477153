import { type SQL, sql } from 'drizzle-orm'
import { first, limitTo, map, type Query } from '../../db/query'
import { featuredTags, tags } from '../../db/schema'
import type { AccountId } from '../../lib/ids'
import type { Ctx } from '../../ports/ctx'

/** Latest statuses of an account that suggestions are taken from. */
const maxStatusesRead = 100

/** Hashtags the viewer used recently and does not feature, most used first, as a selection (id, cursor). */
export function suggestedTags(viewer: SQL, count: number): SQL {
  return sql`
    select t.id as id, count(*) as cursor
    from (select s.id from statuses s where s.account_id = ${viewer} order by s.id desc ${limitTo(maxStatusesRead)}) own
      cross join statuses s on s.id = own.id cross join json_each(s.tags) used
      cross join tags t on t.name = used.value ->> 'name'
    where not exists (select 1 from featured_tags f where f.account_id = ${viewer} and f.tag_id = t.id)
    group by t.id order by count(*) desc, t.id desc ${limitTo(count)}`
}

/** Statuses that one part of counting reads. */
const statusesPerPart = 400

/**
 * Number of non-private statuses of `author` with a hashtag among their latest ones, and the time of the last, as columns
 * (uses, last_at, next) of one row: statuses below the id `next` are not counted, null where none are left.
 */
export function selectLatestTagUses(author: AccountId, tag: SQL): SQL {
  return selectTagUses(sql`statuses s where s.account_id = ${author}`, tag)
}

/** Like `selectLatestTagUses`, among the next statuses that are not counted for a featured hashtag. */
export function selectUncountedTagUses(featuredId: number): SQL {
  const rest = sql`featured_tags f cross join statuses s
    where f.id = ${featuredId} and s.account_id = f.account_id and s.id < f.counting_before`
  return selectTagUses(rest, sql`(select f.tag_id from featured_tags f where f.id = ${featuredId})`)
}

function selectTagUses(statuses: SQL, tag: SQL): SQL {
  const next = sql`iif(count(*) = ${sql.raw(String(statusesPerPart))}, min(own.id), null)`
  return sql`
    select count(u.status_id) as uses, max(iif(u.status_id is null, null, own.created_at)) as last_at, ${next} as next
    from (select s.id, s.created_at, s.visibility, s.local_only from ${statuses}
        order by s.id desc ${limitTo(statusesPerPart)}) own
      left join status_tags u on u.tag_id = ${tag} and u.status_id = own.id
        and own.visibility in ('public', 'unlisted') and own.local_only = 0`
}

/**
 * Latest statuses of a remote account that count. The bound keeps incoming activities cheap, for any author.
 */
const statusesCounted = 60

/** Like `selectLatestTagUses`, for remote accounts: reads only their latest statuses; `tag` is an alias. */
export function selectRecentTagUses(
  author: AccountId,
  tag: 't',
): { readonly uses: SQL; readonly lastAt: SQL } {
  const latest = sql`(select s.id, s.created_at from statuses s
      where s.account_id = ${author} and s.visibility in ('public', 'unlisted')
      order by s.id desc ${limitTo(statusesCounted)}) own
    cross join status_tags u on u.tag_id = ${sql.raw(tag)}.id and u.status_id = own.id`
  return {
    uses: sql`select count(*) from ${latest}`,
    lastAt: sql`select max(own.created_at) from ${latest}`,
  }
}

/** A featured hashtag of an account: normalised, and as written. */
export interface OwnFeaturedTag {
  readonly tag: string
  readonly name: string
}

/** The featured hashtag with this id of `owner`. One statement. */
export function ownFeaturedTag(ctx: Ctx, owner: AccountId, id: number): Query<OwnFeaturedTag | null> {
  return first(
    ctx.db
      .select({
        tag: sql<string>`${tags.name}`.as('tag'),
        name: sql<string>`${featuredTags.name}`.as('name'),
      })
      .from(featuredTags)
      .innerJoin(tags, sql`${tags.id} = ${featuredTags.tagId}`)
      .where(sql`${featuredTags.id} = ${id} and ${featuredTags.accountId} = ${owner}`),
  )
}

/** Id of the featured hashtag of `owner` with this normalised name. One statement. */
export function ownFeaturedTagId(ctx: Ctx, owner: AccountId, name: string): Query<number | null> {
  const found = first(
    ctx.db
      .select({ id: featuredTags.id })
      .from(featuredTags)
      .where(
        sql`${featuredTags.accountId} = ${owner}
          and ${featuredTags.tagId} = (select t.id from tags t where t.name = ${name})`,
      ),
  )
  return map(found, (row) => row?.id ?? null)
}
