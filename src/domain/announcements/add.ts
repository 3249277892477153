import { acctOf, profileUrl, tagUrl } from '../../contract/addresses'
import { ownSpelledOut } from '../../contract/handle'
import { findShortcodes } from '../../contract/text/emoji'
import { parseText } from '../../contract/text/parse'
import { renderText } from '../../contract/text/render'
import { mentionKey, type Mention as Named } from '../../contract/text/scan'
import { combineQueries, execute } from '../../db/query'
import { announcements } from '../../db/schema'
import { Invalid } from '../../errors'
import type { Ctx } from '../../ports/ctx'
import { accountsByHandles, type Mentionable } from '../accounts/find'
import { recordAudit } from '../core/audit'
import { Changes, commit } from '../core/changes'
import type { Moderator } from '../core/viewer'
import { emojisByShortcodes, recordEmojiUses } from '../custom-emojis/shortcodes'
import { type AnnouncementRow, statusIdsByUrls } from './find'
/** Fields of an announcement that administrators set. */
export interface AnnouncementOrder {
  readonly text: string
  /** Start and end of the announced event: both or neither. */
  readonly startsAt: Date | null
  readonly endsAt: Date | null
  /** Only the dates of these instants count. */
  readonly allDay: boolean
}

/** An announcement to all local users. */
export interface NewAnnouncement extends AnnouncementOrder {
  /** Null: at once. */
  readonly publishAt: Date | null
  /** Stored, and hidden until it is published. */
  readonly isDraft?: boolean
}

export const announcementTextCharacters = 10_000

/**
 * Publishes an announcement to all local users, present and future, at once or when its time comes. `Invalid` for an
 * empty text and where the times make no sense. Returns its id.
 */
export async function addAnnouncement(
  ctx: Ctx,
  moderator: Moderator,
  { publishAt, isDraft = false, ...order }: NewAnnouncement,
): Promise<number> {
  const fields = checkedAnnouncement(order)
  const composed = await composeAnnouncement(ctx, fields.text)
  const [id, now] = [ctx.ids.next(), ctx.clock.now()]
  const isNow = !isDraft && (publishAt === null || publishAt <= now)
  const row = {
    id,
    ...composed,
    ...fields,
    publishedAt: isDraft ? null : (publishAt ?? now),
    notifiedAt: isNow ? now : null,
    createdAt: now,
    updatedAt: now,
  }
  const changes = new Changes().add(
    ctx.db.insert(announcements).values(row),
    ...recordEmojiUses(ctx, { kind: 'announcement', id }, findShortcodes(fields.text)),
  )
  recordAudit(ctx, changes, moderator, {
    action: 'create',
    target: announcementTarget(row),
    after: announcementValues(row),
  })
  if (isNow) changes.publish({ kind: 'announcement.published', announcementId: id })
  await commit(ctx, changes)
  return id
}

/** The fields trimmed; `Invalid` for an empty or too long text and where the times make no sense. Pure. */
export function checkedAnnouncement(order: AnnouncementOrder): AnnouncementOrder {
  const { startsAt, endsAt, allDay } = order
  const text = order.text.trim()
  if (text === '') throw new Invalid('blank', { field: 'text' })
  if (text.length > announcementTextCharacters)
    throw new Invalid('too_long', { field: 'text', max: announcementTextCharacters })
  if ((startsAt === null) !== (endsAt === null)) throw new Invalid('half_a_span')
  if (startsAt !== null && endsAt !== null && endsAt < startsAt) throw new Invalid('ends_before_start')
  if (allDay && startsAt === null) throw new Invalid('all_day_without_days')
  return { text, startsAt, endsAt, allDay }
}

const labelCharacters = 80

export function announcementTarget({ id, text }: Pick<AnnouncementRow, 'id' | 'text'>) {
  return { type: 'announcement' as const, id, label: text.slice(0, labelCharacters) }
}

/** Fields for the audit log; of the text its beginning. */
export function announcementValues(
  row: Pick<AnnouncementRow, 'text' | 'startsAt' | 'endsAt' | 'allDay' | 'publishedAt'>,
) {
  return {
    text: row.text.slice(0, 200),
    starts_at: row.startsAt,
    ends_at: row.endsAt,
    all_day: row.allDay,
    published_at: row.publishedAt,
  }
}

/** Statuses linked in the text that the API shows with it. */
const maxStatuses = 10

/**
 * Renders the text of an announcement: URLs, mentions and hashtags become links; it is plain text otherwise. Returns
 * the columns that depend on it.
 */
export async function composeAnnouncement(ctx: Ctx, text: string) {
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
  return {
    text,
    content,
    mentions: [...found.values()].map((account) => ({
      id: account.id,
      username: account.username,
      domain: account.domain,
      url: linkTo(account, origin).url,
    })),
    tags: parsed.hashtags,
    emojis: references.emojis,
    statusIds: [...new Set(references.statuses)],
  }
}

function linkTo(account: Mentionable, origin: string) {
  const { url, uri, username } = account
  return { url: url ?? uri ?? profileUrl(origin, username), username, acct: acctOf(account) }
}
