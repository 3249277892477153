import { sql } from 'drizzle-orm'
import { preparedInsert, preparedWrite } from '../../db/prepared'
import { inList, jsonRows, jsonTable } from '../../db/query'
import { mediaAttachments, polls, statuses, statusMentions, statusTags, tags } from '../../db/schema'
import { Conflict } from '../../errors'
import type { StatusId } from '../../lib/ids'
import type { Ctx } from '../../ports/ctx'
import { addToConversations } from '../conversations/entries'
import { type Changes, commit } from '../core/changes'
import { recordEmojiUses } from '../custom-emojis/shortcodes'
import { updateFeaturedCounts } from '../featured-tags/update-counts'
import { requestPreview } from '../links/request-preview'
import { restoreClaimed } from '../media/delete-files'
import { areFree } from '../media/find'
import { notify } from '../notifications/notify'
import { indexStatus } from '../search/document'
import { fanOut } from '../timelines/fan-out'
import { incrementCounters } from './counters'
import { statusExists } from './find'
import { missingMedia, type StatusPlan } from './plan'
import { storeQuote } from './quotes/quote-state'

/** Adds the rows of a plan: parents first, since foreign keys are enforced; feeds after mentions. */
export function storeStatus(ctx: Ctx, changes: Changes, plan: StatusPlan): void {
  const { status } = plan
  changes.add(insertStatus(ctx.db, status))
  addPoll(ctx, changes, plan)
  storeQuote(ctx, changes, plan)
  addMentions(ctx, changes, { ...plan, id: status.id })
  addTags(ctx, changes, { ...plan, id: status.id })
  claimMedia(ctx, changes, plan)
  changes.add(...recordEmojiUses(ctx, { kind: 'status', id: status.id }, plan.shortcodes))
  if (plan.entersHomes) changes.add(...fanOut(ctx, status))
  if (plan.entersHomes && status.visibility === 'direct')
    changes.add(addToConversations(ctx, { ...status, named: plan.mentions.map((mention) => mention.id) }))
  changes.add(
    indexStatus(ctx, documentOf(plan)),
    ...incrementCounters(ctx, status),
    ...updateFeaturedCounts(ctx, status, 1),
  )
  if (plan.isLive) changes.publish({ kind: 'status.posted', statusId: status.id })
  addNotifications(ctx, changes, plan)
  const { id, local, content = '' } = status
  const others = [plan.quote?.quotedUri]
  requestPreview(ctx.config, changes, { id, local, content, others, attached: plan.attachedPage })
}

const insertStatus = preparedInsert(statuses)

function documentOf({ status, poll, quote }: StatusPlan) {
  const { id, accountId, content = '', spoilerText = '', attachments = [], tags: named = [] } = status
  const { language = null, sensitive = false, inReplyToId, inReplyToAccountId, inReplyToUri } = status
  return {
    id,
    accountId,
    content,
    spoilerText,
    attachments,
    tags: named,
    language,
    sensitive,
    isReply: (inReplyToId ?? inReplyToAccountId ?? inReplyToUri ?? null) !== null,
    isQuote: quote !== null,
    pollOptions: poll?.options ?? null,
  }
}

function addPoll(ctx: Ctx, changes: Changes, { poll, status }: StatusPlan): void {
  if (poll === null || status.pollId == null) return
  changes.add(
    ctx.db.insert(polls).values({
      ...poll,
      id: status.pollId,
      statusId: status.id,
      accountId: status.accountId,
    }),
  )
}

type Named = Pick<StatusPlan, 'mentions' | 'addressed' | 'tags'> & { readonly id: StatusId }

/** Grants access to the status `id` to mentioned and addressed accounts, besides existing ones. */
export function addMentions(
  ctx: Ctx,
  changes: Changes,
  { id, mentions, addressed }: Omit<Named, 'tags'>,
): void {
  const ids = [...mentions.map((mention) => mention.id), ...addressed]
  if (ids.length === 0) return
  changes.add(
    ctx.db.run(sql`insert into ${statusMentions} (status_id, account_id)
      select ${id}, item.value from ${jsonRows(ids)} where true on conflict do nothing`),
  )
}

/** Adds tags to the status `id`, besides existing ones. */
export function addTags(ctx: Ctx, changes: Changes, { id, tags: all }: Pick<Named, 'id' | 'tags'>): void {
  if (all.length === 0) return
  const now = ctx.clock.now().getTime()
  const named = JSON.stringify(all.map((tag) => ({ ...tag, id: ctx.ids.next() })))
  changes.add(insertTags(ctx.db, { named, now }), insertStatusTags(ctx.db, { named, id }))
}

const insertTags = preparedWrite(
  ['named', 'now'],
  (_db, { named, now }) => sql`insert into ${tags} (id, name, display_name, created_at)
    select item.value ->> 'id', item.value ->> 'name', item.value ->> 'display', ${now} from ${jsonTable(named)}
    where true on conflict (name) do nothing`,
)

const insertStatusTags = preparedWrite(
  ['named', 'id'],
  (_db, { named, id }) => sql`insert into ${statusTags} (tag_id, status_id)
    select t.id, ${id} from ${jsonTable(named)} cross join tags t
    where t.name = item.value ->> 'name' on conflict do nothing`,
)

/** Guards against two statuses claiming the same upload concurrently. */
function claimMedia(ctx: Ctx, changes: Changes, { mediaIds, status, heldBy }: StatusPlan): void {
  if (mediaIds.length === 0) return
  changes
    .require(areFree(status.accountId, mediaIds, heldBy), missingMedia(mediaIds))
    .add(
      ctx.db
        .update(mediaAttachments)
        .set({ statusId: status.id, scheduledStatusId: null })
        .where(inList(mediaAttachments.id, mediaIds)),
    )
  restoreClaimed(changes, mediaIds, status.id)
}

function addNotifications(
  ctx: Ctx,
  changes: Changes,
  { status, notifyMentioned, notifySubscribers }: StatusPlan,
): void {
  const isDirect = status.visibility === 'direct'
  const about = { from: status.accountId, statusId: status.id, isDirect }
  const newNotifications = [
    ...notifyMentioned.map((to) => ({ ...about, to, type: 'mention' as const })),
    ...notifySubscribers.map((to) => ({ ...about, to, type: 'status' as const })),
  ]
  notify(ctx, changes, newNotifications)
}

const attempts = 5

/**
 * Commits the changes of `plan` for a status published at `at` and returns its id, which encodes that time. If
 * another status of the same millisecond has the id, retries with the next one.
 */
export async function commitPublished(
  ctx: Ctx,
  at: Date,
  plan: (id: StatusId) => Changes,
): Promise<StatusId> {
  const ids = Array.from({ length: attempts }, () => ctx.ids.next(at))
  for (const id of ids) {
    const taken = new Conflict('id_taken')
    try {
      await commit(ctx, plan(id).require(sql`not ${statusExists(id)}`, taken))
      return id
    } catch (failure) {
      if (failure !== taken) throw failure
    }
  }
  throw new Error(`No free id at ${at.toISOString()}`)
}
