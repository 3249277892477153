import { backupKey } from '../../lib/backups'
import type { Ctx } from '../../ports/ctx'

export interface StoredPart {
  readonly file: string
  readonly bytes: number
  readonly sha256: string
}

/** Compresses lines and stores them as a file of a backup. */
export async function storePart(
  ctx: Ctx,
  part: {
    readonly name: string
    readonly kind: 'database' | 'media'
    readonly number: number
    readonly text: string
  },
): Promise<StoredPart> {
  const packed = await compress(part.text)
  const sha256 = await digest(packed)
  const file = `${part.kind}-${String(part.number).padStart(6, '0')}-${sha256.slice(0, 16)}.jsonl.gz`
  await ctx.files.put(backupKey(part.name, file), packed, 'application/gzip')
  return { file, bytes: packed.length, sha256 }
}

async function compress(text: string): Promise<Uint8Array> {
  const stream = new Blob([text]).stream().pipeThrough(new CompressionStream('gzip'))
  return new Uint8Array(await new Response(stream).arrayBuffer())
}

async function digest(bytes: Uint8Array): Promise<string> {
  return new Uint8Array(await crypto.subtle.digest('SHA-256', bytes)).toHex()
}
