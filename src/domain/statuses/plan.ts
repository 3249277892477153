import { acctOf, profileUrl, readCollectionUrl, tagUrl } from '../../contract/addresses'
import { ownSpelledOut } from '../../contract/handle'
import { mediaLimits, statusBytes } from '../../contract/limits'
import { renderText } from '../../contract/text/render'
import { mentionKey } from '../../contract/text/scan'
import type { statuses, Visibility } from '../../db/schema/statuses'
import type { EmojiSnapshot, Mention } from '../../db/values'
import { AppError, Forbidden, Invalid, NotFound } from '../../errors'
import type { AccountId, MediaId, PollId, ScheduledId, StatusId } from '../../lib/ids'
import { utf8Bytes } from '../../lib/text/bytes'
import type { Mentionable } from '../accounts/find'
import type { Viewer } from '../core/viewer'
import { attachmentOf, type MediaRow } from '../media/find'
import { decideApproval, type InteractorRelation } from '../policy/interaction'
import type { VisibleStatus } from '../policy/visibility'
import { preferencesOf } from '../users/defaults'
import { isPendingApproval, type ParsedDraft, textTooLong } from './draft'
import type { QuoteTarget } from './quotes/find-quotes'
import { type PlannedQuote, planQuote, quotingVisibility, refuseQuote } from './quotes/plan-quote'

/** Lookups for a draft. */
export interface DraftFacts {
  readonly author: Viewer
  /** The parent, if the author may see it. */
  readonly parent: VisibleStatus | null
  /** Relation of the author to the parent; null without one. */
  readonly answering: InteractorRelation | null
  /** The quoted status, if the author may see it. */
  readonly quoted: QuoteTarget | null
  /** Requested uploads that are the author's own and unattached. */
  readonly media: readonly MediaRow[]
  /** Known accounts mentioned in the text. */
  readonly mentioned: readonly Mentionable[]
  /** Accounts among `mentioned` that the author blocks, by account or by domain. */
  readonly blocked: readonly AccountId[]
  readonly emojis: readonly EmojiSnapshot[]
  readonly listeners: readonly PostSubscriber[]
}

/** A follower with `notify: true`, for statuses in some languages or in any (null). */
export interface PostSubscriber {
  readonly id: AccountId
  readonly languages: readonly string[] | null
}

/** Subscribers that a status in this language notifies. */
export function subscribersInLanguage(
  listeners: readonly PostSubscriber[],
  language: string | null,
): readonly AccountId[] {
  return listeners
    .filter(({ languages }) => languages === null || language === null || languages.includes(language))
    .map(({ id }) => id)
}

/** Origin, time and ids for a plan. */
export interface PlanTerms {
  readonly origin: string
  readonly ownDomains: readonly string[]
  readonly now: Date
  readonly id: StatusId
  readonly pollId: PollId
}

/** Fields that decide which counters include a status. */
export interface CountedStatus {
  readonly id: StatusId
  readonly accountId: AccountId
  readonly local: boolean
  readonly createdAt: Date
  readonly visibility: Visibility
  /** Absent for remote statuses. */
  readonly localOnly?: boolean | undefined
  readonly inReplyToId: StatusId | null
  readonly inReplyToAccountId?: AccountId | null | undefined
  readonly reblogOfId: StatusId | null
}

export type NewStatus = typeof statuses.$inferInsert & CountedStatus & { readonly id: StatusId }

/** Every row a new status writes. */
export interface StatusPlan {
  readonly status: NewStatus
  readonly mentions: readonly Mention[]
  /** Accounts it is addressed to without a mention: they may see it. */
  readonly addressed: readonly AccountId[]
  readonly tags: readonly { readonly name: string; readonly display: string }[]
  readonly poll: PlannedPoll | null
  readonly quote: PlannedQuote | null
  /** Address of the page to preview; without it the first link of the text. */
  readonly attachedPage?: string | null | undefined
  /** Shortcodes in the text, whether or not such emojis exist; local statuses only. */
  readonly shortcodes: readonly string[]
  readonly mediaIds: readonly MediaId[]
  /** The scheduled status that holds the uploads; without it they have to be free. */
  readonly heldBy?: ScheduledId | null | undefined
  /** Accounts to notify of the mention, and subscribers of the author. */
  readonly notifyMentioned: readonly AccountId[]
  readonly notifySubscribers: readonly AccountId[]
  /** False for old fetched statuses: they do not enter home feeds. */
  readonly entersHomes: boolean
  /** False for fetched or late statuses: they appear in timelines but are not streamed. */
  readonly isLive: boolean
}

export interface PlannedPoll {
  readonly options: readonly string[]
  readonly multiple: boolean
  readonly hideTotals: boolean
  readonly expiresAt: Date | null
  readonly closedAt: Date | null
  readonly tallies: readonly number[]
  readonly votesCount: number
  readonly votersCount: number | null
}

