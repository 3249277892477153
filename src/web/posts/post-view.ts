import type { Config } from '../../config'
import type { Account } from '../../contract/entities/account'
import type { Poll, Quote, ShallowQuote, Status } from '../../contract/entities/status'
import { emojisOf, renderEmojis } from '../emojis'
import { authorView, cardView, contentOf, mayReblog, mediaView, titleOf } from '../status-view'
import type { AuthorView, CardView, MediaView } from '../status-view-model'

/** A post as members read it: the entity of the API with what this member did with it. */
export interface PostView {
  /** Id of the post that is shown: of a boost, that of the original. */
  readonly id: string
  /** Id of the entry of the timeline: of a boost, its own. */
  readonly entryId: string
  readonly author: PersonView
  readonly boostedBy: PersonView | null
  /** Null for a post that stands for itself. */
  readonly boostedAt: Date | null
  /** The page of the post on this server. */
  readonly path: string
  /** Address on the server of its author. */
  readonly url: string
  readonly isRemote: boolean
  readonly createdAt: Date
  readonly isEdited: boolean
  readonly visibility: Status['visibility']
  readonly isLocalOnly: boolean
  /** Id of the post it answers; null if it answers none. */
  readonly parentId: string | null
  readonly replyTo: ReplyTo | null
  readonly warning: string | null
  /** Sanitised, with pictures of its emojis. */
  readonly html: string
  readonly language: string | null
  /** Beginning of its text for the name of the article; null if it has none. */
  readonly headline: string | null
  readonly isSensitive: boolean
  readonly media: readonly MediaView[]
  readonly poll: PostPoll | null
  readonly quote: PostQuote | null
  readonly card: PostCard | null
  readonly reactions: readonly PostReaction[]
  readonly counts: { readonly replies: number; readonly reblogs: number; readonly favourites: number }
  /** Marks and rights of the member; null for visitors. */
  readonly state: PostState | null
  /** Title of the filter that folds it, and whether only its media are blurred; null if none does. */
  readonly filter: { readonly title: string; readonly isBlur: boolean } | null
}

export interface PersonView extends AuthorView {
  readonly id: string
  /** `name` here, `name@host` elsewhere. */
  readonly acct: string
  /** The page of the account on this server. */
  readonly path: string
}

export interface ReplyTo {
  /** Null where the post does not mention its author. */
  readonly acct: string | null
  readonly path: string
  readonly isOwnThread: boolean
}

export interface PostPoll {
  readonly id: string
  readonly isMultiple: boolean
  readonly isClosed: boolean
  readonly closesAt: Date | null
  readonly voters: number
  readonly hasVoted: boolean
  readonly options: readonly {
    readonly title: string
    readonly votes: number | null
    readonly isOwn: boolean
  }[]
}

export type PostQuote =
  | { readonly state: 'accepted'; readonly post: PostView }
  | { readonly state: Exclude<Quote['state'], 'accepted'> | 'unseen' }

export interface PostCard extends CardView {
  readonly author: PersonView | null
}

export interface PostReaction {
  readonly name: string
  readonly count: number
  readonly isOwn: boolean
  readonly url: string | null
}

export interface PostState {
  readonly isOwn: boolean
  readonly favourited: boolean
  readonly reblogged: boolean
  readonly bookmarked: boolean
  readonly muted: boolean
  readonly pinned: boolean
  readonly mayBoost: boolean
  readonly mayPin: boolean
  readonly mayQuote: boolean
}

/** Path of the page of an account on this server. */
export function personPath(acct: string): string {
  return `/@${acct}`
}

