import { eq, sql } from 'drizzle-orm'
import { combineQueries, execute } from '../../db/query'
import { announcements } from '../../db/schema'
import { NotFound, validationFailed } from '../../errors'
import { acctOf, profileUrl, tagUrl } from '../../lib/addresses'
import { ownSpelledOut } from '../../lib/handle'
import { parseText } from '../../lib/text/parse'
import { renderText } from '../../lib/text/render'
import { mentionKey, type Mention as Named } from '../../lib/text/scan'
import { findShortcodes } from '../../lib/text/shortcodes'
import type { Ctx } from '../../platform/ports'
import { accountsByHandles, type Mentionable } from '../accounts/find'
import { Changes, commit } from '../core/changes'
import { emojisByShortcodes, recordEmojiUses } from '../custom-emojis/shortcodes'
import { statusIdsByUrls } from './find'

/** An announcement to all local users. */
export interface NewAnnouncement {
  readonly text: string
  /** Start and end of the announced event: both or neither. */
  readonly startsAt: Date | null
  readonly endsAt: Date | null
  /** Only the dates of these instants count. */
  readonly allDay: boolean
  /** Null: at once. */
  readonly publishAt: Date | null
}

/** Statuses linked in the text that the API shows with it. */
const maxStatuses = 10

/**
 * Publishes an announcement to all local users, present and future. URLs, mentions and hashtags in the text become
 * links; it is plain text otherwise. `Invalid` where the times make no sense. Returns its id.
 */
export async function addAnnouncement(ctx: Ctx, announcement: NewAnnouncement): Promise<number> {
  const { text, startsAt, endsAt, allDay, publishAt } = announcement
  refuseTimes(announcement)
  const parsed = parseText(text, 'text/plain')
  const { origin, ownDomains } = ctx.config
  const shortcodes = findShortcodes(text)
  const references = await execute(
    ctx.db,
    combineQueries({
      accounts: accountsByHandles(
        ctx,
        parsed.mentions.map((mention) => ownSpelledOut(mention, ownDomains)),
      ),
      emojis: emojisByShortcodes(ctx, shortcodes),
      statuses: statusIdsByUrls(ctx, parsed.urls.slice(0, maxStatuses)),
    }),
  )
  const found = new Map(
    references.accounts
      .filter(({ suspendedAt }) => suspendedAt === null)
      .map((account) => [mentionKey(account), account]),
  )
  const accountOf = (mention: Named) => found.get(mentionKey(ownSpelledOut(mention, ownDomains))) ?? null
  const content = renderText(parsed, {
    mention: (mention) => {
      const account = accountOf(mention)
      return account === null ? null : linkTo(account, origin)
    },
    tagUrl: (name) => tagUrl(origin, name),
  })
  const [id, now] = [ctx.ids.next(), ctx.clock.now()]
  const isNow = publishAt === null || publishAt <= now
  const row = {
    id,
    text,
    content,
    allDay,
    startsAt,
    endsAt,
    publishedAt: publishAt ?? now,
    toldAt: isNow ? now : null,
    mentions: [...found.values()].map((account) => ({
      id: account.id,
      username: account.username,
      domain: account.domain,
      url: linkTo(account, origin).url,
    })),
    tags: parsed.hashtags,
    emojis: references.emojis,
    statusIds: [...new Set(references.statuses)],
    createdAt: now,
    updatedAt: now,
  }
  const changes = new Changes().add(
    ctx.db.insert(announcements).values(row),
    ...recordEmojiUses(ctx, { kind: 'announcement', id }, shortcodes),
  )
  if (isNow) changes.publish({ kind: 'announcement.published', announcementId: id })
  await commit(ctx, changes)
  return id
}

function refuseTimes({ startsAt, endsAt, allDay }: NewAnnouncement): void {
  if ((startsAt === null) !== (endsAt === null))
    throw validationFailed('Starts at and ends at go together: give both or neither')
  if (startsAt !== null && endsAt !== null && endsAt < startsAt)
    throw validationFailed('Ends at must not be before starts at')
  if (allDay && startsAt === null) throw validationFailed('All day needs the days it begins and ends')
}

function linkTo(account: Mentionable, origin: string) {
  const { url, uri, username } = account
  return { url: url ?? uri ?? profileUrl(origin, username), username, acct: acctOf(account) }
}

/** Deletes an announcement with its reactions. `NotFound` for an unknown id. */
export async function removeAnnouncement(ctx: Ctx, id: number): Promise<void> {
  const changes = new Changes()
    .require(sql`exists (select 1 from announcements where id = ${id})`, new NotFound())
    .add(ctx.db.delete(announcements).where(eq(announcements.id, id)))
    .publish({ kind: 'announcement.removed', announcementId: id })
  await commit(ctx, changes)
}
