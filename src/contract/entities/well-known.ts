import * as z from 'zod'
import { Html, Url } from '../scalars'

export const WebFinger = z
  .strictObject({
    subject: z.string(),
    aliases: z.array(z.string()),
    links: z.array(
      z.strictObject({
        rel: z.string(),
        type: z.string().exactOptional(),
        href: Url.exactOptional(),
        template: z.string().exactOptional(),
      }),
    ),
  })
  .meta({ id: 'WebFinger' })

export const HostMeta = z
  .strictObject({
    links: z.array(z.strictObject({ rel: z.enum(['lrdd']), template: z.string() })),
  })
  .meta({ id: 'HostMeta' })

export const NodeInfoDiscovery = z
  .strictObject({
    links: z.array(z.strictObject({ rel: Url, href: Url })),
  })
  .meta({ id: 'NodeInfoDiscovery' })

export const NodeInfo = z
  .strictObject({
    version: z.string(),
    software: z.strictObject({ name: z.string(), version: z.string() }),
    protocols: z.array(z.string()),
    services: z.strictObject({ inbound: z.array(z.string()), outbound: z.array(z.string()) }),
    usage: z.strictObject({
      users: z.strictObject({ total: z.int(), activeMonth: z.int(), activeHalfyear: z.int() }),
      localPosts: z.int(),
    }),
    openRegistrations: z.boolean(),
    metadata: z.strictObject({
      nodeName: z.string().exactOptional(),
      nodeDescription: z.string().exactOptional(),
    }),
  })
  .meta({ id: 'NodeInfo' })

/** Proof configuration that Keybase requests from servers of proven identities. In Mastodon from 2.8 to 3.4. */
export const KeybaseProofConfig = z
  .strictObject({
    version: z.int(),
    domain: z.string(),
    display_name: z.string(),
    username: z.strictObject({ min: z.int(), max: z.int(), re: z.string() }),
    brand_color: z.string(),
    logo: z.strictObject({
      svg_black: Url,
      svg_white: Url,
      svg_full: Url,
      svg_full_darkmode: Url,
    }),
    description: z.string(),
    // Contains placeholders such as %{username}.
    prefill_url: Url,
    profile_url: Url,
    check_url: Url,
    check_path: z.array(z.string()),
    avatar_path: z.array(z.string()),
    contact: z.array(z.string()),
  })
  .meta({ id: 'KeybaseProofConfig' })
export type KeybaseProofConfig = z.infer<typeof KeybaseProofConfig>

export const KeybaseProofs = z
  .strictObject({
    avatar: Url,
    signatures: z.array(z.strictObject({ sig_hash: z.string(), kb_username: z.string() })),
  })
  .meta({ id: 'KeybaseProofs' })

export const OEmbed = z
  .strictObject({
    type: z.enum(['rich']),
    version: z.enum(['1.0']),
    author_name: z.string(),
    author_url: Url,
    provider_name: z.string(),
    provider_url: Url,
    cache_age: z.int(),
    html: Html,
    width: z.int(),
    height: z.int().nullable(),
  })
  .meta({ id: 'OEmbed' })
export type OEmbed = z.infer<typeof OEmbed>

/** A profile: sites show its name and picture with a link. */
export const ProfileEmbed = z
  .strictObject({
    type: z.enum(['link']),
    version: z.enum(['1.0']),
    title: z.string(),
    author_name: z.string(),
    author_url: Url,
    provider_name: z.string(),
    provider_url: Url,
    cache_age: z.int(),
    thumbnail_url: Url,
    thumbnail_width: z.int(),
    thumbnail_height: z.int(),
  })
  .meta({ id: 'FieldfareProfileEmbed' })
export type ProfileEmbed = z.infer<typeof ProfileEmbed>
