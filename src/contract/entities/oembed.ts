import * as z from 'zod'
import { Html, Url } from '../scalars'

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