/** The post of an entity, for a member by the id of their account, or for visitors by null. */
export function postView(config: Config, entry: Status, readerId: number | null): PostView {
  const status = entry.reblog ?? entry
  const author = personView(config, status.account)
  const state = readerId === null ? null : stateOf(status, readerId)
  return {
    id: status.id,
    entryId: entry.id,
    author,
    boostedBy: entry.reblog === null ? null : personView(config, entry.account),
    boostedAt: entry.reblog === null ? null : new Date(entry.created_at),
    path: `${author.path}/${status.id}`,
    url: status.url ?? status.uri,
    isRemote: author.acct.includes('@'),
    createdAt: new Date(status.created_at),
    isEdited: status.edited_at !== null,
    visibility: status.visibility,
    isLocalOnly: status.local_only === true,
    parentId: status.in_reply_to_id,
    replyTo: replyToOf(status, author),
    warning: status.spoiler_text === '' ? null : status.spoiler_text,
    html: renderEmojis(contentOf(status), emojisOf(status.emojis)),
    language: status.language,
    headline: titleOf(status),
    isSensitive: status.sensitive,
    media: status.media_attachments.map(mediaView),
    poll: status.poll === null ? null : pollOf(status.poll),
    quote: quoteOf(config, status.quote, readerId),
    card: status.card === null || status.media_attachments.length > 0 ? null : cardOf(config, status.card),
    reactions: (status.reactions ?? []).map(({ name, count, me = false, url = null }) => ({
      name,
      count,
      isOwn: me,
      url,
    })),
    counts: {
      replies: status.replies_count,
      reblogs: status.reblogs_count,
      favourites: status.favourites_count,
    },
    state,
    filter: filterOf(entry) ?? filterOf(status),
  }
}

/** An account as posts and lists name it. */
export function personView(config: Config, account: Account): PersonView {
  const { id, acct } = account
  return { ...authorView(config, account), id, acct, path: personPath(acct) }
}

function stateOf(status: Status, readerId: number): PostState {
  const isOwn = Number(status.account.id) === readerId
  return {
    isOwn,
    favourited: status.favourited === true,
    reblogged: status.reblogged === true,
    bookmarked: status.bookmarked === true,
    muted: status.muted === true,
    pinned: status.pinned === true,
    mayBoost: mayReblog(status, readerId),
    mayPin: isOwn && status.visibility !== 'direct',
    mayQuote:
      status.quote_approval.current_user === 'automatic' || status.quote_approval.current_user === 'manual',
  }
}

function replyToOf(status: Status, author: PersonView): ReplyTo | null {
  if (status.in_reply_to_id === null) return null
  const isOwnThread = status.in_reply_to_account_id === status.account.id
  const mentioned = status.mentions.find(({ id }) => id === status.in_reply_to_account_id)
  const acct = isOwnThread ? author.acct : (mentioned?.acct ?? null)
  const page = acct === null ? `${author.path}/${status.id}` : `${personPath(acct)}/${status.in_reply_to_id}`
  return { acct, path: page, isOwnThread }
}

function pollOf(poll: Poll): PostPoll {
  const own = new Set(poll.own_votes ?? [])
  return {
    id: poll.id,
    isMultiple: poll.multiple,
    isClosed: poll.expired,
    closesAt: poll.expires_at === null ? null : new Date(poll.expires_at),
    voters: poll.voters_count ?? poll.votes_count,
    hasVoted: poll.voted === true,
    options: poll.options.map(({ title, votes_count: votes }, index) => ({
      title,
      votes,
      isOwn: own.has(index),
    })),
  }
}

function quoteOf(
  config: Config,
  quote: Quote | ShallowQuote | null,
  readerId: number | null,
): PostQuote | null {
  if (quote === null) return null
  if (quote.state !== 'accepted') return { state: quote.state }
  const status = 'quoted_status' in quote ? quote.quoted_status : null
  return status === null
    ? { state: 'unseen' }
    : { state: 'accepted', post: postView(config, { ...status, quote: null }, readerId) }
}

function cardOf(config: Config, card: NonNullable<Status['card']>): PostCard {
  const account = card.authors.find((one) => one.account !== null)?.account ?? null
  return { ...cardView(card), author: account === null ? null : personView(config, account) }
}

function filterOf({ filtered }: Status): PostView['filter'] {
  const [match] = (filtered ?? []).toSorted(
    (one, other) =>
      Number(one.filter.filter_action === 'blur') - Number(other.filter.filter_action === 'blur'),
  )
  if (match === undefined) return null
  return { title: match.filter.title, isBlur: match.filter.filter_action === 'blur' }
}
