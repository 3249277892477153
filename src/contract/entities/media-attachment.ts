import * as z from 'zod'
import { IdString, Url } from '../scalars'

/** Dimensions and timing of one rendition; the keys present depend on the type of media. */
const Rendition = z.strictObject({
  width: z.int().exactOptional(),
  height: z.int().exactOptional(),
  size: z.string().exactOptional(),
  aspect: z.number().exactOptional(),
  frame_rate: z.string().exactOptional(),
  duration: z.number().exactOptional(),
  bitrate: z.int().exactOptional(),
})

export const MediaAttachment = z
  .strictObject({
    id: IdString,
    type: z.enum(['unknown', 'image', 'gifv', 'video', 'audio']),
    url: Url.nullable(),
    preview_url: Url.nullable(),
    remote_url: Url.nullable(),
    preview_remote_url: Url.nullable().exactOptional(),
    // The name that Mastodon's code has for `preview_remote_url`.
    thumbnail_remote_url: Url.nullable().exactOptional(),
    // Null: files have no pages of their own here.
    text_url: Url.nullable().exactOptional(),
    meta: z
      .strictObject({
        focus: z
          .strictObject({ x: z.number().nullable(), y: z.number().nullable() })
          .nullable()
          .exactOptional(),
        original: Rendition.exactOptional(),
        small: Rendition.exactOptional(),
      })
      .nullable(),
    description: z.string().nullable(),
    blurhash: z.string().nullable(),
  })
  .meta({ id: 'MediaAttachment' })
export type MediaAttachment = z.infer<typeof MediaAttachment>
