import type { Config } from '../../config'
import { acctOf, actorUri, profileUrl } from '../../contract/addresses'
import type {
  Account,
  FeatureApproval,
  MutedAccount,
  Relationship,
  Role,
} from '../../contract/entities/account'
import type { Suggestion } from '../../contract/entities/search'
import { hasRetiredHandle } from '../../contract/handle'
import type { roles } from '../../db/schema'
import type { SuggestionEntry, SuggestionSource } from '../../db/schema/discovery'
import type { FileRef, ProfileField } from '../../db/values'
import { featurePolicyOf, mayFeature } from '../../domain/policy/featuring'
import { effectivePermissions } from '../../domain/policy/permissions'
import { NotFound } from '../../errors'
import { dayText } from '../../lib/days'
import type { AccountId } from '../../lib/ids'
import type { AccountBundle, AccountFacts, AccountRoleFacts } from '../load/accounts'
import type { MuteBundle, RelationshipFacts } from '../load/relationships'
import { defaultAvatarUrl, defaultHeaderUrl, fileUrl, staticUrl } from '../urls'
import { presentEmoji } from './emoji'
import { midnight, timestamp, timestampOrNull } from './time'

/** Presents an account of a bundle, with the account it moved to (not nested further). */
export function presentAccount(config: Config, bundle: AccountBundle, id: AccountId): Account {
  const facts = bundle.accounts.get(id)
  if (facts === undefined) throw new NotFound()
  const movedTo = facts.suspendedAt === null ? facts.movedToAccountId : null
  const target = movedTo === null ? undefined : bundle.accounts.get(movedTo)
  const account = accountEntity(config, facts, bundle.roles.get(id) ?? null)
  return target === undefined ? account : { ...account, moved: accountEntity(config, target, null) }
}

/** Presents the one account a bundle was loaded for, or throws `NotFound`. */
export function presentOnlyAccount(config: Config, bundle: AccountBundle): Account {
  const [id] = bundle.ids
  if (id === undefined) throw new NotFound()
  return presentAccount(config, bundle, id)
}

/** Presents the accounts of a bundle in its order. */
export function presentAccounts(config: Config, bundle: AccountBundle): Account[] {
  return bundle.ids.map((id) => presentAccount(config, bundle, id))
}

/** Presents muted accounts with the expiry of each mute. */
export function presentMutedAccounts(config: Config, { accounts, expiries }: MuteBundle): MutedAccount[] {
  return accounts.ids.map((id) => ({
    ...presentAccount(config, accounts, id),
    mute_expires_at: timestampOrNull(expiries.get(id) ?? null),
  }))
}

/** Presents one account from its row. Suspended accounts keep their name and lose all profile content. */
export function accountEntity(config: Config, facts: AccountFacts, role: AccountRoleFacts | null): Account {
  const local = facts.domain === null
  const suspended = facts.suspendedAt !== null
  const shown = suspended ? blank(facts) : facts
  const avatar = pictureUrls(config, shown.avatar, { owner: facts.id, absent: defaultAvatarUrl })
  const header = pictureUrls(config, shown.header, { owner: facts.id, absent: defaultHeaderUrl })
  return {
    id: String(facts.id),
    username: facts.username,
    acct: acctOf(facts),
    display_name: shown.displayName,
    locked: shown.locked,
    bot: shown.actorType === 'Service' || shown.actorType === 'Application',
    discoverable: shown.discoverable,
    indexable: shown.indexable,
    group: shown.actorType === 'Group',
    created_at: midnight(facts.createdAt),
    note: shown.noteHtml,
    url: facts.url ?? (local ? profileUrl(config.origin, facts.username) : facts.uri),
    uri: facts.uri ?? actorUri(config.origin, facts.username),
    avatar: avatar.url,
    avatar_static: avatar.still,
    avatar_description: shown.avatarDescription,
    header: header.url,
    header_static: header.still,
    header_description: shown.headerDescription,
    followers_count: facts.followersCount,
    following_count: facts.followingCount,
    statuses_count: facts.statusesCount,
    last_status_at: facts.lastStatusAt === null ? null : dayText(facts.lastStatusAt),
    hide_collections: facts.hideCollections,
    show_media: facts.showMedia,
    show_media_replies: facts.showMediaReplies,
    show_featured: facts.showFeatured,
    emojis: shown.emojis.map((emoji) => presentEmoji(config, emoji, facts.id)),
    fields: shown.fields.map(presentField),
    feature_approval: featureApproval(shown),
    ...(local ? { noindex: !shown.indexable, roles: role === null || suspended ? [] : shownRole(role) } : {}),
    ...(facts.memorial ? { memorial: true } : {}),
    ...(suspended ? { suspended: true } : {}),
    ...(facts.silencedAt === null ? {} : { limited: true }),
    ...(facts.sensitizedAt === null ? {} : { sensitized: true }),
    ...(hasRetiredHandle(facts) ? { invalid_handle: true } : {}),
  }
}

