import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import * as z from 'zod'
import { download, fetchManifest, fetchObject, fetchPart, findName } from '../lib/backups/download.mjs'
import {
  objectsOf,
  placeOfObject,
  problemOfContents,
  problemOfObject,
  readManifest,
  readPart,
} from '../lib/backups/read-backup.mjs'
import { arg, Done, declareGroup, flag, optional } from '../lib/command-line/declare.mjs'
import { bytesText } from '../lib/command-line/text.mjs'
import { Problem } from '../lib/problem.mjs'

const Backup = z.object({
  name: z.string(),
  state: z.enum(['running', 'complete', 'failed', 'stored', 'incomplete']),
  requested: z.boolean(),
  started_at: z.string(),
  finished_at: z.string().nullable(),
  schema: z.string().nullable(),
  rows: z.int(),
  parts: z.int(),
  bytes: z.int(),
  media_objects: z.int(),
  media_bytes: z.int(),
  phase: z.string().nullable(),
  error: z.string().nullable(),
})
const newest = optional('NAME', 'Name of the backup, as lists show it; the newest complete one without')
const askMilliseconds = 1_000

export const group = declareGroup({
  name: 'backup',
  summary: 'Backups of the database and of the list of media, in the bucket of the instance',
  notes: [
    'INSTANCE_SECRET is in no backup: keep secrets.json or secrets.local.json elsewhere. Whoever has a backup reads all that',
    'people wrote, direct messages too. Settings decide about the clock: backups, backupDays, keepBackups.',
  ],
  commands: [
    {
      name: 'create',
      summary: 'Backs up now, and waits until it is complete; goes on with one that runs',
      options: { 'no-wait': flag('Only begins it') },
      calls: ['POST /setup/backups/create', 'POST /setup/backups/show'],
      result: Backup,
      run: ({ input, instance, progress }) => create(instance, input, progress),
      lines: (backup) => [
        backup.state === 'running' ? `${backup.name} is running.` : `${backup.name} is complete.`,
        ...(backup.state === 'complete' ? sizeLines(backup) : []),
      ],
    },
    {
      name: 'list',
      summary:
        'Backups, newest first: stored ones only the bucket knows, incomplete ones lack their manifest',
      calls: ['POST /setup/backups/list'],
      result: z.object({ backups: z.array(Backup) }),
      run: ({ instance }) => instance.setup('backups/list'),
      lines: ({ backups }) => (backups.length === 0 ? ['There are no backups yet.'] : backups.map(lineOf)),
    },
    {
      name: 'show',
      summary: 'Size, state and tables of a backup',
      args: [newest],
      calls: ['POST /setup/backups/list', 'POST /setup/backups/file'],
      result: z.object({
        name: z.string(),
        origin: z.string(),
        software: z.string(),
        schema: z.string(),
        secret_version: z.string(),
        started_at: z.string(),
        finished_at: z.string(),
        rows: z.int(),
        tables: z.record(z.string(), z.int()),
        media: z.object({ objects: z.int(), bytes: z.int() }),
      }),
      run: async ({ input, instance }) => {
        const { manifest } = await fetchManifest(instance, await findName(instance, input.name))
        return manifest
      },
      lines: showLines,
    },
    {
      name: 'verify',
      summary: 'Reads every part of a backup and compares hashes and numbers of rows',
      args: [
        optional('NAME', 'Name of the backup, or a folder that one was downloaded into; the newest without'),
      ],
      options: { media: flag('Reads every listed object too') },
      calls: ['POST /setup/backups/list', 'POST /setup/backups/file', 'POST /setup/backups/media'],
      result: z.object({
        name: z.string(),
        parts: z.int(),
        rows: z.int(),
        objects: z.int(),
        problems: z.array(z.string()),
      }),
      run: ({ input, instance, progress }) => verify(instance, input, progress),
      lines: ({ name, parts, rows, objects, problems }) => [
        `${name}: ${parts} parts with ${rows} rows are whole${objects === 0 ? '' : `, ${objects} objects read`}.`,
        ...problems,
      ],
      codeOf: ({ problems }) => (problems.length === 0 ? 0 : 1),
    },
    {
      name: 'download',
      summary: 'Downloads a backup with its media; goes on where it was interrupted',
      args: [arg('DIR', 'Folder of this machine'), newest],
      options: { 'no-media': flag('Leaves out media') },
      calls: ['POST /setup/backups/list', 'POST /setup/backups/file', 'POST /setup/backups/media'],
      result: z.object({
        name: z.string(),
        folder: z.string(),
        rows: z.int(),
        objects: z.int(),
        fetched: z.int(),
        missing: z.array(z.string()),
      }),
      run: ({ input, instance, progress }) => fetchInto(instance, input, progress),
      lines: ({ name, folder, rows, objects, missing }) => [
        `${name} is in ${folder}: ${rows} rows, ${objects - missing.length} objects.`,
        ...(missing.length === 0
          ? []
          : [
              `${missing.length} objects were deleted or replaced since:`,
              ...missing.map((key) => `  ${key}`),
            ]),
        'Keep INSTANCE_SECRET with it, or better elsewhere: no private key opens without.',
      ],
    },
    {
      name: 'delete',
      summary: 'Deletes a backup; media stay',
      args: [arg('NAME', 'Name of the backup, as lists show it')],
      calls: ['POST /setup/backups/delete'],
      result: Done,
      destroys: ({ name }) => `delete the backup ${name}`,
      run: ({ input, instance }) => instance.setup('backups/delete', { name: input.name }),
      lines: (_result, { name }) => [`${name} is deleted within minutes.`],
    },
  ],
})

