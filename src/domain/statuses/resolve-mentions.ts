import { execute } from '../../db/query'
import { ownSpelledOut } from '../../lib/handle'
import { mentionKey } from '../../lib/text/scan'
import type { Ctx } from '../../ports/ctx'
import type { ParsedDraft } from './draft'
import { mentionFacts } from './find-draft-facts'
import type { DraftFacts } from './plan'

/** Limit on unknown handles resolved, and on the author's waiting time. */
const maxUnknown = 10
const timeoutMilliseconds = 3_000

/** Resolves unknown remote accounts mentioned in the text. Unresolved handles stay plain text. */
export async function resolveMentions(
  ctx: Ctx,
  { draft, facts }: { readonly draft: ParsedDraft; readonly facts: DraftFacts },
): Promise<DraftFacts> {
  // A missing parent is refused anyway: send no requests.
  if (draft.inReplyToId !== undefined && facts.parent === null) return facts
  const known = new Set(facts.mentioned.map((account) => mentionKey(account)))
  const unknown = draft.parsed.mentions
    .map((mention) => ownSpelledOut(mention, ctx.config.ownDomains))
    .flatMap(({ username, domain }) => (domain === null ? [] : [{ username, domain }]))
    .filter((handle) => !known.has(mentionKey(handle)))
    .slice(0, maxUnknown)
  if (unknown.length === 0) return facts
  const found = await ctx.resolver.resolveHandles(unknown, timeoutMilliseconds)
  if (!found) return facts
  return { ...facts, ...(await execute(ctx.db, mentionFacts(ctx, facts.author.id, draft))) }
}
