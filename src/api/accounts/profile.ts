import * as z from 'zod'
import { CredentialAccount } from '../../contract/entities/account'
import { Flag, OptionalTextList, Upload } from '../../contract/scalars'
import { execute } from '../../db/query'
import type { UserSettings } from '../../db/schema/accounts'
import type { ProfilePatch } from '../../domain/accounts/profile-patch'
import { updateProfile } from '../../domain/accounts/update'
import { type Viewer, viewerById } from '../../domain/core/viewer'
import { knownLanguage } from '../../lib/language'
import type { Ctx } from '../../ports/ctx'
import { loadOwnAccount } from '../../view/load/accounts'
import { presentCredentialAccount } from '../../view/present/own-account'
import { endpoint, readEndpoint, user } from '../endpoint'

/** Text: empty clears the field; only an absent key leaves it unchanged. */
const Text = z.preprocess(
  (sent) => (sent === null ? '' : typeof sent === 'number' ? String(sent) : sent),
  z.string().optional(),
)

const FieldText = z.preprocess((sent) => (typeof sent === 'number' ? String(sent) : (sent ?? '')), z.string())

/**
 * Rows as a list, or keyed by index as forms send them; the keys only give the order. Text and numbers in the place of
 * the list or of a row are no fields, and change none, as in Mastodon.
 */
const Fields = z.preprocess((sent) => {
  if (typeof sent !== 'object' || sent === null) return undefined
  const all: unknown[] = Object.values(sent)
  const rows = all.filter((row) => typeof row === 'object' && row !== null)
  return rows.length === 0 && all.length > 0 ? undefined : rows
}, z.array(z.object({ name: FieldText, value: FieldText })).optional())

const Blankable = <S extends z.ZodType>(schema: S) =>
  z.preprocess((sent) => (sent === '' || sent === null ? undefined : sent), schema.optional())

/** Old clients send an empty list when they change nothing. */
const Source = z.preprocess(
  (sent) => (typeof sent !== 'object' || Array.isArray(sent) || sent === null ? undefined : sent),
  z
    .object({
      privacy: Blankable(z.enum(['public', 'unlisted', 'private'])),
      sensitive: Flag,
      language: z.string().nullish(),
      quote_policy: Blankable(z.enum(['public', 'followers', 'nobody'])),
    })
    .optional(),
)

/** Fields shared by both endpoints that edit a profile. */
export const ProfileInput = z.object({
  display_name: Text,
  note: Text,
  avatar: Upload,
  avatar_description: Text,
  header: Upload,
  header_description: Text,
  locked: Flag,
  bot: Flag,
  discoverable: Flag,
  indexable: Flag,
  hide_collections: Flag,
  show_media: Flag,
  show_media_replies: Flag,
  show_featured: Flag,
  attribution_domains: OptionalTextList,
  fields_attributes: Fields,
})

/** update_credentials also takes the posting defaults. */
const CredentialsInput = ProfileInput.extend({ source: Source })

export function patchOf(input: z.output<typeof CredentialsInput>): ProfilePatch {
  return {
    displayName: input.display_name,
    note: input.note,
    avatar: chosen(input.avatar),
    avatarDescription: input.avatar_description,
    header: chosen(input.header),
    headerDescription: input.header_description,
    locked: input.locked,
    bot: input.bot,
    discoverable: input.discoverable,
    indexable: input.indexable,
    hideCollections: input.hide_collections,
    showMedia: input.show_media,
    showMediaReplies: input.show_media_replies,
    showFeatured: input.show_featured,
    attributionDomains: input.attribution_domains,
    fields: input.fields_attributes,
    settings: input.source === undefined ? undefined : settingsOf(input.source),
  }
}

/** Browsers send an empty file for an untouched field. */
function chosen(file: Uint8Array | undefined): Uint8Array | undefined {
  return file?.byteLength === 0 ? undefined : file
}

/** An unknown language counts as none: then the language of the interface is the default. */
function settingsOf(source: NonNullable<z.output<typeof Source>>): UserSettings {
  const { privacy, sensitive, language, quote_policy } = source
  return {
    ...(privacy === undefined ? {} : { defaultVisibility: privacy }),
    ...(sensitive === undefined ? {} : { defaultSensitive: sensitive }),
    ...(language === undefined ? {} : { defaultLanguage: knownLanguage(language ?? '') }),
    ...(quote_policy === undefined ? {} : { defaultQuotePolicy: quote_policy }),
  }
}

export const accountCredentials = [
  readEndpoint({
    path: '/api/v1/accounts/verify_credentials',
    summary: "The viewer's own account",
    auth: user('read:accounts', 'profile'),
    output: CredentialAccount,
    read: (ctx, { as }) => loadOwnAccount(ctx, as),
    show: ({ config }, { found }) => presentCredentialAccount(config, found),
  }),
  endpoint({
    method: 'PATCH',
    path: '/api/v1/accounts/update_credentials',
    summary: 'Edit the own profile and posting defaults',
    auth: user('write:accounts'),
    takesFiles: true,
    input: CredentialsInput,
    output: CredentialAccount,
    run: async (ctx, { input, viewer }) => {
      await updateProfile(ctx, viewer, patchOf(input))
      return ownAccount(ctx, viewer)
    },
  }),
]

/** The viewer's own account after the write: the response to every change of it. */
export async function ownAccount(ctx: Ctx, viewer: Viewer): Promise<CredentialAccount> {
  return presentCredentialAccount(
    ctx.config,
    await execute(ctx.db, loadOwnAccount(ctx, viewerById(viewer.id))),
  )
}
