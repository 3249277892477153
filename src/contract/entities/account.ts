import * as z from 'zod'
import { CalendarDate, Html, IdString, Timestamp, Url } from '../scalars'
import { CustomEmoji } from './custom-emoji'
import { QuotePolicy, Visibility } from './visibility'

export const Field = z
  .strictObject({
    name: z.string(),
    value: Html,
    verified_at: Timestamp.nullable(),
  })
  .meta({ id: 'Field' })

export const ProfileField = z
  .strictObject({
    name: z.string(),
    value: z.string(),
    verified_at: Timestamp.nullable(),
  })
  .meta({ id: 'ProfileField' })
export type ProfileField = z.infer<typeof ProfileField>

// Role ids are not `IdString`: clients know the role of every account by its fixed id -99.
export const AccountRole = z
  .strictObject({
    id: z.string(),
    name: z.string(),
    color: z.string(),
  })
  .meta({ id: 'AccountRole' })

export const Role = z
  .strictObject({
    id: z.string(),
    name: z.string(),
    color: z.string(),
    permissions: z.string(),
    highlighted: z.boolean(),
    collection_limit: z.int(),
  })
  .meta({ id: 'Role' })
export type Role = z.infer<typeof Role>

const Approvers = z.array(z.enum(['public', 'followers', 'following', 'unsupported_policy']))

export const FeatureApproval = z
  .strictObject({
    automatic: Approvers,
    manual: Approvers,
    current_user: z.enum(['automatic', 'manual', 'denied', 'unknown', 'missing']),
  })
  .meta({ id: 'FeatureApproval' })
export type FeatureApproval = z.infer<typeof FeatureApproval>

export const QuoteApproval = z
  .strictObject({
    automatic: Approvers,
    manual: Approvers,
    current_user: z.enum(['automatic', 'manual', 'denied', 'unknown']),
  })
  .meta({ id: 'QuoteApproval' })

const accountKeys = z.strictObject({
  id: IdString,
  username: z.string(),
  acct: z.string(),
  url: Url.nullable(),
  uri: Url,
  display_name: z.string(),
  note: Html,
  avatar: Url,
  avatar_static: Url,
  avatar_description: z.string(),
  header: Url,
  header_static: Url,
  header_description: z.string(),
  locked: z.boolean(),
  fields: z.array(Field),
  emojis: z.array(CustomEmoji),
  bot: z.boolean(),
  group: z.boolean(),
  discoverable: z.boolean().nullable(),
  indexable: z.boolean(),
  noindex: z.boolean().nullable().exactOptional(),
  memorial: z.boolean().exactOptional(),
  suspended: z.boolean().exactOptional(),
  limited: z.boolean().exactOptional(),
  // True while moderators mark all media of the account as sensitive.
  sensitized: z.boolean().exactOptional(),
  created_at: Timestamp,
  last_status_at: CalendarDate.nullable(),
  statuses_count: z.int(),
  followers_count: z.int(),
  following_count: z.int(),
  hide_collections: z.boolean().nullable(),
  show_media: z.boolean(),
  show_media_replies: z.boolean(),
  show_featured: z.boolean(),
  // Local accounts only.
  roles: z.array(AccountRole).exactOptional(),
  feature_approval: FeatureApproval,
  email_subscriptions: z.boolean().exactOptional(),
  // True once the address leads to another account, or nowhere.
  invalid_handle: z.boolean().exactOptional(),
})

// An interface, because TypeScript infers self-references inside one inferred type differently per use.
export interface Account extends z.infer<typeof accountKeys> {
  moved?: Account | null
}

// A schema per use: shared inside a cycle it would become a nameless definition in the OpenAPI document.
function movedTo() {
  return z
    .lazy((): z.ZodType<Account, Account> => Account)
    .nullable()
    .exactOptional()
}

export const Account = accountKeys
  .extend({
    moved: movedTo(),
  })
  .meta({ id: 'Account' })

export const CredentialAccount = Account.extend({
  moved: movedTo(),
  source: z.strictObject({
    attribution_domains: z.array(z.string()),
    note: z.string(),
    fields: z.array(ProfileField),
    privacy: Visibility,
    sensitive: z.boolean(),
    language: z.string().nullable(),
    follow_requests_count: z.int(),
    hide_collections: z.boolean().nullable(),
    discoverable: z.boolean().nullable(),
    indexable: z.boolean(),
    quote_policy: QuotePolicy,
  }),
  role: Role,
}).meta({ id: 'CredentialAccount' })
export type CredentialAccount = z.infer<typeof CredentialAccount>

export const MutedAccount = Account.extend({
  moved: movedTo(),
  mute_expires_at: Timestamp.nullable(),
}).meta({ id: 'MutedAccount' })
export type MutedAccount = z.infer<typeof MutedAccount>

export const PartialAccountWithAvatar = z
  .strictObject({
    id: IdString,
    acct: z.string(),
    url: Url.nullable(),
    avatar: Url,
    avatar_static: Url,
    avatar_description: z.string(),
    locked: z.boolean(),
    bot: z.boolean(),
  })
  .meta({ id: 'PartialAccountWithAvatar' })
export type PartialAccountWithAvatar = z.infer<typeof PartialAccountWithAvatar>

export const Relationship = z
  .strictObject({
    id: IdString,
    following: z.boolean(),
    showing_reblogs: z.boolean(),
    notifying: z.boolean(),
    languages: z.array(z.string()).nullable(),
    followed_by: z.boolean(),
    blocking: z.boolean(),
    blocked_by: z.boolean(),
    muting: z.boolean(),
    muting_notifications: z.boolean(),
    muting_expires_at: Timestamp.nullable(),
    requested: z.boolean(),
    requested_by: z.boolean(),
    domain_blocking: z.boolean(),
    endorsed: z.boolean(),
    note: z.string(),
  })
  .meta({ id: 'Relationship' })
export type Relationship = z.infer<typeof Relationship>

export const FamiliarFollowers = z
  .strictObject({
    id: IdString,
    accounts: z.array(Account),
  })
  .meta({ id: 'FamiliarFollowers' })

export const RelationshipSeveranceEvent = z
  .strictObject({
    id: IdString,
    type: z.enum(['domain_block', 'user_domain_block', 'account_suspension']),
    purged: z.boolean(),
    target_name: z.string(),
    followers_count: z.int(),
    following_count: z.int(),
    created_at: Timestamp,
  })
  .meta({ id: 'RelationshipSeveranceEvent' })
export type RelationshipSeveranceEvent = z.infer<typeof RelationshipSeveranceEvent>
