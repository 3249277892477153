import { both, execute } from '../../../db/query'
import { findTerms, findTermsNotices, termsOf } from '../../../domain/instance/terms'
import { dayText } from '../../../lib/days'
import type { Ctx } from '../../../ports/ctx'
import type { PageQuery } from '../../member-pages/declaration'

/** Every version, and the text of one of them as the draft of another. */
export async function loadTerms(ctx: Ctx, { query }: PageQuery) {
  const [versions, notices] = await execute(ctx.db, both(findTerms(ctx), findTermsNotices(ctx)))
  const today = dayText(ctx.clock.now())
  const from = query('from').slice(0, 20) || versions[0]?.effectiveOn || ''
  const draft = from === '' ? null : await execute(ctx.db, termsOf(ctx, from))
  return {
    today,
    draftText: draft?.text ?? '',
    versions: versions.map((version) => ({
      ...version,
      notice: notices.find(({ effectiveOn }) => effectiveOn === version.effectiveOn) ?? null,
      state: stateOf(version, today),
    })),
  }
}

function stateOf(
  { effectiveOn, succeededOn }: { readonly effectiveOn: string; readonly succeededOn: string | null },
  today: string,
): 'future' | 'current' | 'past' {
  if (effectiveOn > today) return 'future'
  return succeededOn !== null && succeededOn <= today ? 'past' : 'current'
}

export type FoundTerms = Awaited<ReturnType<typeof loadTerms>>
