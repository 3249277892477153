import { eq, sql } from 'drizzle-orm'
import { accountLimits } from '../../contract/limits'
import { execute, first, inList, jsonRows } from '../../db/query'
import { featuredTags, remoteActors, tags } from '../../db/schema'
import { isValidHashtag, normaliseHashtag } from '../../lib/hashtag'
import type { AccountId } from '../../lib/ids'
import type { Ctx } from '../../ports/ctx'
import { Changes, commit, done, ignored, type Outcome } from '../core/changes'
import type { RemoteSender } from '../core/viewer'
import { selectRecentTagUses } from './find'

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
