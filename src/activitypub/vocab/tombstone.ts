import { hasType, isPlainDocument } from './json'

/** Whether a document stands for a deleted object. */
export function isTombstone(document: unknown): boolean {
  return isPlainDocument(document) && hasType(document, 'Tombstone')
}
