import { randomInt } from 'node:crypto'

/** An address of its own, so that the limits per address do not add up over the tests. */
export function newAddress(): string {
  return ['10', ...[1, 2, 3].map(() => String(randomInt(1, 255)))].join('.')
}
