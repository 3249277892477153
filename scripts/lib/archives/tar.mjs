// Reading of tar archives: names and bytes of the files in one, in their order.

const block = 512

/**
 * The files of a tar archive from its chunks: { name, size, chunks }, of which `chunks` has to be read to its end, or left
 * out, before the next. Long names of GNU and POSIX count; links, folders and devices are left out.
 *
 * Throws `NotTar` where a header cannot be read, or the archive ends in the middle of a file.
 */
export async function* readTar(source) {
  const reader = new ByteReader(source)
  let longName = null
  for (;;) {
    const header = await reader.take(block)
    if (header === null || header.every((byte) => byte === 0)) return
    const { name, size, type } = readHeader(header)
    const padding = (block - (size % block)) % block
    if (type === 'L' || type === 'x') {
      if (size > 1_048_576) throw new NotTar('a name is too long')
      const bytes = await reader.take(size)
      if (bytes === null) throw new NotTar('it ends too early')
      longName = (type === 'L' ? textOf(bytes) : paxPath(bytes)) ?? longName
      await reader.skip(padding)
      continue
    }
    const left = { size }
    if (type === '0' || type === '\0') yield { name: longName ?? name, size, chunks: reader.chunks(left) }
    await reader.skip(left.size + padding)
    longName = null
  }
}

export class NotTar extends Error {}

function readHeader(header) {
  const field = (from, length) => textOf(header.subarray(from, from + length))
  const sum = header.reduce((total, byte, at) => total + (at >= 148 && at < 156 ? 32 : byte), 0)
  if (Number.parseInt(field(148, 8), 8) !== sum) throw new NotTar('a header is damaged')
  const prefix = field(257, 5) === 'ustar' ? field(345, 155) : ''
  const name = field(0, 100)
  return {
    name: prefix === '' ? name : `${prefix}/${name}`,
    size: sizeOf(header.subarray(124, 136)),
    type: String.fromCharCode(header[156]),
  }
}

/** Octal, or binary where the first bit is set: files above eight gigabytes. */
function sizeOf(bytes) {
  const size =
    bytes[0] >= 128
      ? bytes.subarray(1).reduce((total, byte) => total * 256 + byte, 0)
      : Number.parseInt(textOf(bytes).trim() || '0', 8)
  if (!Number.isSafeInteger(size) || size < 0) throw new NotTar('a size cannot be read')
  return size
}

function textOf(bytes) {
  const end = bytes.indexOf(0)
  return Buffer.from(end === -1 ? bytes : bytes.subarray(0, end)).toString('utf8')
}

/** Path in the records of a POSIX header: `LENGTH path=NAME`, each with a line break. */
function paxPath(bytes) {
  return /(?:^|\n)\d+ path=([^\n]*)\n/.exec(Buffer.from(bytes).toString('utf8'))?.[1] ?? null
}

class ByteReader {
  #source
  #rest = Buffer.alloc(0)

  constructor(source) {
    this.#source = source[Symbol.asyncIterator]()
  }

  /** Reads `length` bytes; null at the end of the source. */
  async take(length) {
    const parts = []
    let missing = length
    while (missing > 0) {
      const part = await this.#next(missing)
      if (part === null) {
        if (missing === length) return null
        throw new NotTar('it ends too early')
      }
      parts.push(part)
      missing -= part.length
    }
    return Buffer.concat(parts)
  }

  async skip(length) {
    for (let missing = length; missing > 0; ) {
      const part = await this.#next(missing)
      if (part === null) throw new NotTar('it ends too early')
      missing -= part.length
    }
  }

  /** The bytes of a file; `left.size` says how many were not read yet. */
  async *chunks(left) {
    while (left.size > 0) {
      const part = await this.#next(left.size)
      if (part === null) throw new NotTar('it ends too early')
      left.size -= part.length
      yield part
    }
  }

  async #next(most) {
    while (this.#rest.length === 0) {
      const { done, value } = await this.#source.next()
      if (done) return null
      this.#rest = value
    }
    const part = this.#rest.subarray(0, most)
    this.#rest = this.#rest.subarray(part.length)
    return part
  }
}