/** Refusal of mentions the caller did not expect. API and pages show the accounts. */
export class UnexpectedMentions extends AppError {
  readonly name = 'UnexpectedMentions'
  readonly status = 422
  readonly accountIds: readonly AccountId[]

  constructor(accountIds: readonly AccountId[]) {
    super('unexpected_mentions')
    this.accountIds = accountIds
  }
}

/**
 * Turns a draft into a plan. Pure.
 *
 * `NotFound` for a parent the author may not see and for a status they may not quote, `Forbidden` for a parent
 * whose policy excludes their replies, `Invalid` for media that are not the author's own unattached ones, do not
 * combine or have descriptions that are too long together and for HTML that is too long, `UnexpectedMentions` for
 * mentions outside `allowedMentions`.
 */
export function planStatus(draft: ParsedDraft, facts: DraftFacts, terms: PlanTerms): StatusPlan {
  const { author, parent, quoted } = facts
  const consent = decideReplyApproval(draft, facts)
  const quote = draft.quotedId === undefined ? null : planQuote(quoted)
  const preferences = preferencesOf(author)
  const media = orderedMedia(draft, facts.media)
  const mentioned = mentionedIn(draft, facts, terms)
  const asked = visibilityOf(draft.visibility ?? preferences.visibility, author)
  const visibility = quotingVisibility(asked, quoted)
  const language = draft.language ?? preferences.language
  const people = [...new Map([...mentioned.values()].map((account) => [account.id, account])).values()]
  const localOnly = [draft, parent, quoted?.status].some((one) => one?.localOnly === true)
  if (quoted !== null)
    refuseQuote(quoted, { author: author.id, visibility, localOnly, named: people.map(({ id }) => id) })
  // A local-only reply is never federated, so it cannot request approval.
  if (consent === 'refused' || (consent === 'asked' && localOnly)) throw new Forbidden('reply_refused')
  const plan: StatusPlan = {
    status: {
      id: terms.id,
      accountId: author.id,
      local: true,
      visibility,
      createdAt: terms.now,
      text: draft.text,
      contentType: draft.contentType,
      spoilerText: draft.spoilerText,
      content: contentOf(draft, mentioned, terms),
      sensitive: (draft.sensitive ?? preferences.sensitive) || draft.hasWarning,
      language,
      inReplyToId: parent?.id ?? null,
      inReplyToAccountId: parent?.accountId ?? null,
      reblogOfId: null,
      conversationId: parent?.conversationId ?? terms.id,
      applicationId: author.applicationId,
      pollId: draft.poll === undefined ? null : terms.pollId,
      attachments: media.map(attachmentOf),
      mentions: people.map((account) => mentionOf(account, terms.origin)),
      tags: draft.parsed.hashtags,
      linkedCollections: linkedCollections(draft, terms),
      emojis: facts.emojis,
      quotePolicy: draft.quotePolicy ?? preferences.quotePolicy,
      replyPolicy: draft.replyPolicy ?? 'public',
      reblogPolicy: draft.reblogPolicy ?? 'public',
      localOnly,
    },
    mentions: people.map((account) => mentionOf(account, terms.origin)),
    addressed: [],
    tags: draft.parsed.hashtags,
    poll: planPoll(draft, terms.now),
    quote,
    shortcodes: draft.shortcodes,
    mediaIds: media.map((row) => row.id),
    ...notifiedSubscribers({ visibility, language }, people, facts),
    entersHomes: true,
    isLive: true,
  }
  return consent === 'asked' && parent !== null ? asPendingApproval(plan, parent.accountId) : plan
}

/**
 * Turns a plan into one that awaits approval by `approver`, the author of the parent. Only author and approver
 * may see the status; it enters no feed and sends no notifications, and is not counted. Pure; `publishApproved` does the
 * rest.
 */
function asPendingApproval(plan: StatusPlan, approver: AccountId): StatusPlan {
  const { visibility } = plan.status
  return {
    ...plan,
    status: {
      ...plan.status,
      visibility: 'direct',
      approval: { state: 'pending', uri: null, held: visibility },
    },
    mentions: [],
    addressed: [approver],
    tags: [],
    notifyMentioned: [],
    notifySubscribers: [],
    entersHomes: false,
    isLive: false,
  }
}

/** Collections shown beside a text. */
const maxCollections = 4

/** Ids of local collections linked in a text; existence is checked when the status is read. */
export function linkedCollections(
  { parsed }: Pick<ParsedDraft, 'parsed'>,
  { origin }: Pick<PlanTerms, 'origin'>,
): readonly number[] {
  return parsed.urls.flatMap((url) => readCollectionUrl(origin, url) ?? []).slice(0, maxCollections)
}

