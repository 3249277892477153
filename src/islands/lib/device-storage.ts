/** Whether a key of the browser's storage is of what it keeps for this account: drafts, searches, threads, places. */
export function isKeyOf(account: string, key: string): boolean {
  return key.startsWith(`draft ${account} `) || key.endsWith(` /@${account}`)
}

/** Deletes what the browser keeps for an account, and nothing of the others. */
export function forgetAccount(account: string, storages: readonly Storage[]): void {
  for (const storage of storages)
    for (const key of Object.keys(storage)) if (isKeyOf(account, key)) storage.removeItem(key)
}
