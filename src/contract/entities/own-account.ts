import * as z from 'zod'
import { Html, IdString, Timestamp, Url } from '../scalars'
import { Field, ProfileField } from './account'
import { FeaturedTag } from './tag'
import { QuotePolicy, Visibility } from './visibility'

/** The viewer's own profile as written, beside its formatted form. */
export const Profile = z
  .strictObject({
    id: IdString,
    display_name: z.string(),
    note: z.string(),
    formatted_note: Html,
    fields: z.array(ProfileField),
    formatted_fields: z.array(Field),
    avatar: Url.nullable(),
    avatar_static: Url.nullable(),
    avatar_description: z.string(),
    header: Url.nullable(),
    header_static: Url.nullable(),
    header_description: z.string(),
    locked: z.boolean(),
    bot: z.boolean(),
    hide_collections: z.boolean().nullable(),
    discoverable: z.boolean().nullable(),
    indexable: z.boolean(),
    show_media: z.boolean(),
    show_media_replies: z.boolean(),
    show_featured: z.boolean(),
    attribution_domains: z.array(z.string()),
    featured_tags: z.array(FeaturedTag),
  })
  .meta({ id: 'Profile' })
export type Profile = z.infer<typeof Profile>

export const Preferences = z
  .strictObject({
    'posting:default:visibility': Visibility,
    'posting:default:sensitive': z.boolean(),
    'posting:default:language': z.string().nullable(),
    'posting:default:quote_policy': QuotePolicy,
    'reading:expand:media': z.enum(['default', 'show_all', 'hide_all']),
    'reading:expand:spoilers': z.boolean(),
    'reading:autoplay:gifs': z.boolean(),
  })
  .meta({ id: 'Preferences' })
export type Preferences = z.infer<typeof Preferences>

/** Archive of the account of the viewer. Own entity. */
export const AccountArchive = z
  .strictObject({
    id: IdString,
    state: z.enum(['making', 'ready']),
    size_bytes: z.int().nullable(),
    created_at: Timestamp,
    ready_at: Timestamp.nullable(),
    // Time of its deletion; null until it is ready.
    expires_at: Timestamp.nullable(),
  })
  .meta({ id: 'FieldfareAccountArchive' })
export type AccountArchive = z.infer<typeof AccountArchive>

/** Import of the archive of an account on another server. Own entity. */
export const ArchiveImport = z
  .strictObject({
    id: IdString,
    // Id of the account on the server that made the archive.
    actor: z.string(),
    // Proof that it is the account that imports: it names it as an alias, or links to it. Null without one.
    proof: z.enum(['alias', 'link']).nullable(),
    // Statuses and reblogs imported so far, and entries that were refused.
    imported_count: z.int(),
    refused_count: z.int(),
    created_at: Timestamp,
    progressed_at: Timestamp,
  })
  .meta({ id: 'FieldfareArchiveImport' })
export type ArchiveImport = z.infer<typeof ArchiveImport>

/** Result of importing an entry of an archive. Own entity. */
export const ArchiveImportResult = z
  .strictObject({
    // Address on the old server; null where the entry has none.
    uri: z.string().nullable(),
    // `known`: imported before.
    state: z.enum(['imported', 'known', 'refused']),
    id: IdString.nullable(),
    reason: z.string().nullable(),
    // Files that were not uploaded, and which it therefore lacks.
    missing_files: z.array(z.string()),
  })
  .meta({ id: 'FieldfareArchiveImportResult' })
export type ArchiveImportResult = z.infer<typeof ArchiveImportResult>

/** Entry of an archive that was refused. Own entity. */
export const ArchiveImportRefusal = z
  .strictObject({ uri: z.string(), reason: z.string() })
  .meta({ id: 'FieldfareArchiveImportRefusal' })

/** Result of importing a favourite or bookmark. Own entity. */
export const ArchiveMarkResult = z
  .strictObject({
    uri: z.string(),
    // `unknown`: no status here has the address, or the account may not see it.
    state: z.enum(['marked', 'unknown']),
  })
  .meta({ id: 'FieldfareArchiveMarkResult' })

/** Parts of the profile that an archive filled; the others were not empty, or are not in the archive. Own entity. */
export const ArchiveProfileResult = z
  .strictObject({ restored: z.array(z.enum(['display_name', 'note', 'fields', 'avatar', 'header'])) })
  .meta({ id: 'FieldfareArchiveProfileResult' })
export type ArchiveProfileResult = z.infer<typeof ArchiveProfileResult>

export const Invite = z
  .strictObject({
    invite_code: z.string(),
    instance_api_url: Url,
  })
  .meta({ id: 'Invite' })
