import { type Context, Hono } from 'hono'
import * as z from 'zod'
import { execute } from '../db/query'
import { addEmoji } from '../domain/custom-emojis/add'
import { removeEmoji, setEmojiCategory, setEmojiDisabled } from '../domain/custom-emojis/change'
import { copyEmoji } from '../domain/custom-emojis/copy'
import { ownEmojis } from '../domain/custom-emojis/find'
import { parseDomain } from '../lib/handle'
import type { AppEnv } from '../platform/app-env'
import type { Ctx } from '../platform/ports'
import { fileUrl } from '../view/urls'
import { readInput } from './input'

const Named = z.object({ shortcode: z.string() })
const category = z.string().trim().min(1).max(100).nullable().default(null)
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

/** Custom emoji routes for operators without a panel. Mounted behind the set-up token. */
export function emojiRoutes(): Hono<AppEnv> {
  const app = new Hono<AppEnv>()
  app.post('/setup/emojis/list', async (c) => {
    const ctx = c.get('ctx')
    const all = await execute(ctx.db, ownEmojis(ctx))
    return c.json({
      emojis: all.map(({ shortcode, category, disabled, image }) => ({
        shortcode,
        category,
        disabled,
        url: fileUrl(ctx.config, image, null),
      })),
    })
  })
  app.post('/setup/emojis/add', async (c) => {
    const { picture, ...input } = await readInput(c, Added)
    await addEmoji(c.get('ctx'), { ...input, bytes: picture })
    return c.json({})
  })
  app.post('/setup/emojis/copy', async (c) => {
    await copyEmoji(c.get('ctx'), await readInput(c, Copied))
    return c.json({})
  })
  app.post('/setup/emojis/category', async (c) => {
    const input = await readInput(c, Categorised)
    await setEmojiCategory(c.get('ctx'), input.shortcode, input.category)
    return c.json({})
  })
  app.post('/setup/emojis/remove', deciding(removeEmoji))
  app.post(
    '/setup/emojis/disable',
    deciding((ctx, shortcode) => setEmojiDisabled(ctx, shortcode, true)),
  )
  app.post(
    '/setup/emojis/enable',
    deciding((ctx, shortcode) => setEmojiDisabled(ctx, shortcode, false)),
  )
  return app
}

function deciding(decide: (ctx: Ctx, shortcode: string) => Promise<void>) {
  return async (c: Context<AppEnv>) => {
    const { shortcode } = await readInput(c, Named)
    await decide(c.get('ctx'), shortcode)
    return c.json({})
  }
}
