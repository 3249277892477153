// A backup as the beginning of a deployment: rows by one import of D1, which happens whole or not at all, objects by wrangler.
import { copyFileSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { objectsOf, placeOfObject, problemOfObject, readManifest, readPart } from '../backups/read-backup.mjs'
import { planRestore, restore } from '../backups/restore.mjs'
import { writtenTo } from '../backups/written-target.mjs'
import { Problem } from '../problem.mjs'
import { acceptedIn, readSecretsFile, versionOf } from '../rotate-secrets.mjs'
import { saveDeployment } from './record.mjs'
import { secretsFile } from './secrets.mjs'
import { jsonOf } from './wrangler.mjs'

const cacheControl = 'public, max-age=31536000, immutable'

/**
 * The backup that `options` name, before anything is made of it; null without one. A `Problem` where it is damaged, of
 * another address, or where its secrets are missing.
 */
export function readBackup({ folder, options, before }) {
  if (options.restore === undefined) return null
  const dir = resolve(options.restore)
  if (!existsSync(dir))
    throw new Problem(`There is no folder ${dir}. npx fieldfare backup download DIR fills one.`)
  const manifest = readManifest(dir)
  const { host } = new URL(manifest.origin)
  const domain = before?.domain ?? options.domain ?? host
  if (domain !== host)
    throw new Problem(
      `The backup is of https://${host}: all ids in it hold that address, and work under no other.`,
    )
  for (const part of manifest.parts) readPart(dir, part)
  refuseOtherSecrets({ folder, given: options.secrets, manifest })
  return { dir, manifest, host, handleDomain: manifest.domain === host ? null : manifest.domain }
}

function refuseOtherSecrets({ folder, given, manifest }) {
  const file = given ?? join(folder, secretsFile)
  if (!existsSync(file))
    throw new Problem(`INSTANCE_SECRET is in no backup, and ${file} does not exist.
Name the file that has it: --secrets FILE (secrets.local.json of the deployment, or secrets.json of npm start).`)
  const secrets = readSecretsFile(file)
  const versions = [secrets.INSTANCE_SECRET, ...acceptedIn(secrets)].map(versionOf)
  if (!versions.includes(manifest.secret_version))
    throw new Problem(`${file} has another INSTANCE_SECRET (${versions.join(', ')}) than that of the backup ${manifest.name} (${manifest.secret_version}).
The private keys in it would not open. Name the file that has the one of then: --secrets FILE`)
}

/** Puts the secrets of the backup where a deployment keeps its own. */
export function keepSecrets({ folder, given }) {
  const file = join(folder, secretsFile)
  if (given === undefined || resolve(given) === file) return
  if (existsSync(file) && readFileSync(file, 'utf8') !== readFileSync(given, 'utf8'))
    throw new Problem(`${file} has other secrets than ${given}: move one of them away.`)
  copyFileSync(given, file)
}

/** Fills database and bucket of a deployment, and skips what an earlier run did. */
export async function restoreInto(deployment, { folder, log, backup, wrangler }) {
  const { manifest } = backup
  if (deployment.restored === manifest.name) return log(`  ${manifest.name} is restored.`)
  const state = await stateOf(wrangler)
  // The import happens whole: with rows, it is behind us.
  if (state.isEmpty) await importRows({ deployment, folder, log, backup, wrangler })
  else if (deployment.restoring !== manifest.name)
    throw new Problem(`The database ${deployment.worker} is in use: it has ${state.tables} tables. A backup is restored into an empty one only.
Is it to be lost? npx wrangler d1 delete ${deployment.worker} -c wrangler.local.toml`)
  const missing = await putObjects({ deployment, log, backup, wrangler })
  if (missing.length > 0)
    log(
      `  note    ${missing.length} objects were deleted before the backup or not downloaded, such as ${missing[0]}`,
    )
  return { restored: manifest.name, restoring: null }
}

async function stateOf(wrangler) {
  const sql =
    "select count(*) as tables from sqlite_schema where name not glob '_cf*' and name not glob 'sqlite_*'"
  const found = await wrangler.demand('Looking at the database', [
    'd1',
    'execute',
    'DB',
    '--remote',
    '--json',
    '--command',
    sql,
  ])
  const tables = jsonOf(found)?.[0]?.results?.[0]?.tables ?? 0
  return { isEmpty: tables === 0, tables }
}

/** Tries the restore on this machine, and has D1 import the statements that succeeded there. */
async function importRows({ deployment, folder, log, backup, wrangler }) {
  const trial = mkdtempSync(join(tmpdir(), 'fieldfare-restore-'))
  try {
    const file = join(trial, 'restore.sql')
    const { openLocalTarget } = await import('../backups/local-target.mjs')
    const local = await openLocalTarget(trial)
    try {
      // Objects go to the bucket of the account, and not to the trial.
      const target = { ...writtenTo(file, local), hasObject: async () => true }
      const plan = await planRestore({ folder: backup.dir, target })
      const { rows } = await restore({ folder: backup.dir, target, plan, progress: () => undefined })
      log(`  ${rows} rows of ${backup.manifest.name}`)
    } finally {
      await local.close()
    }
    saveDeployment(folder, { ...deployment, restoring: backup.manifest.name })
    await wrangler.demand('Importing the rows', ['d1', 'execute', 'DB', '--remote', '--yes', '--file', file])
  } finally {
    rmSync(trial, { recursive: true, force: true, maxRetries: 5 })
  }
}

/** Uploads the objects of the backup, those of one type together. Returns the keys that cannot be. */
async function putObjects({ deployment, log, backup, wrangler }) {
  const { dir, manifest } = backup
  const missing = []
  const byType = new Map()
  for (const part of manifest.parts.filter(({ kind }) => kind === 'media'))
    for (const object of objectsOf(readPart(dir, part))) {
      const file = placeOfObject(dir, object.key)
      const isWhole = existsSync(file) && problemOfObject(object, readFileSync(file)) === null
      if (!isWhole) missing.push(object.key)
      else byType.set(object.type, [...(byType.get(object.type) ?? []), { key: object.key, file }])
    }
  const list = join(mkdtempSync(join(tmpdir(), 'fieldfare-objects-')), 'objects.json')
  for (const [type, objects] of byType) {
    writeFileSync(list, JSON.stringify(objects))
    log(`  ${objects.length} objects of type ${type}`)
    await wrangler.demand('Uploading the objects', [
      'r2',
      'bulk',
      'put',
      `${deployment.worker}-media`,
      '--remote',
      '--force',
      '--filename',
      list,
      '--content-type',
      type,
      '--cache-control',
      cacheControl,
    ])
  }
  return missing
}
