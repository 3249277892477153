import type { Config } from '../../config'
import type { CredentialAccount, ProfileField as ProfileFieldEntity } from '../../contract/entities/account'
import type {
  AccountArchive,
  ArchiveImport,
  ArchiveImportResult,
  ArchiveProfileResult,
  Preferences as Entity,
  Profile,
} from '../../contract/entities/own-account'
import type { ProfileField } from '../../db/values'
import { type Preferences, preferencesOf } from '../../domain/users/defaults'
import { NotFound } from '../../errors'
import type { AccountFacts, OwnAccount, OwnFacts, OwnProfile } from '../load/accounts'
import { presentOnlyAccount, presentRole } from './account'
import { presentFeaturedTag } from './tag'
import { timestamp, timestampOrNull } from './time'

/** Presents the viewer's own account with its source texts, posting defaults and role. */
export function presentCredentialAccount(config: Config, found: OwnAccount): CredentialAccount {
  const { facts, own } = ownParts(found)
  const { visibility, sensitive, quotePolicy } = preferencesOf({ ...own, locked: facts.locked })
  return {
    ...presentOnlyAccount(config, found.accounts),
    source: {
      attribution_domains: [...facts.attributionDomains],
      note: own.note,
      fields: facts.fields.map(presentSource),
      privacy: visibility,
      sensitive,
      language: own.settings.defaultLanguage ?? null,
      follow_requests_count: own.followRequests,
      hide_collections: facts.hideCollections,
      discoverable: facts.discoverable,
      indexable: facts.indexable,
      quote_policy: quotePolicy,
    },
    role: presentRole(own.role, own.basicPermissions),
  }
}

/**
 * Presents the viewer's own profile for editing: unlike in the account, pictures that were never set are null.
 */
export function presentProfile(config: Config, found: OwnProfile): Profile {
  const { facts, own } = ownParts(found)
  const account = presentOnlyAccount(config, found.accounts)
  const { avatar, avatar_static, header, header_static } = account
  const noAvatar = { avatar: null, avatar_static: null }
  const noHeader = { header: null, header_static: null }
  return {
    id: account.id,
    display_name: account.display_name,
    note: own.note,
    formatted_note: account.note,
    fields: facts.fields.map(presentSource),
    formatted_fields: account.fields,
    ...(facts.avatar === null ? noAvatar : { avatar, avatar_static }),
    avatar_description: account.avatar_description,
    ...(facts.header === null ? noHeader : { header, header_static }),
    header_description: account.header_description,
    locked: account.locked,
    bot: account.bot,
    hide_collections: account.hide_collections,
    discoverable: account.discoverable,
    indexable: account.indexable,
    show_media: account.show_media,
    show_media_replies: account.show_media_replies,
    show_featured: account.show_featured,
    attribution_domains: [...facts.attributionDomains],
    featured_tags: found.featuredTags.map((tag) => presentFeaturedTag(config, tag)),
  }
}

function ownParts({ accounts, own }: OwnAccount): { readonly facts: AccountFacts; readonly own: OwnFacts } {
  const [id] = accounts.ids
  const facts = id === undefined ? undefined : accounts.accounts.get(id)
  if (facts === undefined || own === null) throw new NotFound()
  return { facts, own }
}

function presentSource({ name, value, verifiedAt }: ProfileField): ProfileFieldEntity {
  return { name, value, verified_at: verifiedAt === null ? null : timestamp(new Date(verifiedAt)) }
}

export function presentPreferences(preferences: Preferences): Entity {
  return {
    'posting:default:visibility': preferences.visibility,
    'posting:default:sensitive': preferences.sensitive,
    'posting:default:language': preferences.language,
    'posting:default:quote_policy': preferences.quotePolicy,
    'reading:expand:media': preferences.expandMedia,
    'reading:expand:spoilers': preferences.expandSpoilers,
    'reading:autoplay:gifs': preferences.autoplayGifs,
  }
}

interface ArchiveFacts {
  readonly id: number
  readonly sizeBytes: number
  readonly createdAt: Date
  readonly readyAt: Date | null
}

export function presentAccountArchive(row: ArchiveFacts, keptMilliseconds: number): AccountArchive {
  const { id, sizeBytes, createdAt, readyAt } = row
  return {
    id: String(id),
    state: readyAt === null ? 'making' : 'ready',
    size_bytes: readyAt === null ? null : sizeBytes,
    created_at: timestamp(createdAt),
    ready_at: timestampOrNull(readyAt),
    expires_at: timestampOrNull(readyAt === null ? null : new Date(readyAt.getTime() + keptMilliseconds)),
  }
}

interface ImportFacts {
  readonly id: number
  readonly actorUri: string
  readonly proof: ArchiveImport['proof']
  readonly imported: number
  readonly refused: number
  readonly createdAt: Date
  readonly progressedAt: Date
}

export function presentArchiveImport(row: ImportFacts): ArchiveImport {
  return {
    id: String(row.id),
    actor: row.actorUri,
    proof: row.proof,
    imported_count: row.imported,
    refused_count: row.refused,
    created_at: timestamp(row.createdAt),
    progressed_at: timestamp(row.progressedAt),
  }
}

interface ResultFacts {
  readonly kind: ArchiveImportResult['state']
  readonly uri: string | null
  readonly id?: number
  readonly reason?: string
  readonly missing?: readonly string[]
}

export function presentArchiveResult(result: ResultFacts): ArchiveImportResult {
  return {
    uri: result.uri,
    state: result.kind,
    id: result.id === undefined ? null : String(result.id),
    reason: result.reason ?? null,
    missing_files: [...(result.missing ?? [])],
  }
}

export function presentRestoredProfile(
  restored: readonly ('displayName' | 'note' | 'fields' | 'avatar' | 'header')[],
): ArchiveProfileResult {
  return { restored: restored.map((part) => (part === 'displayName' ? 'display_name' : part)) }
}
