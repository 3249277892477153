import { all, execute } from '../../db/query'
import type { EmojiSnapshot } from '../../db/values'
import type { Ctx } from '../../ports/ctx'
import type { Viewer } from '../core/viewer'
import { loadDraftFacts } from './create'
import { parseDraft, type StatusDraft } from './draft'
import { planStatus } from './plan'

/** Content of a draft as HTML, as its status would have it. */
export interface RenderedDraft {
  readonly content: string
  readonly emojis: readonly EmojiSnapshot[]
}

/**
 * Renders drafts of `author` by the rules of new statuses, without storing anything: one round trip. Accounts of other
 * servers that are unknown here stay plain text. Errors: see `parseDraft` and `planStatus`.
 */
export async function renderDrafts(
  ctx: Ctx,
  author: Viewer,
  drafts: readonly StatusDraft[],
): Promise<readonly RenderedDraft[]> {
  const parsed = drafts.map((draft) =>
    parseDraft(draft, {
      statusCharacters: ctx.config.limits.statusCharacters,
      contentType: author.settings.defaultContentType ?? 'text/plain',
    }),
  )
  const found = await execute(
    ctx.db,
    all(parsed.map((draft) => loadDraftFacts(ctx, author, { draft, key: null }))),
  )
  const { origin, ownDomains } = ctx.config
  return found.flatMap(({ facts }, index) => {
    const draft = parsed[index]
    if (draft === undefined) return []
    const { status } = planStatus(draft, facts, {
      id: ctx.ids.next(),
      origin,
      ownDomains,
      now: ctx.clock.now(),
      pollId: ctx.ids.next(),
    })
    return [{ content: status.content ?? '', emojis: status.emojis ?? [] }]
  })
}
