import type { Config } from '../../config'
import type { Account } from '../../contract/entities/account'
import type { Instance, InstanceActivity, Rule, V1Instance } from '../../contract/entities/instance'
import { accountLimits, mediaLimits, pollLimits, reactionLimits } from '../../contract/limits'
import { URL_CHARACTERS } from '../../contract/text/count'
import { administrationApiVersion, apiVersion, versionForClients } from '../../contract/version'
import type { activityWeeks, rules } from '../../db/schema'
import type { FileRef } from '../../db/values'
import { weekStart } from '../../lib/days'
import { escapeHtml } from '../../lib/html'
import { convertedMimes, type SupportedMimeType, supportedMimeTypes } from '../../lib/media/sniff'
import { defaultThumbnailUrl, fileUrl, iconUrls } from '../urls'

/** Inputs of the instance documents. */
export interface InstanceFacts {
  readonly settings: {
    readonly title: string
    readonly shortDescription: string
    readonly registrations: 'open' | 'approval' | 'closed'
    readonly registrationsMessage: string | null
    readonly minimumAge: number | null
    readonly contactEmail: string | null
    readonly thumbnail: FileRef | null
    readonly thumbnailLarge: FileRef | null
    readonly thumbnailBlurhash: string | null
    readonly thumbnailDescription: string
    readonly logo: FileRef | null
    readonly termsOfService: string | null
    readonly statusUrl: string | null
    readonly languages: readonly string[]
    readonly localFeedAccess: 'public' | 'authenticated' | 'disabled'
    readonly remoteFeedAccess: 'public' | 'authenticated' | 'disabled'
    readonly localTagAccess: 'public' | 'authenticated'
    readonly remoteTagAccess: 'public' | 'authenticated' | 'disabled'
  }
  readonly rules: readonly (typeof rules.$inferSelect)[]
  readonly contact: Account | null
  /** Types of uploads that the image service of this deployment converts. */
  readonly convertible: readonly SupportedMimeType[]
}

/** Presents the instance document (API v2). `activeMonth` counts the users active in the last 30 days. */
export function presentInstance(
  config: Config,
  facts: InstanceFacts & { readonly activeMonth: number; readonly vapidKey: string },
): Instance {
  const { settings, contact } = facts
  return {
    domain: config.domain,
    title: settings.title,
    version: versionForClients,
    source_url: config.sourceUrl,
    description: settings.shortDescription,
    wrapstodon: null,
    usage: { users: { active_month: facts.activeMonth } },
    thumbnail: {
      url: thumbnailUrl(config, settings.thumbnail),
      description: settings.thumbnailDescription || (settings.thumbnail === null ? defaultThumbnail : ''),
      blurhash: settings.thumbnail === null ? null : settings.thumbnailBlurhash,
      ...thumbnailVersions(config, settings),
    },
    icon: iconUrls(config, settings.logo).map(({ side, url }) => ({ src: url, size: `${side}x${side}` })),
    languages: [...settings.languages],
    configuration: configuration(config, facts),
    registrations: registrations(settings),
    api_versions: { mastodon: apiVersion.number, fieldfare: administrationApiVersion },
    contact: { email: settings.contactEmail ?? '', account: contact },
    rules: presentRules(facts.rules),
  }
}

/** Presents the instance document of API v1, which clients made before 2022 read. */
export function presentV1Instance(
  config: Config,
  facts: InstanceFacts & {
    readonly invitesEnabled: boolean
    readonly counters: { readonly users: number; readonly statuses: number; readonly domains: number }
  },
): V1Instance {
  const { settings, counters } = facts
  const { description_limit: _unknownThen, ...attachments } = attachmentLimits(config, facts.convertible)
  return {
    uri: config.domain,
    title: settings.title,
    short_description: settings.shortDescription,
    description: settings.shortDescription,
    email: settings.contactEmail ?? '',
    version: versionForClients,
    urls: { streaming_api: streamingUrl(config) },
    stats: {
      user_count: counters.users,
      status_count: counters.statuses,
      domain_count: counters.domains,
    },
    thumbnail: thumbnailUrl(config, settings.thumbnail),
    languages: [...settings.languages],
    registrations: settings.registrations !== 'closed',
    approval_required: settings.registrations === 'approval',
    invites_enabled: facts.invitesEnabled,
    configuration: {
      accounts: { max_featured_tags: accountLimits.featuredTags },
      statuses: statusLimits(config),
      media_attachments: attachments,
      polls,
      reactions,
    },
    contact_account: facts.contact,
    rules: presentRules(facts.rules),
  }
}

export function presentRules(list: InstanceFacts['rules']): Rule[] {
  return list.map(({ id, text, hint, translations }) => ({ id: String(id), text, hint, translations }))
}

