import type { Config } from '../../../config'
import type { Conversation } from '../../../contract/entities/timelines'
import { htmlToText } from '../../../lib/html'
import { type PersonView, type PostView, personView, postView } from '../../posts/post-view'

/** A conversation as its owner reads it. */
export interface ConversationView {
  readonly id: string
  readonly isUnread: boolean
  /** The other participants; its owner if there are no others. */
  readonly people: readonly PersonView[]
  /** Names of the people in one line. */
  readonly names: string
  readonly last: PostView
}

/** The conversation of an entity, for its owner; null for one without a last status, which no list shows. */
export function conversationView(
  config: Config,
  { id, unread, accounts, last_status: last }: Conversation,
  ownerId: number,
): ConversationView | null {
  if (last === null) return null
  const people = accounts.map((account) => personView(config, account))
  return {
    id,
    isUnread: unread,
    people,
    names: people.map(({ name }) => name).join(', '),
    last: messageView(postView(config, last, ownerId)),
  }
}

/** A mention as posts contain it. */
const mention = '<span class="h-card"[^>]*><a [^>]*class="u-url mention"[^>]*>@<span>[^<]*</span></a></span>'
const addressees = new RegExp(`^<p>(?:${mention}(?:\\s|<br>)*)+`)

/** A post without the mentions that it begins with: the conversation names its people already. */
export function messageView(post: PostView): PostView {
  const rest = post.html.replace(addressees, '<p>').replace(/^<p><\/p>/, '')
  return { ...post, html: rest === '' && post.media.length === 0 ? post.html : rest }
}

/** The beginning of a message: its warning where it has one, else its words; empty for pictures alone. */
export function firstWords({ warning, html }: PostView): string {
  return (warning ?? htmlToText(html)).slice(0, 200)
}

/** Messages that one person sent one after the other. */
export interface Turn {
  readonly author: PersonView
  readonly isOwn: boolean
  readonly posts: readonly PostView[]
}

export interface TalkDay {
  readonly at: Date
  readonly turns: readonly Turn[]
}

/** Milliseconds after which a person begins a new turn. */
const pause = 3_600_000

/** Messages, which come latest first, by day and by person, oldest first. `dayOf` names the day of a moment where the reader is. */
export function talkDays(posts: readonly PostView[], dayOf: (at: Date) => string): readonly TalkDay[] {
  const ordered = posts
    .toReversed()
    .toSorted((one, other) => one.createdAt.getTime() - other.createdAt.getTime())
  const days = Map.groupBy(ordered, ({ createdAt }) => dayOf(createdAt))
  return [...days.values()].flatMap((ofDay) =>
    ofDay.slice(0, 1).map(({ createdAt }) => ({ at: createdAt, turns: turnsOf(ofDay) })),
  )
}

function turnsOf(posts: readonly PostView[]): readonly Turn[] {
  const turns: { readonly author: PersonView; readonly isOwn: boolean; readonly posts: PostView[] }[] = []
  for (const post of posts) {
    const turn = turns.at(-1)
    const before = turn?.posts.at(-1)?.createdAt.getTime() ?? 0
    if (turn?.author.id === post.author.id && post.createdAt.getTime() - before < pause) turn.posts.push(post)
    else turns.push({ author: post.author, isOwn: post.state?.isOwn === true, posts: [post] })
  }
  return turns
}
