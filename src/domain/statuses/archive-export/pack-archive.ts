import { execute } from '../../../db/query'
import { gzipStored, tarEnd, tarHeader, tarPadding } from '../../../lib/archives/tar'
import type { Ctx } from '../../../ports/ctx'
import { type AccountArchive, type ArchiveProgress, type PlacedPiece, piecesFrom } from './request-archive'
/** Bytes of one part before it is framed. R2 takes parts from five megabytes on, all of one size but the last. */
export const partBytes = 6 * 1_048_576
/** Requests to the media store in one step, besides those for the part itself. */
const requestsOfStep = 30

/** Key of the download. */
export function archiveKey({ folder }: Pick<AccountArchive, 'folder'>): string {
  return `${folder}/archive.tar.gz`
}

/** Place in an archive, and the bytes of the part so far. */
interface Packing {
  readonly buffer: Uint8Array
  filled: number
  requests: number
  /** Position of the piece, bytes of it that are packed with its header, and its size once it is known. */
  piece: number
  offset: number
  size: number | null
}

/**
 * Packs the next bytes of an archive: a full part is added to the upload, less waits in the media store for the next step.
 * With the last part the archive is ready.
 */
export async function packArchive(ctx: Ctx, archive: AccountArchive): Promise<ArchiveProgress> {
  const packing: Packing = {
    buffer: new Uint8Array(partBytes),
    filled: 0,
    requests: 0,
    piece: archive.piece,
    offset: archive.pieceOffset,
    size: archive.pieceSize,
  }
  await takeWaiting(ctx, archive, packing)
  const limit = requestsOfStep
  const pieces = await execute(ctx.db, piecesFrom(ctx, { id: archive.id, position: archive.piece, limit }))
  let isPacked = pieces.length < limit
  for (const piece of pieces) {
    if (packing.filled === partBytes || packing.requests + 2 > requestsOfStep) {
      isPacked = false
      break
    }
    if (!(await packPiece(ctx, archive, { packing, piece }))) {
      isPacked = false
      break
    }
  }
  const isLast = isPacked && packing.filled + tarEnd <= partBytes
  if (isLast) packing.filled += tarEnd
  // The end does not fit: it begins with the zero bytes up to a full part, and the next part has all of it.
  else if (isPacked) packing.filled = partBytes
  return isLast || packing.filled === partBytes
    ? addPart(ctx, archive, { packing, isLast })
    : keepWaiting(ctx, archive, packing)
}

function waitingKey({ folder }: AccountArchive): string {
  return `${folder}/pieces/waiting`
}

async function takeWaiting(ctx: Ctx, archive: AccountArchive, packing: Packing): Promise<void> {
  if (archive.waiting === 0) return
  const bytes = await readBytes(ctx, waitingKey(archive), { offset: 0, length: archive.waiting })
  if (bytes === null || bytes.length !== archive.waiting)
    throw new Error(`Archive ${archive.id} lost what waits for its next part`)
  packing.buffer.set(bytes)
  packing.filled = bytes.length
}

async function keepWaiting(ctx: Ctx, archive: AccountArchive, packing: Packing): Promise<ArchiveProgress> {
  await ctx.files.put(
    waitingKey(archive),
    packing.buffer.slice(0, packing.filled),
    'application/octet-stream',
  )
  return { ...placeOf(packing), waiting: packing.filled }
}

function placeOf({ piece, offset, size }: Packing): ArchiveProgress {
  return { piece, pieceOffset: offset, pieceSize: size }
}

/** Packs as much of a piece as fits; true where it is packed to its end. A file that is gone is left out. */
async function packPiece(
  ctx: Ctx,
  archive: AccountArchive,
  { packing, piece }: { readonly packing: Packing; readonly piece: PlacedPiece },
): Promise<boolean> {
  if (piece.position !== packing.piece)
    Object.assign(packing, { piece: piece.position, offset: 0, size: null })
  packing.size ??= piece.sizeBytes ?? (await sizeOf(ctx, piece.key, packing))
  if (packing.size === null) {
    Object.assign(packing, { piece: piece.position + 1, offset: 0 })
    return true
  }
  const { size } = packing
  const total = piece.total ?? size
  const header = piece.isFirst
    ? tarHeader(piece.name, { size: total, at: archive.createdAt })
    : new Uint8Array(0)
  const end = header.length + size + (piece.isLast ? tarPadding(total) : 0)
  if (packing.offset < header.length) copy(packing, header.subarray(packing.offset))
  const bodyOffset = packing.offset - header.length
  const length = Math.min(size - bodyOffset, partBytes - packing.filled)
  if (bodyOffset >= 0 && length > 0) {
    packing.requests += 1
    const bytes = await readBytes(ctx, piece.key, { offset: bodyOffset, length })
    if (bytes === null || bytes.length !== length)
      throw new Error(`${piece.name} of an archive cannot be read`)
    copy(packing, bytes)
  }
  // Zero bytes, which the buffer has already.
  if (packing.offset >= header.length + size) {
    const zeros = Math.min(end - packing.offset, partBytes - packing.filled)
    packing.filled += zeros
    packing.offset += zeros
  }
  if (packing.offset < end) return false
  Object.assign(packing, { piece: piece.position + 1, offset: 0, size: null })
  return true
}

function copy(packing: Packing, bytes: Uint8Array): void {
  const part = bytes.subarray(0, partBytes - packing.filled)
  packing.buffer.set(part, packing.filled)
  packing.filled += part.length
  packing.offset += part.length
}

async function sizeOf(ctx: Ctx, key: string, packing: Packing): Promise<number | null> {
  packing.requests += 1
  return (await ctx.files.head(key))?.sizeBytes ?? null
}

async function readBytes(
  ctx: Ctx,
  key: string,
  range: { readonly offset: number; readonly length: number },
): Promise<Uint8Array | null> {
  const file = await ctx.files.get(key, range)
  return file === null ? null : new Uint8Array(await new Response(file.body).arrayBuffer())
}

async function addPart(
  ctx: Ctx,
  archive: AccountArchive,
  { packing, isLast }: { readonly packing: Packing; readonly isLast: boolean },
): Promise<ArchiveProgress> {
  const key = archiveKey(archive)
  const place = { ...placeOf(packing), waiting: 0 }
  const member = gzipStored(packing.buffer.subarray(0, packing.filled))
  const sizeBytes = archive.sizeBytes + member.length
  // An earlier run of the last step may have been cut off behind the upload.
  const isUploaded = isLast && (await ctx.files.head(key)) !== null
  if (isUploaded) return { ...place, ...ready(ctx, sizeBytes) }
  const uploadId = archive.uploadId ?? (await ctx.files.beginUpload(key, 'application/gzip'))
  const part = await ctx.files.uploadPart(key, uploadId, { number: archive.parts.length + 1, bytes: member })
  const parts = [...archive.parts, part]
  if (!isLast) return { ...place, uploadId, parts, sizeBytes }
  await ctx.files.completeUpload(key, uploadId, parts)
  return { ...place, ...ready(ctx, sizeBytes) }
}

function ready(ctx: Ctx, sizeBytes: number): ArchiveProgress {
  return { stage: 'ready', readyAt: ctx.clock.now(), sizeBytes, parts: [], uploadId: null }
}
