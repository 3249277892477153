import { and, eq, sql } from 'drizzle-orm'
import { accountLimits } from '../../contract/limits'
import { isValidHashtag, normaliseHashtag } from '../../contract/text/hashtag'
import { preparedWriteShapes } from '../../db/prepared'
import { execute, first, inJsonList, inList, jsonRows, orNotFound } from '../../db/query'
import { featuredTags, remoteActors, tags } from '../../db/schema'
import type { Visibility } from '../../db/schema/statuses'
import type { StatusTag } from '../../db/values'
import { Invalid } from '../../errors'
import type { AccountId, StatusId } from '../../lib/ids'
import type { Ctx } from '../../ports/ctx'
import { Changes, commit, done, ignored, type Outcome } from '../core/changes'
import type { RemoteSender, Viewer } from '../core/viewer'
import {
  ownFeaturedTag,
  ownFeaturedTagId,
  selectLatestTagUses,
  selectRecentTagUses,
  selectUncountedTagUses,
} from './find'

/**
 * Features a hashtag on the viewer's profile, as they wrote it; a featured one stays as it is.
 *
 * A leading `#` is dropped. `Invalid` for an invalid hashtag, and when there are ten already. Emits `tag.featured`.
 */
export async function featureTag(ctx: Ctx, viewer: Pick<Viewer, 'id'>, text: string): Promise<string> {
  const written = text.trim().replace(/^#/, '')
  if (!isValidHashtag(written)) throw new Invalid('invalid_hashtag', { field: 'name' })
  const name = normaliseHashtag(written)
  const now = ctx.clock.now()
  const id = ctx.ids.next()
  const tag = sql`(select id from tags where name = ${name})`
  const otherCount = sql`select count(*) from featured_tags where account_id = ${viewer.id} and tag_id is not ${tag}`
  const changes = new Changes()
    .require(sql`(${otherCount}) < ${accountLimits.featuredTags}`, new Invalid('too_many_featured_tags'))
    .add(
      ctx.db
        .insert(tags)
        .values({ id: ctx.ids.next(), name, displayName: written, createdAt: now })
        .onConflictDoNothing({ target: tags.name }),
      ctx.db.run(sql`insert into ${featuredTags}
          (id, account_id, tag_id, name, statuses_count, last_status_at, counting_before, created_at)
        select ${id}, ${viewer.id}, ${tag}, ${written}, own.uses, own.last_at, own.next, ${now.getTime()}
        from (${selectLatestTagUses(viewer.id, tag)}) own
        where true on conflict (account_id, tag_id) do nothing`),
    )
    // If it was featured already, the event's id does not exist and its effects do nothing.
    .emit({ kind: 'tag.featured', accountId: viewer.id, featuredId: id })
  await commit(ctx, changes)
  return name
}

/**
 * Stops featuring a hashtag of the viewer by its name; one that is not featured is no error. Emits `tag.unfeatured`.
 */
export async function unfeatureTagNamed(ctx: Ctx, viewer: Pick<Viewer, 'id'>, text: string): Promise<void> {
  const id = await execute(ctx.db, ownFeaturedTagId(ctx, viewer.id, normaliseHashtag(text)))
  if (id !== null) await unfeatureTag(ctx, viewer, id)
}

/** Stops featuring a hashtag of the viewer. `NotFound` for another account's. Emits `tag.unfeatured`. */
export async function unfeatureTag(ctx: Ctx, viewer: Pick<Viewer, 'id'>, id: number): Promise<void> {
  const found = await execute(ctx.db, orNotFound(ownFeaturedTag(ctx, viewer.id, id)))
  const isOwn = and(eq(featuredTags.id, id), eq(featuredTags.accountId, viewer.id))
  const changes = new Changes()
    .add(ctx.db.delete(featuredTags).where(isOwn))
    .emit({ kind: 'tag.unfeatured', accountId: viewer.id, ...found })
  await commit(ctx, changes)
}

/** Columns of a status that decide which featured tags count it. */
interface Tagged {
  readonly id: StatusId
  readonly accountId: AccountId
  readonly visibility: Visibility
  readonly localOnly?: boolean | undefined
  readonly tags?: readonly StatusTag[] | undefined
}

/**
 * Statements that count a status in its author's featured tags, but for those whose counting has not come to it. For the
 * batch that adds (`by` 1) or removes (-1) it.
 */
export function updateFeaturedCounts(ctx: Ctx, status: Tagged, by: 1 | -1) {
  const { id, accountId, visibility, localOnly = false, tags: used = [] } = status
  const isOpen = (visibility === 'public' || visibility === 'unlisted') && !localOnly
  if (used.length === 0 || !isOpen) return []
  const names = JSON.stringify(used.map(({ name }) => name))
  const now = ctx.clock.now().getTime()
  return [changeCounts(ctx.db, { by, now, accountId, names, id }, { isAdded: by === 1 })]
}

const changeCounts = preparedWriteShapes(
  ['by', 'now', 'accountId', 'names', 'id'],
  (db, { by, now, accountId, names, id }, { isAdded }: { readonly isAdded: boolean }) => {
    const named = sql`select ${tags.id} from ${tags} where ${inJsonList(tags.name, names)}`
    return db
      .update(featuredTags)
      .set({
        statusesCount: sql`max(0, statuses_count + ${by})`,
        ...(isAdded ? { lastStatusAt: now } : {}),
      })
      .where(sql`${featuredTags.accountId} = ${accountId} and ${featuredTags.tagId} in (${named})
        and (counting_before is null or counting_before <= ${id})`)
  },
)

/** Statements of one part, and those left to the effects that run after the counting in the same invocation. */
const statementsPerPart = 2
const statementsAfter = 20

/**
 * Continues counting the uses of a hashtag that was featured by an account with many statuses: parts while the invocation
 * has statements left, and a job for the rest. Each part moves the progress: a second run counts the next one.
 */
export async function countTagUses(ctx: Ctx, featuredId: number): Promise<void> {
  while (await isBeingCounted(ctx, featuredId)) {
    if (ctx.usage.statementsLeft() < statementsPerPart + statementsAfter) {
      await ctx.jobs.send({ kind: 'count-tag-uses', featuredId })
      return
    }
    await countPart(ctx, featuredId)
  }
}

async function isBeingCounted(ctx: Ctx, featuredId: number): Promise<boolean> {
  const { id, countingBefore } = featuredTags
  const found = first(
    ctx.db
      .select({ id })
      .from(featuredTags)
      .where(sql`${id} = ${featuredId} and ${countingBefore} is not null`),
  )
  return (await execute(ctx.db, found)) !== null
}

async function countPart(ctx: Ctx, featuredId: number): Promise<void> {
  const part = ctx.db.run(sql`update ${featuredTags} set
      statuses_count = statuses_count + part.uses,
      last_status_at = coalesce(last_status_at, part.last_at),
      counting_before = part.next
    from (${selectUncountedTagUses(featuredId)}) part
    where featured_tags.id = ${featuredId} and featured_tags.counting_before is not null`)
  await commit(ctx, new Changes().add(part))
}

/** A hashtag that a remote account features or no longer features. */
export interface RemoteFeaturedTag {
  /** As written, without `#`. */
  readonly name: string
  /** URI of the collection it is said to be in. */
  readonly collection: string
}

/** Handles a remote account's new featured hashtag. Idempotent; beyond ten it is ignored. */
export async function receiveFeaturedTag(
  ctx: Ctx,
  sender: RemoteSender,
  featuring: RemoteFeaturedTag,
): Promise<Outcome> {
  if (!isValidHashtag(featuring.name)) return ignored('features an invalid hashtag')
  if (!(await isProfileOf(ctx, sender, featuring))) return ignored('adds to an unknown collection')
  const changes = new Changes()
  addFeatured(ctx, changes, sender.id, [featuring.name])
  await commit(ctx, changes)
  return done
}

/** Handles the removal of a remote account's featured hashtag. */
export async function receiveUnfeaturedTag(
  ctx: Ctx,
  sender: RemoteSender,
  featuring: RemoteFeaturedTag,
): Promise<Outcome> {
  if (!(await isProfileOf(ctx, sender, featuring))) return ignored('removes from an unknown collection')
  const tagIds = sql`select ${tags.id} from ${tags} where ${tags.name} = ${normaliseHashtag(featuring.name)}`
  const own = sql`${featuredTags.accountId} = ${sender.id} and ${featuredTags.tagId} in (${tagIds})`
  await commit(ctx, new Changes().add(ctx.db.delete(featuredTags).where(own)))
  return done
}

/** Replaces the featured hashtags of a remote account by the first ten valid ones given. */
export async function importFeaturedTags(
  ctx: Ctx,
  account: AccountId,
  names: readonly string[],
): Promise<void> {
  const kept = names.filter(isValidHashtag).slice(0, accountLimits.featuredTags)
  const tagIds = sql`select ${tags.id} from ${tags} where ${inList(tags.name, kept.map(normaliseHashtag))}`
  const others = sql`${featuredTags.accountId} = ${account} and ${featuredTags.tagId} not in (${tagIds})`
  const changes = new Changes().add(ctx.db.delete(featuredTags).where(others))
  // Profiles show the latest first, in the order of the collection.
  addFeatured(ctx, changes, account, kept.toReversed())
  await commit(ctx, changes)
}

/** Mastodon names the collection of pinned statuses, where hashtags have their own. */
async function isProfileOf(
  ctx: Ctx,
  { id }: RemoteSender,
  { collection }: RemoteFeaturedTag,
): Promise<boolean> {
  const actor = await execute(
    ctx.db,
    first(
      ctx.db
        .select({ featured: remoteActors.featured, featuredTags: remoteActors.featuredTags })
        .from(remoteActors)
        .where(eq(remoteActors.accountId, id)),
    ),
  )
  return actor !== null && [actor.featured, actor.featuredTags].includes(collection)
}

function addFeatured(ctx: Ctx, changes: Changes, account: AccountId, names: readonly string[]): void {
  const now = ctx.clock.now().getTime()
  const entries = names.map((written) => ({
    id: ctx.ids.next(),
    tagId: ctx.ids.next(),
    name: normaliseHashtag(written),
    written,
  }))
  if (entries.length === 0) return
  const { uses, lastAt } = selectRecentTagUses(account, 't')
  const hasRoom = sql`(select count(*) from featured_tags where account_id = ${account}) < ${accountLimits.featuredTags}`
  changes.add(
    ctx.db.run(sql`insert into ${tags} (id, name, display_name, created_at)
      select item.value ->> 'tagId', item.value ->> 'name', item.value ->> 'written', ${now} from ${jsonRows(entries)}
      where ${hasRoom} on conflict (name) do nothing`),
    ctx.db.run(sql`insert into ${featuredTags} (id, account_id, tag_id, name, statuses_count, last_status_at, created_at)
      select item.value ->> 'id', ${account}, t.id, item.value ->> 'written', (${uses}), (${lastAt}), ${now}
      from ${jsonRows(entries)} cross join tags t on t.name = item.value ->> 'name'
      where ${hasRoom} on conflict (account_id, tag_id) do nothing`),
  )
}