/** Presents weekly activity, by the UNIX time each week begins; every figure is text. */
export function presentActivity(
  weeks: readonly Omit<typeof activityWeeks.$inferSelect, 'days'>[],
): InstanceActivity[] {
  return weeks.map(({ week, statuses, logins, registrations: signUps }) => ({
    week: String(weekStart(week).getTime() / 1000),
    statuses: String(statuses),
    logins: String(logins),
    registrations: String(signUps),
  }))
}

const polls = {
  max_options: pollLimits.options,
  max_characters_per_option: pollLimits.optionCharacters,
  min_expiration: pollLimits.minSeconds,
  max_expiration: pollLimits.maxSeconds,
}

const reactions = { max_reactions: reactionLimits.perAccount }

type Settings = InstanceFacts['settings']

function configuration(
  config: Config,
  { settings, vapidKey, convertible }: InstanceFacts & { readonly vapidKey: string },
): Instance['configuration'] {
  const { origin } = config
  return {
    urls: {
      streaming: streamingUrl(config),
      status: settings.statusUrl,
      about: `${origin}/about`,
      privacy_policy: `${origin}/privacy-policy`,
      terms_of_service: settings.termsOfService === null ? null : `${origin}/terms-of-service`,
    },
    vapid: { public_key: vapidKey },
    accounts: {
      max_display_name_length: accountLimits.displayNameCharacters,
      max_note_length: accountLimits.noteCharacters,
      max_avatar_description_length: accountLimits.pictureDescriptionCharacters,
      max_header_description_length: accountLimits.pictureDescriptionCharacters,
      max_featured_tags: accountLimits.featuredTags,
      max_pinned_statuses: accountLimits.pinnedStatuses,
      max_profile_fields: accountLimits.fields,
      profile_field_name_limit: accountLimits.fieldNameCharacters,
      profile_field_value_limit: accountLimits.fieldValueCharacters,
    },
    statuses: statusLimits(config),
    media_attachments: attachmentLimits(config, convertible),
    polls,
    translation: { enabled: config.translation !== null },
    timelines_access: {
      live_feeds: { local: settings.localFeedAccess, remote: settings.remoteFeedAccess },
      hashtag_feeds: { local: settings.localTagAccess, remote: settings.remoteTagAccess },
      trending_link_feeds: { local: settings.localTagAccess, remote: settings.remoteTagAccess },
    },
    limited_federation: config.federation.limited,
    reactions,
  }
}

function statusLimits(config: Config) {
  return {
    max_characters: config.limits.statusCharacters,
    max_media_attachments: mediaLimits.perStatus,
    characters_reserved_per_url: URL_CHARACTERS,
  }
}

function attachmentLimits(config: Config, convertible: InstanceFacts['convertible']) {
  const drawsPictures = !config.missingServices.includes('images')
  return {
    supported_mime_types: supportedMimeTypes.filter(
      (mime) => convertible.includes(mime) || !convertedMimes.includes(mime),
    ),
    description_limit: mediaLimits.descriptionCharacters,
    image_size_limit: config.limits.imageBytes,
    image_matrix_limit: drawsPictures ? mediaLimits.imagePixels : mediaLimits.keptImagePixels,
    video_size_limit: config.limits.videoBytes,
    video_frame_rate_limit: mediaLimits.framesPerSecond,
    video_matrix_limit: mediaLimits.videoPixels,
  }
}

function registrations(settings: Settings): Instance['registrations'] {
  const message = settings.registrationsMessage
  const approval = settings.registrations === 'approval'
  return {
    enabled: settings.registrations !== 'closed',
    approval_required: approval,
    reason_required: approval,
    message: message === null ? null : `<p>${escapeHtml(message).replaceAll('\n', '<br>')}</p>`,
    min_age: settings.minimumAge,
    url: null,
  }
}

/** Text for the picture that servers have until they choose their own. */
const defaultThumbnail =
  'A fieldfare, a thrush with a slate-blue head and a spotted breast, on a branch with three red berries'

function thumbnailUrl(config: Config, thumbnail: FileRef | null): string {
  return thumbnail === null ? defaultThumbnailUrl(config) : fileUrl(config, thumbnail, null)
}

/** Versions of an uploaded thumbnail; none of the default one. */
function thumbnailVersions(
  config: Config,
  { thumbnail, thumbnailLarge }: Pick<InstanceFacts['settings'], 'thumbnail' | 'thumbnailLarge'>,
) {
  if (thumbnail === null || thumbnailLarge === null) return {}
  const versions = { '@1x': fileUrl(config, thumbnail, null), '@2x': fileUrl(config, thumbnailLarge, null) }
  return { versions }
}

/** WebSocket URL of the server. */
function streamingUrl(config: Config): string {
  return config.origin.replace(/^http/, 'ws')
}
