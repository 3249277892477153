import { has, u8 } from './bytes'

const animationFlag = 0x02

/** Whether a WebP is animated, by the flags of its extended form. */
export function isMovingWebp(bytes: Uint8Array): boolean {
  return has(bytes, 8, 'WEBPVP8X') && (u8(bytes, 20) & animationFlag) !== 0
}
