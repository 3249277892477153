import { parseDomain } from '../../../contract/handle'
import { combineQueries, execute } from '../../../db/query'
import { listEmojis } from '../../../domain/custom-emojis/copy'
import {
  type CustomEmojiRow,
  emojiCategories,
  findOwnEmojis,
  takenShortcodes,
} from '../../../domain/custom-emojis/find'
import { AppError, Invalid } from '../../../errors'
import type { Ctx } from '../../../ports/ctx'
import { presentAdminCustomEmoji } from '../../../view/present/admin-instance'
import { fileUrl } from '../../../view/urls'
import type { PageQuery } from '../../member-pages/declaration'
import { pageBehind, readMaxId } from '../../pagination'
import { paths } from '../../paths'

const path = paths.customEmojis
const pageLength = 60
/** Emojis shown of the list of another server: each is a picture fetched through this one. */
const mostListed = 120

export async function loadEmojis(ctx: Ctx, { query }: PageQuery) {
  const [text, domain] = [query('q').trim().slice(0, 128), query('domain').trim().slice(0, 300)]
  if (query('where') === 'remote')
    return { ...(await loadRemote(ctx, domain, text)), q: text, where: 'remote' as const }
  const category = query('in_category').slice(0, 200)
  const page = { limit: pageLength, maxId: readMaxId(query('max_id')) }
  const { emojis, categories } = await execute(
    ctx.db,
    combineQueries({
      emojis: findOwnEmojis(ctx, text, page, category === '' ? undefined : category),
      categories: emojiCategories(ctx),
    }),
  )
  const last = emojis.length < pageLength ? null : emojis.at(-1)?.id
  return {
    where: 'local' as const,
    q: text,
    category,
    categories,
    emojis: emojis.map((emoji: CustomEmojiRow) => presentAdminCustomEmoji(ctx.config, emoji)),
    olderUrl: pageBehind(path, last, { q: text, in_category: category }),
  }
}

/** Emojis that another server publishes, with those that this one has under the same shortcode. */
async function loadRemote(ctx: Ctx, domain: string, text: string) {
  const nothing = { domain, listed: [], isLonger: false, problem: null }
  if (domain === '') return nothing
  const server = parseDomain(domain)
  if (server === null) return { ...nothing, problem: 'name' as const }
  try {
    const all = await listEmojis(ctx, server)
    const matching = all.filter(({ shortcode }) => shortcode.toLowerCase().includes(text.toLowerCase()))
    const shown = matching.slice(0, mostListed)
    const taken = new Set(
      await execute(
        ctx.db,
        takenShortcodes(
          ctx,
          shown.map(({ shortcode }) => shortcode),
        ),
      ),
    )
    const listed = shown.map(({ shortcode, url }) => ({
      shortcode,
      url: fileUrl(ctx.config, { remote: url }, null),
      isTaken: taken.has(shortcode),
    }))
    return { domain: server, listed, isLonger: matching.length > shown.length, problem: null }
  } catch (failure) {
    if (!(failure instanceof AppError) && !(failure instanceof Invalid)) throw failure
    return { ...nothing, problem: 'silent' as const }
  }
}

export type FoundEmojis = Awaited<ReturnType<typeof loadEmojis>>
