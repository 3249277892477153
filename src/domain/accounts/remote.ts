import type { EmojiSnapshot, FeaturePolicy, ProfileField } from '../../db/values'

/** Remote actor as parsed from its document: HTML sanitised, URLs checked, lengths cut. */
export interface RemoteActor {
  readonly uri: string
  readonly username: string
  /** Host in its handle, lower case; that of `uri` until WebFinger says otherwise. */
  readonly domain: string
  /** Handle in its `webfinger` property (FEP-2c59), unverified; null when the document has none. */
  readonly claimedHandle: { readonly username: string; readonly domain: string } | null
  readonly url: string | null
  readonly type: 'Person' | 'Service' | 'Group' | 'Organization' | 'Application'
  readonly displayName: string
  readonly noteHtml: string
  readonly fields: readonly ProfileField[]
  readonly emojis: readonly EmojiSnapshot[]
  readonly avatar: RemotePicture | null
  readonly header: RemotePicture | null
  readonly locked: boolean
  readonly discoverable: boolean | null
  readonly indexable: boolean
  readonly memorial: boolean
  readonly suspended: boolean
  readonly attributionDomains: readonly string[]
  /** Policy for adding the account to collections; null when the document has none. */
  readonly featurePolicy: FeaturePolicy | null
  readonly alsoKnownAs: readonly string[]
  readonly movedTo: string | null
  readonly publishedAt: Date | null
  readonly inbox: string
  readonly sharedInbox: string | null
  readonly outbox: string | null
  readonly followers: string | null
  readonly following: string | null
  readonly featured: string | null
  readonly featuredTags: string | null
  readonly featuredCollections: string | null
  readonly keys: readonly RemoteKey[]
}

export interface RemotePicture {
  readonly url: string
  readonly description: string
}

/** PEM, or multibase for Ed25519. */
export interface RemoteKey {
  readonly id: string
  readonly publicKey: string
}
