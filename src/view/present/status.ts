import type { Config } from '../../config'
import { acctOf, reblogUri, statusUri, statusUrl, tagUrl } from '../../contract/addresses'
import type { Poll, Quote, QuoteState, ShallowQuote, Status } from '../../contract/entities/status'
import { publicPollId } from '../../contract/ids'
import { quoteReference } from '../../contract/text/render'
import type { EmojiSnapshot, Mention } from '../../db/values'
import { mayQuote } from '../../domain/policy/interaction'
import { NotFound } from '../../errors'
import type { StatusId } from '../../lib/ids'
import { idText } from '../../lib/ids'
import type { AccountFacts } from '../load/accounts'
import type { QuoteFacts } from '../load/status-parts'
import type { PollFacts, StatusBundle, StatusFacts } from '../load/statuses'
import { accountEntity } from './account'
import { presentCollection } from './collection'
import { presentEmoji, presentReaction } from './emoji'
import { presentMatch } from './filter'
import { presentAttachment, presentCard } from './media'
import { timestamp, timestampOrNull } from './time'

/** Inputs of status presenters beside the bundle. */
export interface PresentContext {
  readonly config: Config
  readonly now: Date
}

/**
 * Presents a status of a bundle. A reblog shows the text of the reblogged status and nests it one level, quote
 * included.
 */
export function presentStatus(showing: PresentContext, bundle: StatusBundle, id: StatusId): Status {
  const facts = bundle.statuses.get(id)
  if (facts === undefined) throw new NotFound()
  const sharedId = facts.status.reblogOfId
  if (sharedId === null) return withQuote(showing, bundle, facts)
  const shared = bundle.statuses.get(sharedId)
  if (shared === undefined) throw new NotFound()
  const reblog = presentStatus(showing, bundle, sharedId)
  return { ...entity(showing, facts, shared), content: reblog.content, reblog }
}

function withQuote(showing: PresentContext, bundle: StatusBundle, facts: StatusFacts): Status {
  const status = entity(showing, facts, facts)
  const quote = presentQuote(showing, bundle, facts)
  const quoted = facts.quote?.quotedId == null ? undefined : bundle.statuses.get(facts.quote.quotedId)
  if (quote === null || quoted === undefined || !facts.status.local) return { ...status, quote }
  const { url, uri } = addresses(showing.config, quoted)
  return { ...status, quote, content: `${quoteReference(url ?? uri)}${status.content}` }
}

/** Presents the quote of a status, one level deep. */
function presentQuote(showing: PresentContext, bundle: StatusBundle, { quote }: StatusFacts): Quote | null {
  if (quote === null) return null
  const quoted = quote.quotedId === null ? undefined : bundle.statuses.get(quote.quotedId)
  const state = stateOf(quote, quoted !== undefined)
  if (state === null) return null
  if (quoted === undefined || !isRevealable(state)) return { state, quoted_status: null }
  const nested: ShallowQuote | null = shallowQuote(quoted.quote)
  return { state, quoted_status: { ...entity(showing, quoted, quoted), quote: nested } }
}

/** Presents the page of a bundle in its order. */
export function presentStatuses(showing: PresentContext, bundle: StatusBundle): Status[] {
  return bundle.ids.map((id) => presentStatus(showing, bundle, id))
}

/** Presents the one status a bundle was loaded for, or throws `NotFound`. */
export function presentOnlyStatus(showing: PresentContext, bundle: StatusBundle): Status {
  const [id] = bundle.ids
  if (id === undefined) throw new NotFound()
  return presentStatus(showing, bundle, id)
}

/**
 * Builds the entity: author, ids and dates from `facts`; content from `shown` (itself, or the reblogged
 * status).
 */
