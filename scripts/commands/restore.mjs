import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import * as z from 'zod'
import { readManifest } from '../lib/backups/read-backup.mjs'
import { planRestore, restore } from '../lib/backups/restore.mjs'
import { writtenTo } from '../lib/backups/written-target.mjs'
import { arg, declareCommand, flag, option } from '../lib/command-line/declare.mjs'
import { Problem } from '../lib/problem.mjs'
import { acceptedIn, readSecretsFile, versionOf } from '../lib/rotate-secrets.mjs'
import { findRunning } from '../lib/running.mjs'

export const command = declareCommand({
  name: 'restore',
  summary: 'Restores a downloaded backup into an empty folder of npm start; goes on where it was interrupted',
  args: [arg('DIR', 'Folder that npx fieldfare backup download filled')],
  options: {
    secrets: option(
      'FILE',
      'File with INSTANCE_SECRET of the instance that was backed up, if not in the folder yet',
    ),
    sql: option(
      'FILE',
      'Writes SQL for a new D1 database to this file instead, and tries it in the empty folder',
    ),
    'new-secrets': flag('Goes on without that secret: accounts get new keys with npm start -- --new-secrets'),
  },
  result: z.object({
    folder: z.string(),
    origin: z.string(),
    rows: z.int(),
    left_out: z.record(z.string(), z.int()),
    objects: z.int(),
    missing: z.array(z.string()),
    migrations: z.array(z.string()),
  }),
  destroys: (_input, { folder, name, rows }) => `fill ${folder} with ${rows} rows of the backup ${name}`,
  effects: ({ input, folder }) => planOf(input, folder),
  effectLines: ({ name, origin, state, rows, objects, migrations, secret }) => [
    `Backup: ${name} of ${origin}, ${rows} rows, ${objects} objects.`,
    `State: ${state === 'begun' ? 'a restore of it was interrupted, and goes on' : 'empty'}.`,
    `Secret: ${secret}.`,
    ...(migrations.length === 0 ? [] : [`Migrations behind it: ${migrations.join(', ')}.`]),
  ],
  run: ({ input, folder, progress }) => perform(input, folder, progress),
  lines: resultLines,
})

async function planOf(input, folder) {
  refuseRunning(folder)
  const dir = folderOfBackup(input.dir)
  const manifest = readManifest(dir)
  const secret = secretFor(input, folder, manifest)
  // A folder without a store is empty: looking must not make one.
  const plan = existsSync(join(folder, 'v3'))
    ? await withTarget(folder, (target) => planRestore({ folder: dir, target }))
    : await planRestore({ folder: dir, target: null })
  return {
    folder,
    name: manifest.name,
    origin: manifest.origin,
    state: plan.state,
    rows: manifest.rows,
    objects: manifest.media.objects,
    migrations: plan.after.map(({ name }) => name),
    secret: secret === null ? 'lost; accounts get new keys' : manifest.secret_version,
  }
}

async function perform(input, folder, progress) {
  const dir = folderOfBackup(input.dir)
  const { origin, ...manifest } = readManifest(dir)
  const secret = secretFor(input, folder, manifest)
  const result = await withTarget(folder, async (local) => {
    const target = input.sql === undefined ? local : writtenTo(resolve(input.sql), local)
    return restore({ folder: dir, target, plan: await planRestore({ folder: dir, target }), progress })
  })
  if (secret !== null) keep(folder, secret)
  return { folder, origin, ...result }
}

/** Miniflare is needed for nothing else here. */
async function withTarget(folder, work) {
  const { openLocalTarget } = await import('../lib/backups/local-target.mjs')
  const target = await openLocalTarget(folder)
  try {
    return await work(target)
  } finally {
    await target.close()
  }
}

function folderOfBackup(dir) {
  const folder = resolve(dir)
  if (existsSync(folder)) return folder
  throw new Problem(`There is no folder ${folder}. npx fieldfare backup download DIR fills one.`)
}

function refuseRunning(folder) {
  const running = findRunning(folder)
  if (running !== null)
    throw new Problem(
      `The instance in ${folder} runs (process ${running.pid}). Name an empty folder by --folder.`,
    )
}

/** Secrets for the restored instance; null where they are lost. They have to open the keys of the backup. */
function secretFor({ secrets: given, newSecrets }, folder, { secret_version: wanted, name }) {
  if (newSecrets) return null
  const held = join(folder, 'secrets.json')
  const file = given ?? (existsSync(held) ? held : null)
  if (file === null)
    throw new Problem(`INSTANCE_SECRET is in no backup, and ${held} does not exist.
Name the file that has it: --secrets FILE (secrets.json of npm start, or secrets.local.json of a deployment).
Without it, --new-secrets: accounts get new keys, and all sessions in browsers end.`)
  const secrets = readSecretsFile(file)
  const versions = versionsIn(secrets)
  if (!versions.includes(wanted))
    throw new Problem(`${file} has another INSTANCE_SECRET (${versions.join(', ')}) than that of the backup ${name} (${wanted}).
The private keys in it would not open. Name the file that has the one of then: --secrets FILE`)
  // npm start takes the file of the folder, which a restore never replaces.
  if (existsSync(held) && !versionsIn(readSecretsFile(held)).includes(wanted))
    throw new Problem(
      `${held} has another INSTANCE_SECRET than that of the backup ${name} (${wanted}): move it away first.`,
    )
  return secrets
}

function versionsIn(secrets) {
  return [secrets.INSTANCE_SECRET, ...acceptedIn(secrets)].map(versionOf)
}

function keep(folder, secrets) {
  const file = join(folder, 'secrets.json')
  if (existsSync(file)) return
  mkdirSync(folder, { recursive: true })
  const whole = { SETUP_TOKEN: randomBytes(32).toString('base64url'), ...secrets }
  writeFileSync(file, `${JSON.stringify(whole, null, 2)}\n`, { mode: 0o600 })
}

function resultLines({ folder, origin, rows, left_out: leftOut, objects, missing }) {
  const dropped = Object.entries(leftOut)
  const { port, hostname } = new URL(origin)
  const isHere = hostname === 'localhost'
  const start = isHere ? `--port ${port}` : `--origin ${origin}`
  return [
    `${folder} holds ${rows} rows and ${objects} objects.`,
    ...dropped.map(
      ([table, count]) => `  ${table}: ${count} rows left out, which name others that were no longer there`,
    ),
    ...(missing.length === 0
      ? []
      : [`Missing: ${missing.length} objects that were deleted or not downloaded.`]),
    `Next: npm start -- --folder ${folder} ${start}`,
    ...(isHere ? [] : [`All ids hold ${origin}: they work under that address only.`]),
    'Posts are found again by search once the clock has indexed them, 200 a minute.',
  ]
}
