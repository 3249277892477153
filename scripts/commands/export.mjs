import { once } from 'node:events'
import { createWriteStream, existsSync, mkdirSync, readdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { finished } from 'node:stream/promises'
import * as z from 'zod'
import { objectsOf, readManifest, readPart, sectionsOf } from '../lib/backups/read-backup.mjs'
import { arg, declareCommand } from '../lib/command-line/declare.mjs'
import { Problem } from '../lib/problem.mjs'

export const command = declareCommand({
  name: 'export',
  summary: 'Writes a downloaded backup as JSON lines, a file for each table, to be read without Fieldfare',
  args: [
    arg('BACKUP', 'Folder that npx fieldfare backup download filled'),
    arg('DIR', 'Folder for the files, empty or new'),
  ],
  result: z.object({ folder: z.string(), files: z.record(z.string(), z.int()) }),
  run: ({ input, progress }) => exportTables(resolve(input.backup), resolve(input.dir), progress),
  lines: ({ folder, files }) => [
    `${folder} holds:`,
    ...Object.entries(files).map(([file, count]) => `  ${file}: ${count} lines`),
    'docs/operate/export.md says what the columns mean.',
  ],
})

async function exportTables(backup, folder, progress) {
  const manifest = readManifest(backup)
  if (existsSync(folder) && readdirSync(folder).length > 0)
    throw new Problem(`${folder} is not empty: choose another folder.`)
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const files = {}
  const streams = new Map()
  const write = async (name, value) => {
    files[name] = (files[name] ?? 0) + 1
    if (!streams.has(name)) streams.set(name, opened(join(folder, name)))
    const { stream, ended } = streams.get(name)
    if (!stream.write(`${value}\n`)) await Promise.race([once(stream, 'drain'), ended])
  }
  for (const [index, part] of manifest.parts.entries()) {
    progress(index, manifest.parts.length, 'Parts')
    const bytes = readPart(backup, part)
    if (part.kind === 'media')
      for (const object of objectsOf(bytes)) await write('media.jsonl', JSON.stringify(object))
    else
      for (const { table, columns, lines } of sectionsOf(bytes))
        for (const line of lines) await write(`${table}.jsonl`, rowOf(columns, line))
  }
  for (const { stream, ended } of streams.values()) {
    stream.end()
    await ended
  }
  progress(1, 1, '')
  return { folder, files }
}

/** A file to write; `ended` fails where that cannot be written, as on a full disk. */
function opened(file) {
  const stream = createWriteStream(file, { mode: 0o600 })
  const ended = finished(stream)
  // Awaited at the end, or where the stream is full.
  ended.catch(() => undefined)
  return { stream, ended }
}

/** A row as an object. */
function rowOf(columns, line) {
  const values = JSON.parse(line)
  return JSON.stringify(Object.fromEntries(columns.map((column, index) => [column, values[index]])))
}