interface PictureOwner {
  readonly owner: AccountId
  /** Picture of accounts without one. */
  absent(config: Config): string
}

/** URLs of a profile picture and of its static form: the same unless it is animated. */
function pictureUrls(config: Config, picture: FileRef | null, { owner, absent }: PictureOwner) {
  const url = picture === null ? absent(config) : fileUrl(config, picture, owner)
  return { url, still: picture?.still === undefined ? url : staticUrl(config, picture, owner) }
}

/**
 * Viewer relationship for attribution checks: not looked up for a field that only some servers' accounts have.
 */
const unknownRelationship = { isSelf: false, followsTarget: null, followedByTarget: null }

function featureApproval(facts: AccountFacts): FeatureApproval {
  const policy = featurePolicyOf(facts)
  return {
    automatic: [...(policy?.automatic ?? [])],
    manual: [...(policy?.manual ?? [])],
    current_user: mayFeature(policy, unknownRelationship),
  }
}

function shownRole(role: AccountRoleFacts) {
  return role.highlighted ? [{ id: String(role.id), name: role.name, color: role.color }] : []
}

function blank(facts: AccountFacts): AccountFacts {
  return {
    ...facts,
    displayName: '',
    noteHtml: '',
    fields: [],
    emojis: [],
    avatar: null,
    avatarDescription: '',
    header: null,
    headerDescription: '',
    locked: false,
    actorType: 'Person',
    discoverable: false,
    indexable: false,
    featurePolicy: null,
  }
}

function presentField(field: ProfileField) {
  return {
    name: field.name,
    value: field.html,
    verified_at: field.verifiedAt === null ? null : timestamp(new Date(field.verifiedAt)),
  }
}

export function presentRelationship(facts: RelationshipFacts): Relationship {
  return {
    id: String(facts.id),
    following: facts.following,
    showing_reblogs: facts.showReblogs === true,
    notifying: facts.notify === true,
    languages: facts.languages === null ? null : [...facts.languages],
    followed_by: facts.followedBy,
    blocking: facts.blocking,
    blocked_by: facts.blockedBy,
    muting: facts.muting,
    muting_notifications: facts.mutingNotifications,
    muting_expires_at: timestampOrNull(facts.mutingExpiresAt),
    requested: facts.requested && !facts.following,
    requested_by: facts.requestedBy,
    domain_blocking: facts.domainBlocking,
    endorsed: facts.endorsed,
    note: facts.note,
  }
}

export type RoleFacts = Pick<
  typeof roles.$inferSelect,
  'id' | 'name' | 'color' | 'permissions' | 'highlighted' | 'collectionLimit'
>

/**
 * Presents a role with its effective permissions: administrators have every permission, no role fewer than
 * `basicPermissions`, those of the base role.
 */
export function presentRole(role: RoleFacts, basicPermissions: number): Role {
  return {
    id: String(role.id),
    name: role.name,
    color: role.color,
    permissions: String(effectivePermissions(role.permissions | basicPermissions)),
    highlighted: role.highlighted,
    collection_limit: role.collectionLimit,
  }
}

/** Values of the deprecated `source`, as Mastodon maps them. */
const legacySources: Readonly<Record<SuggestionSource, Suggestion['source']>> = {
  featured: 'staff',
  friends_of_friends: 'past_interactions',
  most_followed: 'global',
  most_interactions: 'global',
}

/** Presents the accounts of a bundle in its order, with the sources of each suggestion. */
export function presentSuggestions(
  config: Config,
  entries: readonly SuggestionEntry[],
  bundle: AccountBundle,
): Suggestion[] {
  const reasons = new Map(entries.map(({ id, sources }) => [id, sources]))
  return bundle.ids.map((id) => {
    const sources = reasons.get(id) ?? []
    const [first] = sources
    return {
      source: first === undefined ? 'global' : legacySources[first],
      sources: [...sources],
      account: presentAccount(config, bundle, id),
    }
  })
}
