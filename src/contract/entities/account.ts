import * as z from 'zod'
import { CalendarDate, Html, IdString, Timestamp, Url } from '../scalars'
import { FeatureApproval } from './approval'
import { CustomEmoji } from './custom-emoji'
import { Field, ProfileField } from './field'
import { AccountRole, Role } from './role'
import { QuotePolicy, Visibility } from './visibility'

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