function entity(showing: PresentContext, facts: StatusFacts, shown: StatusFacts): Status {
  const { config } = showing
  const { status, author } = facts
  const { status: text } = shown
  return {
    id: String(status.id),
    created_at: timestamp(status.createdAt),
    in_reply_to_id: idText(status.inReplyToId),
    in_reply_to_account_id: idText(status.inReplyToAccountId),
    sensitive: text.sensitive || isSensitised(shown),
    spoiler_text: text.spoilerText,
    visibility: visibilityOf(facts),
    language: text.language,
    ...addresses(config, facts),
    replies_count: status.repliesCount,
    reblogs_count: status.untrustedReblogsCount ?? status.reblogsCount,
    favourites_count: status.untrustedFavouritesCount ?? status.favouritesCount,
    quotes_count: status.quotesCount,
    edited_at: timestampOrNull(text.editedAt),
    content: text.content,
    reblog: null,
    account: accountEntity(config, withStatus(author, status), facts.role),
    media_attachments: text.attachments.map((attachment) =>
      presentAttachment(config, attachment, text.accountId),
    ),
    mentions: text.mentions.map(presentMention),
    tags: text.tags.map((tag) => ({ name: tag.name, url: tagUrl(config.origin, tag.name) })),
    emojis: text.emojis.map((emoji) => presentEmoji(config, emoji, text.accountId)),
    card: cardOf(config, shown),
    poll: pollOf(showing, shown),
    quote: null,
    quote_approval: quoteApproval(facts),
    tagged_collections: (shown.collections ?? []).map((facts) => presentCollection(config, facts)),
    ...reactions(config, shown),
    ...(text.localOnly ? { local_only: true as const } : {}),
    ...(text.replyPolicy === 'public' ? {} : { reply_policy: text.replyPolicy }),
    ...(text.reblogPolicy === 'public' ? {} : { reblog_policy: text.reblogPolicy }),
    ...approvalOf(facts),
    ...application(facts),
    ...viewerKeys(facts, shown),
  }
}

/**
 * A remote author has at least the status that is shown: `count-servers` counts it once a day only. Direct ones are not
 * counted.
 */
function withStatus(author: AccountFacts, { createdAt, visibility }: StatusFacts['status']): AccountFacts {
  if (author.domain === null || visibility === 'direct') return author
  const { statusesCount, lastStatusAt } = author
  const isLater = lastStatusAt === null || lastStatusAt < createdAt
  if (statusesCount > 0 && !isLater) return author
  return {
    ...author,
    statusesCount: Math.max(statusesCount, 1),
    lastStatusAt: isLater ? createdAt : lastStatusAt,
  }
}

/** Moderators marked all media of the author as sensitive; the author sees statuses as published, as in Mastodon. */
function isSensitised({ status, author, viewer }: StatusFacts): boolean {
  return author.sensitizedAt !== null && viewer.viewerId !== status.accountId
}

/** Approval state of a reply or reblog, for its author only. */
function approvalOf({ status, viewer: { viewerId } }: StatusFacts): Pick<Status, 'approval'> {
  const state = status.approval?.state
  return viewerId !== status.accountId || state === undefined || state === 'accepted'
    ? {}
    : { approval: state }
}

/**
 * Direct statuses reach some recipients without mentioning them: to these the visibility is `limited`, not a
 * direct message, as in Mastodon.
 */
function visibilityOf({ status, viewer: { viewerId } }: StatusFacts): Status['visibility'] {
  if (status.approval !== null && status.approval.held !== null) return status.approval.held
  const isNamed = viewerId === status.accountId || status.mentions.some(({ id }) => id === viewerId)
  return status.visibility === 'direct' && !status.local && !isNamed ? 'private' : status.visibility
}

/** URI and URL of a status. Remote statuses have them stored; local ones follow from author and id. */
function addresses(config: Config, { status, author }: StatusFacts) {
  const { origin } = config
  const make = status.reblogOfId === null ? statusUri : reblogUri
  const local = {
    uri: make(origin, author.username, status.id),
    url: statusUrl(origin, author.username, status.id),
  }
  return { uri: status.uri ?? local.uri, url: status.url ?? (status.uri === null ? local.url : status.uri) }
}

function presentMention(mention: Mention) {
  const { id, username, url } = mention
  return { id: String(id), username, url, acct: acctOf(mention) }
}

/** Presents the poll of the one status a bundle was loaded for, or throws `NotFound`. */
export function presentOnlyPoll(showing: PresentContext, bundle: StatusBundle): Poll {
  const [id] = bundle.ids
  const facts = id === undefined ? undefined : bundle.statuses.get(id)
  const poll = facts === undefined ? null : pollOf(showing, facts)
  if (poll === null) throw new NotFound()
  return poll
}

function cardOf(config: Config, { status: { card }, creator, viewer }: StatusFacts) {
  return card === null ? null : presentCard(config, { card, creator, viewerId: viewer.viewerId })
}

function pollOf({ config, now }: PresentContext, { poll, status, viewer }: StatusFacts) {
  if (poll === null) return null
  return presentPoll(config, poll, { now, viewerId: viewer.viewerId, votes: viewer.ownVotes }, status.emojis)
}

