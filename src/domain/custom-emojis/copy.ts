import * as z from 'zod'
import { execute } from '../../db/query'
import { Invalid, NotFound, Unreachable } from '../../errors'
import { parseJsonBytes } from '../../lib/json'
import { emojiMimes } from '../../lib/media/sniff'
import { readBody } from '../../lib/outgoing'
import { parseWebAddress } from '../../lib/web-address'
import type { Ctx } from '../../ports/ctx'
import type { Moderator } from '../core/viewer'
import { addEmoji, emojiLimits } from './change'
import { findRemoteEmoji } from './find'

export interface EmojiCopy {
  readonly shortcode: string
  readonly domain: string
  readonly category: string | null
}

/** Large servers have thousands of emojis. */
const listBytes = 4_194_304
const ListedEmoji = z.object({ shortcode: z.string(), url: z.string() })
const Listed = z.array(ListedEmoji)

/** Emoji in the public list of another server. */
export type ListedEmoji = z.output<typeof ListedEmoji>

/**
 * Copies a remote custom emoji to this server: its picture is fetched once and stored.
 *
 * It is searched for among the stored accounts and statuses of that server, then in the emoji list most software
 * publishes. `NotFound` where neither has it; `Invalid` as `addEmoji`, and where the server refuses the picture.
 * Returns its id.
 */
export async function copyEmoji(
  ctx: Ctx,
  moderator: Moderator,
  { shortcode, domain, category }: EmojiCopy,
): Promise<number> {
  const seen = await execute(ctx.db, findRemoteEmoji(ctx, { domain, shortcode }))
  const known = seen !== null && 'remote' in seen.image ? seen.image.remote : null
  const url = known ?? (await findListedUrl(ctx, domain, shortcode))
  if (url === null) throw new NotFound('unknown_emoji', { shortcode, domain })
  const bytes = await download(ctx, url, {
    accept: emojiMimes.join(', '),
    maxBytes: emojiLimits.bytes,
  })
  return addEmoji(ctx, moderator, { shortcode, bytes, category })
}

async function findListedUrl(ctx: Ctx, domain: string, shortcode: string): Promise<string | null> {
  const emoji = (await listEmojis(ctx, domain)).find((one) => one.shortcode === shortcode)
  return emoji === undefined ? null : parseWebAddress(emoji.url)
}

/** Fetches the public list of emojis of a server; empty where it publishes none. `Invalid` where it does not answer. */
export async function listEmojis(ctx: Ctx, domain: string): Promise<readonly ListedEmoji[]> {
  const scheme = ctx.config.federation.testHosts.includes(domain) ? 'http' : 'https'
  const address = `${scheme}://${domain}/api/v1/custom_emojis`
  const bytes = await download(ctx, address, { accept: 'application/json', maxBytes: listBytes })
  const listed = Listed.safeParse(parseJsonBytes(bytes))
  return listed.success ? listed.data : []
}

interface DownloadLimits {
  readonly accept: string
  readonly maxBytes: number
}

async function download(ctx: Ctx, url: string, { accept, maxBytes }: DownloadLimits): Promise<Uint8Array> {
  try {
    const answer = await ctx.http.send({
      method: 'GET',
      url,
      redirects: 'follow',
      maxBytes,
      headers: { accept },
    })
    if (answer.status === 200) return await readBody(answer)
    await answer.body?.cancel()
    throw new Unreachable(`${url} answers ${answer.status}`)
  } catch (failure) {
    if (failure instanceof Unreachable) throw new Invalid('unreachable_server', { reason: failure.message })
    throw failure
  }
}
