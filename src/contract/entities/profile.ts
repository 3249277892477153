import * as z from 'zod'
import { Html, IdString, Url } from '../scalars'
import { Field, ProfileField } from './field'
import { FeaturedTag } from './tag'

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
