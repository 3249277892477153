import { done, type Outcome } from '../domain/core/outcome'
import type { Imported } from '../domain/statuses/remote/import'

/** Outcome of importing a status. */
export function outcomeOf(imported: Imported): Outcome {
  switch (imported.kind) {
    case 'stored':
      return done
    case 'duplicate':
      return { kind: 'ignored', reason: 'already known' }
    default:
      return imported
  }
}
