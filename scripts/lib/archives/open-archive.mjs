// Archives of accounts: a zip file, a tar file, also gzipped, or a folder with what was in one.
import {
  closeSync,
  createReadStream,
  createWriteStream,
  mkdtempSync,
  openSync,
  readdirSync,
  readSync,
  rmSync,
  statfsSync,
  statSync,
} from 'node:fs'
import { readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, relative, sep } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import { createTarDecoder } from 'modern-tar'
import yauzl from 'yauzl'
import { Problem } from '../problem.mjs'
import { isRunning } from '../processes.mjs'

/** Bytes of a file that is read as a whole. */
const mostBytes = 1_073_741_824
/**
 * Bounds of what a tar file unpacks to: `factor` times its size and `base` bytes more, in `files` files, and never the
 * last `free` bytes of the disk. Media hardly shrink, and JSON to a tenth; gzip reaches a thousandth with zeros.
 */
const unpackedBounds = { factor: 20, base: 1_073_741_824, files: 1_000_000, free: 536_870_912 }

/**
 * { names, read(name), close() } of an archive: the names of its files, the bytes of one, and the end of it, which removes
 * unpacked files. A `Problem` explains an invalid file, and one that unpacks beyond `bounds`.
 * `signal` ends the unpacking with its reason.
 */
export async function openArchive(path, { bounds = unpackedBounds, signal = null } = {}) {
  const kind = kindOf(path)
  try {
    if (kind === 'folder') return openFolder(path)
    if (kind === 'zip') return await openZip(path)
    return await unpackTar(path, kind, { bounds, signal })
  } catch (failure) {
    // zlib, yauzl, modern-tar and the file system name what is wrong; anything else is a defect.
    if (failure instanceof Problem || (failure.code === undefined && failure.name !== 'Error')) throw failure
    throw new Problem(`${path} cannot be read: ${failure.message}`)
  }
}

function kindOf(path) {
  try {
    if (statSync(path).isDirectory()) return 'folder'
    const start = Buffer.alloc(4)
    const file = openSync(path, 'r')
    readSync(file, start, 0, 4, 0)
    closeSync(file)
    if (start.toString('latin1') === 'PK\u0003\u0004') return 'zip'
    return start[0] === 0x1f && start[1] === 0x8b ? 'gzip' : 'tar'
  } catch (failure) {
    if (failure.code === undefined) throw failure
    throw new Problem(`${path} cannot be read: ${failure.code}`)
  }
}

function openFolder(path) {
  const names = new Map(
    readdirSync(path, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      .map((file) => [relative(path, file).split(sep).join('/'), file]),
  )
  return filesOf(names, () => undefined)
}

/** Files by the names they have in the archive. */
function filesOf(names, close) {
  return {
    names: new Set(names.keys()),
    read: (name) => {
      const file = names.get(name)
      if (statSync(file).size > mostBytes) throw new Problem(`${name} in the archive is too large.`)
      return readFile(file)
    },
    close,
  }
}

/**
 * Unpacks into a folder of its own, under numbers: names in archives may lead anywhere. Folders of runs that were killed
 * are removed first.
 */
async function unpackTar(path, kind, { bounds, signal }) {
  removeAbandoned()
  const folder = mkdtempSync(join(tmpdir(), `${prefix}${process.pid}-`))
  const remove = () => rmSync(folder, { recursive: true, force: true })
  const names = new Map()
  let number = 0
  const disk = statfsSync(folder)
  const most = Math.min(
    statSync(path).size * bounds.factor + bounds.base,
    disk.bavail * disk.bsize - bounds.free,
  )
  const refuse = () => {
    throw new Problem(
      `${path} unpacks to more than it should, or than the disk under ${tmpdir()} holds. TMPDIR names another one.`,
    )
  }
  let left = most
  try {
    const source = createReadStream(path)
    const bytes = kind === 'gzip' ? source.pipe(createGunzip()) : source
    source.on('error', (failure) => bytes.destroy(failure))
    // Strict: without it, a damaged header or any text would count as a file.
    const entries = ReadableStream.from(within(bytes, most, refuse)).pipeThrough(
      createTarDecoder({ strict: true }),
    )
    for await (const { header, body } of entries) {
      if (header.type !== 'file') {
        await body.cancel()
        continue
      }
      left -= header.size
      if (left < 0 || number === bounds.files) refuse()
      const file = join(folder, String(number))
      number += 1
      signal?.throwIfAborted()
      await pipeline(Readable.fromWeb(body), createWriteStream(file))
      names.set(plainName(header.name), file)
    }
    return filesOf(names, remove)
  } catch (failure) {
    remove()
    throw failure
  }
}

/** Chunks up to `most` bytes together, counted as they come out: links, folders and long names have no size of a file. */
async function* within(chunks, most, refuse) {
  let left = most
  for await (const chunk of chunks) {
    left -= chunk.length
    if (left < 0) refuse()
    yield chunk
  }
}

const prefix = 'fieldfare-archive-'

function removeAbandoned() {
  for (const name of readdirSync(tmpdir())) {
    const id = /^fieldfare-archive-(\d+)-/.exec(name)?.[1]
    if (id !== undefined && !isRunning(Number(id)))
      rmSync(join(tmpdir(), name), { recursive: true, force: true })
  }
}

function plainName(name) {
  return name.replace(/^(?:\.?\/)+/, '')
}

async function openZip(path) {
  const zip = await yauzl.openPromise(path, { autoClose: false, lazyEntries: true })
  const entries = new Map()
  for await (const entry of zip.eachEntry())
    if (!entry.fileName.endsWith('/')) entries.set(plainName(entry.fileName), entry)
  return {
    names: new Set(entries.keys()),
    read: async (name) => {
      const entry = entries.get(name)
      const refuse = () => {
        throw new Problem(`${name} in the archive is too large.`)
      }
      if (entry.uncompressedSize > mostBytes) refuse()
      const parts = []
      for await (const part of within(await zip.openReadStreamPromise(entry), mostBytes, refuse))
        parts.push(part)
      return Buffer.concat(parts)
    },
    close: () => zip.close(),
  }
}
