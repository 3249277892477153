import { hasType, isPlainDocument } from './json'

/** Whether a document stands for something deleted. */
export function isTombstone(document: unknown): boolean {
  return isPlainDocument(document) && hasType(document, 'Tombstone')
}
