import { type Context, Hono } from 'hono'
import * as z from 'zod'
import { execute } from '../db/query'
import { addEmoji } from '../domain/custom-emojis/add'
import { type EmojiPatch, emojiOrNotFound, removeEmoji, updateEmoji } from '../domain/custom-emojis/change'
import { copyEmoji } from '../domain/custom-emojis/copy'
import { type CustomEmojiRow, ownEmojisAfter } from '../domain/custom-emojis/find'
import { parseDomain } from '../lib/handle'
import { fileUrl } from '../view/urls'
import type { OperatorEnv } from './env'
import { readInput } from './input'

const Named = z.object({ shortcode: z.string() })
const category = z.string().trim().min(1).nullable().default(null)
const Added = Named.extend({
  category,
  picture: z.base64().transform((text) => Uint8Array.fromBase64(text)),
})
const Copied = Named.extend({
  category,
  domain: z.string().transform((text, { addIssue }) => {
    const domain = parseDomain(text)
    if (domain !== null) return domain
    addIssue('is not a host')
    return z.NEVER
  }),
})
const Categorised = Named.extend({ category })

/** Emojis that one call lists. */
const emojisPerPart = 380

/** Custom emoji routes for operators without a panel. Mounted behind the set-up token. */
export function emojiRoutes(): Hono<OperatorEnv> {
  const app = new Hono<OperatorEnv>()
  app.post('/setup/emojis/list', async (c) => {
    const ctx = c.get('ctx')
    const { after } = await readInput(c, z.object({ after: z.string().nullable().default(null) }))
    const part = await execute(ctx.db, ownEmojisAfter(ctx, after ?? '', emojisPerPart))
    return c.json({
      next: part.length < emojisPerPart ? null : (part.at(-1)?.shortcode ?? null),
      emojis: part.map(({ shortcode, category, disabled, visibleInPicker, image }) => ({
        shortcode,
        category,
        disabled,
        visible_in_picker: visibleInPicker,
        url: fileUrl(ctx.config, image, null),
      })),
    })
  })
  app.post('/setup/emojis/add', async (c) => {
    const { picture, ...input } = await readInput(c, Added)
    await addEmoji(c.get('ctx'), c.get('moderator'), { ...input, bytes: picture })
    return c.json({})
  })
  app.post('/setup/emojis/copy', async (c) => {
    await copyEmoji(c.get('ctx'), c.get('moderator'), await readInput(c, Copied))
    return c.json({})
  })
  app.post('/setup/emojis/category', async (c) => {
    const ctx = c.get('ctx')
    const input = await readInput(c, Categorised)
    await updateEmoji(ctx, c.get('moderator'), await emojiOrNotFound(ctx, input), {
      category: input.category,
    })
    return c.json({})
  })
  app.post(
    '/setup/emojis/remove',
    deciding((c, emoji) => removeEmoji(c.get('ctx'), c.get('moderator'), emoji)),
  )
  for (const [verb, patch] of changes)
    app.post(
      `/setup/emojis/${verb}`,
      deciding((c, emoji) => updateEmoji(c.get('ctx'), c.get('moderator'), emoji, patch)),
    )
  return app
}

const changes: readonly (readonly [string, EmojiPatch])[] = [
  ['disable', { disabled: true }],
  ['enable', { disabled: false }],
  ['hide', { visibleInPicker: false }],
  ['show', { visibleInPicker: true }],
]

function deciding(decide: (c: Context<OperatorEnv>, emoji: CustomEmojiRow) => Promise<void>) {
  return async (c: Context<OperatorEnv>) => {
    const ctx = c.get('ctx')
    await decide(c, await emojiOrNotFound(ctx, await readInput(c, Named)))
    return c.json({})
  }
}
