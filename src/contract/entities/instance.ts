import * as z from 'zod'
import {
  CalendarDate,
  CountString,
  Html,
  IdString,
  SocketUrl,
  Timestamp,
  UnixTimeString,
  Url,
} from '../scalars'
import { Account } from './account'

export const InstanceActivity = z
  .strictObject({
    week: UnixTimeString,
    statuses: CountString,
    logins: CountString,
    registrations: CountString,
  })
  .meta({ id: 'InstanceActivity' })
export type InstanceActivity = z.infer<typeof InstanceActivity>

export const Rule = z
  .strictObject({
    id: IdString,
    text: z.string(),
    hint: z.string(),
    // Keyed by language code.
    translations: z.record(z.string(), z.strictObject({ text: z.string(), hint: z.string() })),
  })
  .meta({ id: 'Rule' })
export type Rule = z.infer<typeof Rule>

export const InstanceIcon = z
  .strictObject({
    src: z.string(),
    size: z.string(),
  })
  .meta({ id: 'InstanceIcon' })

const FeedAccess = z.enum(['public', 'authenticated', 'disabled'])
const LocalTagAndLinkAccess = z.enum(['public', 'authenticated'])

export const InstancePollLimits = z.strictObject({
  max_options: z.int(),
  max_characters_per_option: z.int(),
  min_expiration: z.int(),
  max_expiration: z.int(),
})

export const InstanceStatusLimits = z.strictObject({
  max_characters: z.int(),
  max_media_attachments: z.int(),
  characters_reserved_per_url: z.int(),
})

export const InstanceMediaLimits = z.strictObject({
  supported_mime_types: z.array(z.string()),
  image_size_limit: z.int(),
  image_matrix_limit: z.int(),
  video_size_limit: z.int(),
  video_frame_rate_limit: z.int(),
  video_matrix_limit: z.int(),
})

const AccountLimits = z.strictObject({
  max_display_name_length: z.int(),
  max_note_length: z.int(),
  max_avatar_description_length: z.int(),
  max_header_description_length: z.int(),
  max_featured_tags: z.int(),
  max_pinned_statuses: z.int(),
  max_profile_fields: z.int(),
  profile_field_name_limit: z.int(),
  profile_field_value_limit: z.int(),
})

/** An extension: Glitch announces reactions to clients this way. */
export const InstanceReactionLimits = z.strictObject({ max_reactions: z.int() })

const Configuration = z.strictObject({
  urls: z.strictObject({
    streaming: SocketUrl,
    status: Url.nullable(),
    about: Url,
    privacy_policy: Url.nullable(),
    terms_of_service: Url.nullable(),
  }),
  vapid: z.strictObject({ public_key: z.string() }),
  accounts: AccountLimits,
  statuses: InstanceStatusLimits,
  media_attachments: InstanceMediaLimits.extend({ description_limit: z.int() }),
  polls: InstancePollLimits,
  translation: z.strictObject({ enabled: z.boolean() }),
  timelines_access: z.strictObject({
    live_feeds: z.strictObject({ local: FeedAccess, remote: FeedAccess }),
    hashtag_feeds: z.strictObject({ local: LocalTagAndLinkAccess, remote: FeedAccess }),
    trending_link_feeds: z.strictObject({ local: LocalTagAndLinkAccess, remote: FeedAccess }),
  }),
  limited_federation: z.boolean(),
  reactions: InstanceReactionLimits,
})

export const Instance = z
  .strictObject({
    domain: z.string(),
    title: z.string(),
    version: z.string(),
    source_url: Url,
    description: z.string(),
    // The year of the annual report on offer: text in the documentation, a number in Mastodon.
    wrapstodon: z.union([z.int(), z.string()]).nullable(),
    usage: z.strictObject({ users: z.strictObject({ active_month: z.int() }) }),
    thumbnail: z.strictObject({
      url: Url,
      description: z.string(),
      blurhash: z.string().nullable().exactOptional(),
      versions: z.strictObject({ '@1x': Url.exactOptional(), '@2x': Url.exactOptional() }).exactOptional(),
    }),
    icon: z.array(InstanceIcon),
    languages: z.array(z.string()),
    configuration: Configuration,
    registrations: z.strictObject({
      enabled: z.boolean(),
      approval_required: z.boolean(),
      reason_required: z.boolean().nullable(),
      message: Html.nullable(),
      min_age: z.int().nullable(),
      url: Url.nullable(),
    }),
    // `fieldfare`: own, the version of the administration API.
    api_versions: z.strictObject({ mastodon: z.int(), fieldfare: z.int() }),
    contact: z.strictObject({ email: z.string(), account: Account.nullable() }),
    rules: z.array(Rule),
  })
  .meta({ id: 'Instance' })
export type Instance = z.infer<typeof Instance>

export const V1Instance = z
  .strictObject({
    uri: z.string(),
    title: z.string(),
    short_description: z.string(),
    description: z.string(),
    email: z.string(),
    version: z.string(),
    urls: z.strictObject({ streaming_api: SocketUrl }),
    stats: z.strictObject({ user_count: z.int(), status_count: z.int(), domain_count: z.int() }),
    thumbnail: Url.nullable(),
    languages: z.array(z.string()),
    registrations: z.boolean(),
    approval_required: z.boolean(),
    invites_enabled: z.boolean(),
    configuration: z.strictObject({
      accounts: z.strictObject({ max_featured_tags: z.int() }),
      statuses: InstanceStatusLimits,
      media_attachments: InstanceMediaLimits,
      polls: InstancePollLimits,
      reactions: InstanceReactionLimits,
    }),
    contact_account: Account.nullable(),
    rules: z.array(Rule),
  })
  .meta({ id: 'V1Instance' })
export type V1Instance = z.infer<typeof V1Instance>

export const Language = z
  .strictObject({
    code: z.string(),
    name: z.string(),
  })
  .meta({ id: 'Language' })

export const ExtendedDescription = z
  .strictObject({
    // Null if the text was never written.
    updated_at: Timestamp.nullable(),
    content: Html,
  })
  .meta({ id: 'ExtendedDescription' })

export const PrivacyPolicy = z
  .strictObject({
    updated_at: Timestamp,
    content: Html,
  })
  .meta({ id: 'PrivacyPolicy' })

export const TermsOfService = z
  .strictObject({
    // The time of publication where no day was set.
    effective_date: z.union([CalendarDate, Timestamp]),
    effective: z.boolean(),
    content: Html,
    succeeded_by: CalendarDate.nullable(),
  })
  .meta({ id: 'TermsOfService' })
export type TermsOfService = z.infer<typeof TermsOfService>

/** A limit this instance puts on another, as shown publicly. */
export const DomainBlock = z
  .strictObject({
    domain: z.string(),
    digest: z.string(),
    severity: z.enum(['silence', 'suspend']),
    // Null unless the caller may read the reasons; the documentation lets it be absent.
    comment: z.string().nullable().exactOptional(),
  })
  .meta({ id: 'DomainBlock' })
export type DomainBlock = z.infer<typeof DomainBlock>

/** The follows a domain block would cost the viewer. */
export const DomainBlockPreview = z
  .strictObject({
    following_count: z.int(),
    followers_count: z.int(),
  })
  .meta({ id: 'DomainBlockPreview' })
