import { Changes, commit } from '../../src/domain/core/changes'
import { keepEvidence } from '../../src/domain/statuses/keep-evidence'
import { addWarning, type NewWarning } from '../../src/domain/users/warn'
import { context } from './test-app'

/** A strike with its evidence, as an action of moderators leaves it; the state itself is not set. */
export async function givenStrike(
  target: { readonly id: number },
  options: Partial<Omit<NewWarning, 'targetId'>> = {},
): Promise<number> {
  const ctx = context()
  const changes = new Changes()
  const id = addWarning(ctx, changes, {
    action: 'none',
    text: 'Be kind',
    by: null,
    ...options,
    targetId: target.id,
  })
  keepEvidence(ctx, changes, { strikeId: id, reportId: options.reportId ?? null }, options.statusIds ?? [])
  await commit(ctx, changes)
  return id
}
