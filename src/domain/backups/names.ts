/** Folder of the bucket that backups are kept in. Nothing in it is ever served to the public. */
export const backupsFolder = 'backups/'

export function isBackupKey(key: string): boolean {
  return key.startsWith(backupsFolder)
}

/** Names of backups: the time and a random part, since a bucket may be served without the Worker. */
export const backupNameShape = /^\d{8}T\d{6}Z-[\w-]{22}$/

export function backupName(at: Date, token: string): string {
  return `${at.toISOString().replaceAll(/[-:]|\.\d+/g, '')}-${token.slice(0, 22)}`
}

/** Time in the name of a backup. */
export function backupStart(name: string): Date {
  const [, year, month, day, hour, minute, second] =
    /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z/.exec(name) ?? []
  return new Date(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`)
}

/** Names of the files of a backup: with the first digits of the hash of what they hold, so that no two are written alike. */
export const backupFileShape = /^(manifest\.json|(database|media)-\d{6}-[0-9a-f]{16}\.jsonl\.gz)$/

export const manifestFile = 'manifest.json'

export function backupKey(name: string, file: string): string {
  return `${backupsFolder}${name}/${file}`
}
