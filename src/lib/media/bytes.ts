/**
 * Reads integers from untrusted bytes. Bytes past the end read as zero, so no reader here throws; a parser must
 * therefore take a zero size as "stop".
 */
export function u8(bytes: Uint8Array, at: number): number {
  return bytes[at] ?? 0
}

export function u16be(bytes: Uint8Array, at: number): number {
  return u8(bytes, at) * 0x100 + u8(bytes, at + 1)
}

export function u24be(bytes: Uint8Array, at: number): number {
  return u8(bytes, at) * 0x10000 + u16be(bytes, at + 1)
}

export function u32be(bytes: Uint8Array, at: number): number {
  return u16be(bytes, at) * 0x10000 + u16be(bytes, at + 2)
}

/** Exact below 2^53, which no honest size, duration or sample count exceeds. */
export function u64be(bytes: Uint8Array, at: number): number {
  return u32be(bytes, at) * 0x1_0000_0000 + u32be(bytes, at + 4)
}

export function u16le(bytes: Uint8Array, at: number): number {
  return u8(bytes, at) + u8(bytes, at + 1) * 0x100
}

export function u24le(bytes: Uint8Array, at: number): number {
  return u16le(bytes, at) + u8(bytes, at + 2) * 0x10000
}

export function u32le(bytes: Uint8Array, at: number): number {
  return u16le(bytes, at) + u16le(bytes, at + 2) * 0x10000
}

export function u64le(bytes: Uint8Array, at: number): number {
  return u32le(bytes, at) + u32le(bytes, at + 4) * 0x1_0000_0000
}

/** The `length` bytes at `at` as Latin-1 text, shorter at the end of the data. */
export function text(bytes: Uint8Array, at: number, length: number): string {
  return String.fromCharCode(...bytes.subarray(at, at + length))
}

/** Whether `signature`, a Latin-1 string, stands at `at`. */
export function has(bytes: Uint8Array, at: number, signature: string): boolean {
  return at + signature.length <= bytes.length && text(bytes, at, signature.length) === signature
}
