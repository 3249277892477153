/**
 * Sketches that estimate the number of distinct ids (HyperLogLog), as text of one character for each register: '0' plus
 * its rank. 2,048 registers have a standard error of 2.3 %, and small numbers are close to exact.
 *
 * Source: Flajolet, Fusy, Gandouet, Meunier: HyperLogLog (2007), with its correction for small numbers.
 */
export const sketchRegisters = 2_048

const zero = 48

/** The register that an id belongs to, counted from 0, and the character that it holds at least afterwards. */
export function sketchEntry(id: number): { readonly register: number; readonly mark: string } {
  const hash = hashOf(id)
  const rest = hash >>> 11
  const rank = rest === 0 ? 22 : 32 - Math.clz32(rest & -rest)
  return { register: hash & (sketchRegisters - 1), mark: String.fromCharCode(zero + rank) }
}

/** Estimates the number of distinct ids in all sketches together. */
export function estimateDistinct(sketches: readonly string[]): number {
  const ranks = Array.from({ length: sketchRegisters }, (_, register) =>
    sketches.reduce((most, sketch) => Math.max(most, (sketch.charCodeAt(register) || zero) - zero), 0),
  )
  const empty = ranks.filter((rank) => rank === 0).length
  const bias = 0.7213 / (1 + 1.079 / sketchRegisters)
  const estimate = (bias * sketchRegisters ** 2) / ranks.reduce((sum, rank) => sum + 2 ** -rank, 0)
  const isSmall = estimate <= 2.5 * sketchRegisters && empty > 0
  return Math.round(isSmall ? sketchRegisters * Math.log(sketchRegisters / empty) : estimate)
}

/** Mixes all 53 bits of an id into 32. */
function hashOf(id: number): number {
  let hash = Math.imul(Math.floor(id / 2 ** 32) ^ 0x9e3779b9, 0x85ebca6b) ^ (id % 2 ** 32)
  for (const factor of [0x7feb352d, 0x846ca68b]) {
    hash = Math.imul(hash ^ (hash >>> 16), factor)
    hash ^= hash >>> 15
  }
  return (hash ^ (hash >>> 16)) >>> 0
}
