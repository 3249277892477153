/** Folder of the bucket for archives of accounts. Only the API serves them, to their owners. */
export const archivesFolder = 'archives/'

export function isArchiveKey(key: string): boolean {
  return key.startsWith(archivesFolder)
}
