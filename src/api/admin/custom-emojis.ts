import * as z from 'zod'
import { AdminCustomEmoji } from '../../contract/entities/admin/instance'
import { parseDomain } from '../../contract/handle'
import { Flag, Id, Upload } from '../../contract/scalars'
import { addEmoji, emojiOrNotFound, removeEmoji, updateEmoji } from '../../domain/custom-emojis/change'
import { copyEmoji } from '../../domain/custom-emojis/copy'
import { findOwnEmojis, ownEmojiById } from '../../domain/custom-emojis/find'
import { Invalid, NotFound } from '../../errors'
import type { Ctx } from '../../ports/ctx'
import { presentAdminCustomEmoji } from '../../view/present/admin-instance'
import { endpoint, readEndpoint, staff, updateEndpoints } from '../endpoint'
import { page, pageOf, paging } from '../paginate'

const path = '/api/fieldfare/v1/admin/custom_emojis'
const reading = staff('admin:read', 'manageCustomEmojis')
const writing = staff('admin:write', 'manageCustomEmojis')

const ById = z.object({ id: Id })
const Fields = z.object({
  category: z.string().nullish(),
  visible_in_picker: Flag,
})

export const adminCustomEmojis = [
  readEndpoint({
    path,
    summary: 'The custom emojis of this server, newest first; with `q` those whose shortcode begins so',
    auth: reading,
    input: z.object({ q: z.string().max(128).default(''), ...paging(40, 200) }),
    output: z.array(AdminCustomEmoji),
    read: (ctx, { input }) => findOwnEmojis(ctx, input.q.trim(), pageOf(input)),
    show: ({ config }, { found, request, input }) =>
      page(
        found.map((emoji) => presentAdminCustomEmoji(config, emoji)),
        request,
        { cursors: found.map(({ id }) => id), limit: input.limit },
      ),
  }),
  endpoint({
    path,
    summary: 'Adds a PNG, GIF or WebP as a custom emoji',
    auth: writing,
    takesFiles: true,
    input: Fields.extend({ shortcode: z.string(), image: Upload }),
    output: AdminCustomEmoji,
    run: async (ctx, { input, viewer }) => {
      const { shortcode, image, category = null, visible_in_picker: visibleInPicker = true } = input
      if (image === undefined) throw new Invalid('blank', { field: 'image' })
      return presentById(
        ctx,
        await addEmoji(ctx, viewer, { shortcode, bytes: image, category, visibleInPicker }),
      )
    },
  }),
  endpoint({
    path: `${path}/copy`,
    summary: 'Copies a custom emoji of another server',
    auth: writing,
    input: z.object({ shortcode: z.string(), domain: z.string(), category: z.string().nullish() }),
    output: AdminCustomEmoji,
    run: async (ctx, { input, viewer }) => {
      const { shortcode, category = null } = input
      const domain = parseDomain(input.domain)
      if (domain === null) throw new Invalid('invalid_domain', { field: 'domain' })
      return presentById(ctx, await copyEmoji(ctx, viewer, { shortcode, domain, category }))
    },
  }),
  readEndpoint({
    path: `${path}/:id`,
    summary: 'One custom emoji',
    auth: reading,
    input: ById,
    output: AdminCustomEmoji,
    read: (ctx, { input }) => ownEmojiById(ctx, input.id),
    show: ({ config }, { found }) => {
      if (found === null) throw new NotFound()
      return presentAdminCustomEmoji(config, found)
    },
  }),
  ...updateEndpoints({
    path: `${path}/:id`,
    summary: 'Changes category, visibility in pickers, or disables an emoji; fields that are left out stay',
    auth: writing,
    input: Fields.extend({ ...ById.shape, disabled: Flag }),
    output: AdminCustomEmoji,
    run: async (ctx, { input, viewer }) => {
      const { id, category, disabled, visible_in_picker: visibleInPicker } = input
      await updateEmoji(ctx, viewer, await emojiOrNotFound(ctx, { id }), {
        ...(category === undefined ? {} : { category }),
        ...(disabled === undefined ? {} : { disabled }),
        ...(visibleInPicker === undefined ? {} : { visibleInPicker }),
      })
      return presentById(ctx, id)
    },
  }),
  endpoint({
    method: 'DELETE',
    path: `${path}/:id`,
    summary: 'Deletes a custom emoji with its picture',
    auth: writing,
    input: ById,
    run: async (ctx, { input, viewer }) => removeEmoji(ctx, viewer, await emojiOrNotFound(ctx, input)),
  }),
]

async function presentById(ctx: Ctx, id: number) {
  return presentAdminCustomEmoji(ctx.config, await emojiOrNotFound(ctx, { id }))
}
