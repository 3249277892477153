import type { Config } from '../../config'
import type { CredentialAccount } from '../../contract/entities/account'
import type { ProfileField as ProfileFieldEntity } from '../../contract/entities/field'
import type { Profile } from '../../contract/entities/profile'
import type { ProfileField } from '../../db/values'
import { preferencesOf } from '../../domain/users/defaults'
import { NotFound } from '../../errors'
import type { AccountFacts } from '../load/accounts'
import type { OwnAccount, OwnFacts, OwnProfile } from '../load/own-account'
import { presentOnlyAccount } from './account'
import { presentRole } from './role'
import { presentFeaturedTag } from './tag'
import { timestamp } from './time'

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