/** The application a status was posted with: public unless the author hides it, always shown to the author. */
function application({ application: app, authorHidesApplication, status, viewer }: StatusFacts) {
  if (app === null || !status.local) return {}
  if (authorHidesApplication && viewer.viewerId !== status.accountId) return {}
  return { application: { name: app.name, website: app.website } }
}

/** Keys for signed-in viewers; `pinned` only on statuses the viewer can pin. */
function viewerKeys({ status, viewer, filtered }: StatusFacts, shown: StatusFacts) {
  if (viewer.viewerId === null) return {}
  const pinnable =
    status.accountId === viewer.viewerId && status.reblogOfId === null && status.visibility !== 'direct'
  return {
    favourited: shown.viewer.favourited,
    reblogged: shown.viewer.reblogged,
    muted: shown.viewer.muted,
    bookmarked: shown.viewer.bookmarked,
    ...(pinnable ? { pinned: viewer.pinned } : {}),
    filtered: filtered.map(presentMatch),
  }
}

/** Emoji reactions of a status, an extension that unaware clients ignore. */
function reactions(config: Config, { status, viewer }: StatusFacts): Pick<Status, 'reactions'> {
  if (status.reactions.length === 0) return {}
  return {
    reactions: status.reactions.map((reaction) =>
      presentReaction(config, reaction, viewer.viewerId === null ? null : viewer.ownReactions),
    ),
  }
}

function quoteApproval({ status, viewer }: StatusFacts): Status['quote_approval'] {
  const open = status.visibility === 'public' || status.visibility === 'unlisted'
  const policy = open ? status.quotePolicy : 'nobody'
  const standing = { isAuthor: viewer.viewerId === status.accountId, followsAuthor: viewer.followsAuthor }
  return {
    automatic: policy === 'nobody' ? [] : [policy],
    manual: [],
    current_user: viewer.viewerId !== null && mayQuote(status, standing) ? 'automatic' : 'denied',
  }
}

/** Presents a poll; `votes` are the viewer's own choices, `emojis` those of its status. */
function presentPoll(
  config: Config,
  poll: PollFacts,
  seen: { readonly now: Date; readonly viewerId: number | null; readonly votes: readonly number[] },
  emojis: readonly EmojiSnapshot[],
): Poll {
  const expired = poll.expiresAt !== null && poll.expiresAt <= seen.now
  const hidden = poll.hideTotals && !expired
  return {
    id: String(publicPollId(poll)),
    expires_at: timestampOrNull(poll.expiresAt),
    expired,
    multiple: poll.multiple,
    votes_count: poll.votesCount,
    voters_count: poll.votersCount,
    options: poll.options.map((title, index) => ({
      title,
      votes_count: hidden ? null : (poll.tallies[index] ?? 0),
    })),
    emojis: emojis
      .filter(({ shortcode }) => poll.options.some((option) => option.includes(`:${shortcode}:`)))
      .map((emoji) => presentEmoji(config, emoji, poll.accountId)),
    ...(seen.viewerId === null
      ? {}
      : {
          // The author never votes and always sees what a voter sees.
          voted: seen.votes.length > 0 || seen.viewerId === poll.accountId,
          own_votes: [...seen.votes],
        }),
  }
}

/**
 * State of a quote for its viewer; null if it does not count as a quote. As in Mastodon, a quote in a legacy
 * form is none until there is consent; its text has a link.
 *
 * `isThere`: the viewer may see the quoted status.
 */
function stateOf(quote: QuoteFacts, isThere: boolean): QuoteState | null {
  if (quote.state !== 'accepted') return quote.legacy ? null : quote.state
  if (quote.quotedId === null) return 'deleted'
  if (!isThere) return 'unauthorized'
  if (quote.domainBlocked) return 'blocked_domain'
  if (quote.blocked) return 'blocked_account'
  return quote.muted ? 'muted_account' : 'accepted'
}

/** Whether the client may reveal the quoted status: viewers who blocked or muted its author may. */
function isRevealable(state: QuoteState): boolean {
  return ['accepted', 'blocked_account', 'blocked_domain', 'muted_account'].includes(state)
}

/** Presents the quote of a status that is itself shown as quoted. */
function shallowQuote(quote: QuoteFacts | null): ShallowQuote | null {
  const state = quote === null ? null : stateOf(quote, quote.seen)
  if (quote === null || state === null) return null
  const id = isRevealable(state) ? quote.quotedId : null
  return { state, quoted_status_id: id === null ? null : String(id) }
}