async function create(instance, { noWait }, progress) {
  let backup = await instance.setup('backups/create')
  while (!noWait && backup.state === 'running') {
    progress(backup.rows, null, 'Rows')
    await sleep(askMilliseconds)
    backup = await instance.setup('backups/show', { name: backup.name })
  }
  progress(1, 1, '')
  if (backup.state === 'failed')
    throw new Problem(`The backup failed: ${backup.error ?? 'no reason is known'}.`)
  return backup
}

async function verify(instance, { name: given, media }, progress) {
  const isFolder = given !== undefined && existsSync(join(given, 'manifest.json'))
  const source = isFolder ? inFolder(resolve(given)) : await atInstance(instance, given)
  const { manifest } = source
  const problems = []
  let objects = 0
  for (const [index, part] of manifest.parts.entries()) {
    progress(index, manifest.parts.length, 'Parts')
    const bytes = await source.part(part)
    const problem = problemOfContents(part, bytes)
    if (problem !== null) problems.push(problem)
    if (part.kind === 'media' && media)
      for (const object of objectsOf(bytes)) {
        const found = await source.object(object.key)
        const wrong = found === null ? `${object.key} is missing` : problemOfObject(object, found)
        if (wrong !== null) problems.push(wrong)
        objects += 1
      }
  }
  progress(1, 1, '')
  return { name: manifest.name, parts: manifest.parts.length, rows: manifest.rows, objects, problems }
}

function inFolder(folder) {
  return {
    manifest: readManifest(folder),
    part: (part) => readPart(folder, part),
    object: (key) => {
      const place = placeOfObject(folder, key)
      return existsSync(place) ? readFileSync(place) : null
    },
  }
}

async function atInstance(instance, given) {
  const name = await findName(instance, given)
  const { manifest } = await fetchManifest(instance, name)
  return {
    manifest,
    part: (part) => fetchPart(instance, name, part),
    object: (key) => fetchObject(instance, key),
  }
}

async function fetchInto(instance, { dir, name: given, noMedia }, progress) {
  const folder = resolve(dir)
  const name = await findName(instance, given)
  const { manifest, fetched, missing } = await download({
    instance,
    name,
    folder,
    withMedia: !noMedia,
    progress,
  })
  return {
    name,
    folder,
    rows: manifest.rows,
    objects: noMedia ? 0 : manifest.media.objects,
    fetched,
    missing,
  }
}

function lineOf({ name, state, rows, bytes, media_objects: objects, error }) {
  const size = ['stored', 'incomplete'].includes(state)
    ? ''
    : `  ${rows} rows  ${bytesText(bytes)}  ${objects} objects listed`
  return `${name}  ${state}${size}${error === null ? '' : `  ${error}`}`
}

function sizeLines({ rows, bytes, parts, media_objects: objects, media_bytes: mediaBytes }) {
  return [
    `database  ${rows} rows, ${bytesText(bytes)} in ${parts} parts`,
    `media     ${objects} objects listed, ${bytesText(mediaBytes)}: they stay where they are`,
  ]
}

function showLines({
  name,
  origin,
  software,
  schema,
  secret_version: secret,
  started_at: from,
  finished_at: to,
  rows,
  tables,
  media,
}) {
  return [
    `${name} of ${origin}, by Fieldfare ${software}`,
    `taken     ${from} to ${to}`,
    `database  ${rows} rows as of ${schema}`,
    `media     ${media.objects} objects, ${bytesText(media.bytes)}`,
    `secret    ${secret}: INSTANCE_SECRET of this version opens the private keys in it`,
    ...Object.entries(tables).map(([table, count]) => `  ${table}: ${count}`),
  ]
}
