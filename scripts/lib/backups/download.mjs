// Backups of an instance, over its routes.
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Refused } from '../command-line/problems.mjs'
import { Problem } from '../problem.mjs'
import {
  objectsOf,
  parseManifest,
  placeOfObject,
  problemOfContents,
  problemOfObject,
  problemOfPart,
} from './read-backup.mjs'

const atOnce = 4
const attempts = 3

/** Name of the backup that `name` names, or of the newest that is complete. */
export async function findName(instance, name) {
  if (name !== undefined) return name
  const { backups } = await instance.setup('backups/list')
  const found =
    backups.find(({ state }) => state === 'complete') ?? backups.find(({ state }) => state === 'stored')
  if (found === undefined) throw new Problem('There is no complete backup yet: npx fieldfare backup create')
  return found.name
}

export async function fetchManifest(instance, name) {
  const bytes = await fetchBytes(instance, 'file', { name, file: 'manifest.json' })
  if (bytes === null) throw new Problem(`There is no complete backup ${name}. npx fieldfare backup list`)
  return { text: bytes.toString('utf8'), manifest: parseManifest(bytes.toString('utf8'), 'The manifest') }
}

/** Bytes of a part, checked. */
export async function fetchPart(instance, name, part) {
  const bytes = await fetchBytes(instance, 'file', { name, file: part.file })
  if (bytes === null) throw new Problem(`The backup ${name} is damaged: ${part.file} is missing.`)
  const problem = problemOfPart(part, bytes) ?? problemOfContents(part, bytes)
  if (problem !== null) throw new Problem(`The backup ${name} is damaged: ${problem}.`)
  return bytes
}

/** Bytes of a listed object; null where it was deleted since. */
export function fetchObject(instance, key) {
  return fetchBytes(instance, 'media', { key })
}

async function fetchBytes(instance, what, body) {
  for (let attempt = 1; ; attempt += 1) {
    try {
      const response = await instance.bytes(`backups/${what}`, body)
      return Buffer.from(await response.arrayBuffer())
    } catch (failure) {
      if (failure instanceof Refused && failure.status === 404) return null
      const isBusy = failure instanceof Refused && (failure.status >= 500 || failure.status === 429)
      // An interrupted download is not a defect of this program.
      const isBroken = failure instanceof TypeError || failure.name === 'TimeoutError'
      if ((isBusy || isBroken) && attempt < attempts) await sleep(attempt * 1_000)
      else if (isBroken)
        throw new Problem(`The download broke off (${failure.cause?.message ?? failure.message}).`)
      else throw failure
    }
  }
}

/**
 * Downloads a backup with its media into `folder`. What is there already, whole, is not fetched again. The manifest comes
 * last, so that a folder with one is complete.
 */
export async function download({ instance, name, folder, withMedia, progress }) {
  const { text, manifest } = await fetchManifest(instance, name)
  refuseOther(folder, manifest)
  mkdirSync(folder, { recursive: true })
  const objects = []
  for (const [index, part] of manifest.parts.entries()) {
    progress(index, manifest.parts.length, 'Parts')
    const file = join(folder, part.file)
    const held = existsSync(file) ? readFileSync(file) : null
    const bytes =
      held !== null && problemOfPart(part, held) === null ? held : await fetchPart(instance, name, part)
    if (bytes !== held) store(file, bytes)
    if (part.kind === 'media') objects.push(...objectsOf(bytes))
  }
  const media = withMedia
    ? await downloadMedia({ instance, folder, objects, progress })
    : { missing: [], fetched: 0 }
  store(join(folder, 'manifest.json'), text)
  progress(1, 1, '')
  return { manifest, ...media }
}

async function downloadMedia({ instance, folder, objects, progress }) {
  const missing = []
  let [done, fetched] = [0, 0]
  const queue = objects.values()
  const work = async () => {
    for (const object of queue) {
      const place = placeOfObject(folder, object.key)
      const isHeld = existsSync(place) && problemOfObject(object, readFileSync(place)) === null
      if (!isHeld) {
        const bytes = await fetchObject(instance, object.key)
        if (bytes === null || problemOfObject(object, bytes) !== null) missing.push(object.key)
        else {
          store(place, bytes)
          fetched += 1
        }
      }
      done += 1
      progress(done, objects.length, 'Media')
    }
  }
  await Promise.all(Array.from({ length: atOnce }, work))
  return { missing, fetched }
}

/** Two backups in one folder would be neither. */
function refuseOther(folder, { name }) {
  const file = join(folder, 'manifest.json')
  if (!existsSync(file)) return
  const held = parseManifest(readFileSync(file, 'utf8'), file)
  if (held.name !== name)
    throw new Problem(`${folder} holds another backup, of ${held.started_at}. Choose an empty folder.`)
}

/** Writes a file whole or not at all. */
function store(file, bytes) {
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(`${file}.part`, bytes, { mode: 0o600 })
  renameSync(`${file}.part`, file)
}