/** Decides approval of a reply. Authors may always reply to themselves, unless the parent awaits approval itself. */
function decideReplyApproval({ inReplyToId }: ParsedDraft, { author, parent, answering }: DraftFacts) {
  if (inReplyToId === undefined) return 'given'
  if (parent === null || answering === null) throw new NotFound('no_parent')
  if (isPendingApproval(parent)) throw new Forbidden('parent_pending')
  return decideApproval('reply', author.id, { status: parent, standing: answering })
}

function visibilityOf(asked: Visibility, author: Viewer): Visibility {
  return asked === 'public' && author.silenced ? 'unlisted' : asked
}

function orderedMedia({ mediaIds }: ParsedDraft, found: readonly MediaRow[]): readonly MediaRow[] {
  const media = mediaIds.flatMap((id) => found.find((row) => row.id === id) ?? [])
  const missing = mediaIds.filter((id) => media.every((row) => row.id !== id))
  if (missing.length > 0) throw missingMedia(missing)
  // Mastodon's rule: images can be combined, a video or audio file stands alone.
  if (media.length > 1 && media.some(({ type }) => type === 'video' || type === 'audio'))
    throw new Invalid('video_with_images')
  const described = media.reduce((sum, { description }) => sum + utf8Bytes(description ?? ''), 0)
  if (described > mediaLimits.descriptionsBytes) throw new Invalid('media_too_described')
  return media
}

/** Error for uploads that do not exist or are not free. */
export function missingMedia(ids: readonly MediaId[]): Invalid {
  return new Invalid('media_gone', { ids: ids.join(', ') })
}

/** Mentioned accounts to link, by mention key. */
function mentionedIn(draft: ParsedDraft, facts: DraftFacts, terms: PlanTerms) {
  const byAcct = new Map(facts.mentioned.map((account) => [acctOf(account).toLowerCase(), account]))
  const found = new Map<string, Mentionable>()
  for (const mention of draft.parsed.mentions) {
    const account = byAcct.get(acctOf(ownSpelledOut(mention, terms.ownDomains)).toLowerCase())
    const usable = account !== undefined && account.suspendedAt === null
    if (usable && !facts.blocked.includes(account.id)) found.set(mentionKey(mention), account)
  }
  const { allowedMentions } = draft
  if (allowedMentions === undefined) return found
  const unexpected = [...new Set([...found.values()].map(({ id }) => id))].filter(
    (id) => !allowedMentions.includes(id),
  )
  if (unexpected.length > 0) throw new UnexpectedMentions(unexpected)
  return found
}

function contentOf(
  draft: ParsedDraft,
  mentioned: ReadonlyMap<string, Mentionable>,
  { origin }: PlanTerms,
): string {
  const html = renderText(draft.parsed, {
    mention: (mention) => {
      const account = mentioned.get(mentionKey(mention))
      if (account === undefined) return null
      return { url: profileUrlOf(account, origin), username: account.username, acct: acctOf(account) }
    },
    tagUrl: (name) => tagUrl(origin, name),
  })
  // HTML repeats link addresses, and Markdown can render to many times its source length.
  if (utf8Bytes(html) > statusBytes(draft.statusCharacters).html) throw textTooLong(draft.statusCharacters)
  return html
}

export function mentionOf(account: Mentionable, origin: string): Mention {
  const { id, username, domain, uri } = account
  return { id, username, domain, url: profileUrlOf(account, origin), ...(uri === null ? {} : { uri }) }
}

function profileUrlOf({ url, uri, username }: Mentionable, origin: string): string {
  return url ?? uri ?? profileUrl(origin, username)
}

function planPoll({ poll }: ParsedDraft, now: Date): PlannedPoll | null {
  if (poll === undefined) return null
  const { options, multiple, hideTotals, expiresInSeconds } = poll
  const expiresAt = new Date(now.getTime() + expiresInSeconds * 1000)
  const unvoted = { tallies: options.map(() => 0), votesCount: 0, votersCount: 0, closedAt: null }
  return { options, multiple, hideTotals, expiresAt, ...unvoted }
}

/** Notifies subscribers of statuses that enter their feed: no direct statuses, no replies to others. */
function notifiedSubscribers(
  { visibility, language }: { readonly visibility: Visibility; readonly language: string | null },
  people: readonly Mentionable[],
  facts: DraftFacts,
) {
  const { author, parent, listeners } = facts
  const mentionedIds = people.map(({ id }) => id)
  const answersOthers = parent !== null && parent.accountId !== author.id
  const subscribers =
    visibility === 'direct' || answersOthers ? [] : subscribersInLanguage(listeners, language)
  return {
    notifyMentioned: mentionedIds,
    notifySubscribers: subscribers.filter((id) => !mentionedIds.includes(id)),
  }
}
