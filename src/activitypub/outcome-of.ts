import { done, type Outcome } from '../domain/core/outcome'
import type { Imported } from '../domain/statuses/remote/import'

/** What storing a post came to, as the outcome of a step. */
export function outcomeOf(imported: Imported): Outcome {
  switch (imported.kind) {
    case 'stored':
      return done
    case 'duplicate':
      return { kind: 'ignored', reason: 'known already' }
    default:
      return imported
  }
}
