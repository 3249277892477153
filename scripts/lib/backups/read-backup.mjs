// A backup in a folder: manifest.json, parts of the database and lists of media beside it, and media/ with the objects.
import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { join, normalize, sep } from 'node:path'
import { gunzipSync } from 'node:zlib'
import * as z from 'zod'
import { Problem } from '../problem.mjs'

/** Name of a table or column: it becomes a part of SQL and of the path of a file. */
const Name = z.string().regex(/^\w+$/)

const Part = z.object({
  file: z.string().regex(/^(database|media)-\d{6}-[0-9a-f]{16}\.jsonl\.gz$/),
  kind: z.enum(['database', 'media']),
  bytes: z.int(),
  sha256: z.string(),
  contents: z.record(Name, z.int()),
})

/** Form of manifest.json. */
export const Manifest = z.object({
  format: z.literal('fieldfare-backup'),
  version: z.literal(1),
  name: z.string(),
  origin: z.string(),
  domain: z.string(),
  software: z.string(),
  schema: z.string(),
  secret_version: z.string(),
  accepted_secret_versions: z.array(z.string()),
  started_at: z.string(),
  finished_at: z.string(),
  rows: z.int(),
  tables: z.record(Name, z.int()),
  left_out: z.record(z.string(), z.string()),
  media: z.object({ objects: z.int(), bytes: z.int() }),
  parts: z.array(Part),
})

/** Object of the bucket, as lists of media have it. */
export const ListedObject = z.object({
  key: z.string(),
  size: z.int(),
  etag: z.string(),
  type: z.string(),
  uploaded_at: z.string(),
})

const Head = z.object({ table: Name, columns: z.array(Name) })

export function parseManifest(text, where) {
  try {
    return Manifest.parse(JSON.parse(text))
  } catch (failure) {
    if (failure instanceof SyntaxError) throw new Problem(`${where} is no JSON: it was cut off.`)
    if (!(failure instanceof z.ZodError)) throw failure
    const [{ path, message }] = failure.issues
    throw new Problem(
      `${where} is no manifest of a backup that this version reads (${path.join('.')}: ${message}).`,
    )
  }
}

/** Manifest of the backup in `folder`. */
export function readManifest(folder) {
  const file = join(folder, 'manifest.json')
  if (!existsSync(file))
    throw new Problem(
      `${folder} holds no whole backup: manifest.json is missing. Download it: npx fieldfare backup download`,
    )
  return parseManifest(readFileSync(file, 'utf8'), file)
}

/** Damage of the bytes of a part; null where they are those that were stored. */
export function problemOfPart(part, bytes) {
  if (bytes.length !== part.bytes) return `${part.file} has ${bytes.length} bytes instead of ${part.bytes}`
  const found = createHash('sha256').update(bytes).digest('hex')
  return found === part.sha256 ? null : `${part.file} has another hash than the manifest says`
}

/**
 * Damage of the bytes of an object; null where they are those that were listed. Objects uploaded in parts have an etag
 * that is no hash.
 */
export function problemOfObject({ key, size, etag }, bytes) {
  if (bytes.length !== size) return `${key} has ${bytes.length} bytes instead of ${size}`
  if (!/^[0-9a-f]{32}$/.test(etag)) return null
  return createHash('md5').update(bytes).digest('hex') === etag
    ? null
    : `${key} has another hash than the backup lists`
}

/** Place of an object in the folder of a backup. */
export function placeOfObject(folder, key) {
  const base = join(folder, 'media')
  const place = normalize(join(base, key))
  if (!place.startsWith(base + sep)) throw new Problem(`${JSON.stringify(key)} is no key of an object.`)
  return place
}

/** Bytes of a part, checked. */
export function readPart(folder, part) {
  const file = join(folder, part.file)
  if (!existsSync(file)) throw new Problem(`${folder} lacks ${part.file}.`)
  const bytes = readFileSync(file)
  const problem = problemOfPart(part, bytes)
  if (problem !== null) throw new Problem(`The backup in ${folder} is damaged: ${problem}.`)
  return bytes
}

export function linesOf(bytes) {
  return gunzipSync(bytes)
    .toString('utf8')
    .split('\n')
    .filter((line) => line !== '')
}

/** Sections of a part of the database: { table, columns, lines }, a line being the JSON list of a row. */
export function sectionsOf(bytes) {
  const sections = []
  for (const line of linesOf(bytes)) {
    if (line.startsWith('{')) sections.push({ ...Head.parse(JSON.parse(line)), lines: [] })
    else sections.at(-1).lines.push(line)
  }
  return sections
}

/** Objects that a part lists. */
export function objectsOf(bytes) {
  return linesOf(bytes).map((line) => ListedObject.parse(JSON.parse(line)))
}

/** Difference between the contents of a part and its entry in the manifest; null if missing. */
export function problemOfContents(part, bytes) {
  const counted = countOf(part, bytes)
  const names = new Set([...Object.keys(counted), ...Object.keys(part.contents)])
  const wrong = [...names].find((name) => (counted[name] ?? 0) !== (part.contents[name] ?? 0))
  return wrong === undefined
    ? null
    : `${part.file} holds ${counted[wrong] ?? 0} of ${wrong} instead of ${part.contents[wrong] ?? 0}`
}

function countOf({ kind }, bytes) {
  if (kind === 'media') return { objects: objectsOf(bytes).length }
  const counted = {}
  for (const { table, lines } of sectionsOf(bytes)) counted[table] = (counted[table] ?? 0) + lines.length
  return counted
}
