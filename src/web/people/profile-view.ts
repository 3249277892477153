import type { Config } from '../../config'
import type { Account, Relationship } from '../../contract/entities/account'
import type { TextKey } from '../../lib/translate'
import { emojisOf, renderEmojis } from '../emojis'
import { type PersonView, personPath, personView } from '../posts/post-view'
import { fullHandle } from '../status-view'
import type { PersonAct } from './acts'

/** An account as a row shows it: with the button for what the member may do next. */
export interface RelatedPerson extends PersonView {
  readonly isOwn: boolean
  readonly button: RelationButton | null
  readonly followsYou: boolean
}

/** The one button of an account. */
export type RelationButton =
  | { readonly kind: 'edit' }
  | (MovedTo & { readonly kind: 'moved' })
  | { readonly kind: 'act'; readonly act: PersonAct; readonly label: TextKey; readonly isMain: boolean }

/** The new account of a person. */
interface MovedTo {
  readonly acct: string
  readonly path: string
}

/** Reason why a profile shows one sentence instead of its content. */
export type Hiding = 'suspended' | 'blocking' | 'blocked_server' | 'blocked_by' | 'limited'

/** An account as its page shows it to members. */
export interface Profile extends ShownProfile {
  readonly relationship: Relationship
}

/** An account as its page shows it, also to visitors. */
export interface ShownProfile extends RelatedPerson {
  readonly fullHandle: string
  /** Domain of its server; null for accounts of this server. */
  readonly domain: string | null
  /** Address on its own server. */
  readonly url: string
  readonly hiding: Hiding | null
  readonly avatarDescription: string
  readonly headerUrl: string
  readonly headerDescription: string
  /** Sanitised. */
  readonly noteHtml: string
  readonly fields: readonly { readonly name: string; readonly html: string; readonly isVerified: boolean }[]
  readonly roles: readonly string[]
  readonly isBot: boolean
  readonly isLocked: boolean
  readonly isMemorial: boolean
  readonly movedTo: MovedTo | null
  readonly joinedAt: Date
  readonly counts: { readonly posts: number; readonly following: number; readonly followers: number }
  /** The account hides its follows. */
  readonly hidesPeople: boolean
  /** Null for visitors. */
  readonly relationship: Relationship | null
}

/** Relationship, and the id of the account of the member. */
interface Reader {
  readonly relationship: Relationship
  readonly readerId: number
}

export function relatedPerson(
  config: Config,
  account: Account,
  { relationship, readerId }: Reader,
): RelatedPerson {
  const isOwn = Number(account.id) === readerId
  return {
    ...personView(config, account),
    isOwn,
    button: buttonOf(account, relationship, isOwn),
    followsYou: relationship.followed_by,
  }
}

/** The account of an entity; `showsLimited` shows what moderators limited, because the member asked for it. */
export function profileOf(
  config: Config,
  account: Account,
  { relationship, readerId, showsLimited }: Reader & { readonly showsLimited: boolean },
): Profile {
  const person = relatedPerson(config, account, { relationship, readerId })
  const hiding = hidingOf(account, relationship)
  return {
    ...person,
    ...profileTexts(config, account),
    hiding: hiding === 'limited' && (showsLimited || person.isOwn) ? null : hiding,
    hidesPeople: account.hide_collections === true && !person.isOwn,
    relationship,
  }
}

/** The account of an entity as visitors see it. */
export function visitorsProfile(config: Config, account: Account): ShownProfile {
  return {
    ...personView(config, account),
    ...profileTexts(config, account),
    isOwn: false,
    button: null,
    followsYou: false,
    hiding: null,
    hidesPeople: account.hide_collections === true,
    relationship: null,
  }
}

/** Properties of a profile that are the same for every reader. */
function profileTexts(config: Config, account: Account) {
  const emojis = emojisOf(account.emojis)
  return {
    fullHandle: fullHandle(config, account),
    domain: account.acct.split('@')[1] ?? null,
    url: account.url ?? account.uri,
    avatarDescription: account.avatar_description,
    headerUrl: account.header_static,
    headerDescription: account.header_description,
    noteHtml: renderEmojis(account.note, emojis),
    fields: account.fields.map(({ name, value, verified_at: verifiedAt }) => ({
      name,
      html: renderEmojis(value, emojis),
      isVerified: verifiedAt !== null,
    })),
    roles: (account.roles ?? []).map(({ name }) => name),
    isBot: account.bot,
    isLocked: account.locked,
    isMemorial: account.memorial === true,
    movedTo: movedToOf(account),
    joinedAt: new Date(account.created_at),
    counts: {
      posts: account.statuses_count,
      following: account.following_count,
      followers: account.followers_count,
    },
  }
}

/** The narrowest reason first. Accounts one follows are shown although moderators limited them, as in Mastodon. */
function hidingOf(account: Account, relationship: Relationship): Hiding | null {
  if (account.suspended === true) return 'suspended'
  if (relationship.blocking) return 'blocking'
  if (relationship.blocked_by) return 'blocked_by'
  if (relationship.domain_blocking) return 'blocked_server'
  return account.limited === true && !relationship.following ? 'limited' : null
}

function buttonOf(account: Account, relationship: Relationship, isOwn: boolean): RelationButton | null {
  if (isOwn) return { kind: 'edit' }
  const { following, requested, blocking, muting, followed_by: followsYou } = relationship
  if (blocking) return undo('unblock', 'client.person.unblock')
  if (relationship.domain_blocking) return undo('unblock_server', 'client.person.unblockServer')
  if (muting) return undo('unmute', 'client.person.unmute')
  if (following) return undo('unfollow', 'client.person.following')
  if (requested) return undo('unfollow', 'client.person.requested')
  if (account.suspended === true || relationship.blocked_by || account.memorial === true) return null
  const movedTo = movedToOf(account)
  if (movedTo !== null) return { ...movedTo, kind: 'moved' }
  const label = followsYou ? 'client.person.followBack' : 'common.follow'
  return { kind: 'act', act: 'follow', label, isMain: true }
}

function movedToOf({ moved }: Account): MovedTo | null {
  return moved == null ? null : { acct: moved.acct, path: personPath(moved.acct) }
}

function undo(act: PersonAct, label: TextKey): RelationButton {
  return { kind: 'act', act, label, isMain: false }
}
