export interface Size {
  readonly width: number
  readonly height: number
}

export interface Point {
  readonly x: number
  readonly y: number
}

/** Bytes at the start of a file that say whether it is animated. */
export const headBytes = 262_144

/** Whether a picture is animated: a GIF, or a WebP or PNG that announces an animation before its picture. */
export function isAnimated(type: string, head: Uint8Array): boolean {
  if (type === 'image/gif') return true
  const text = new TextDecoder('latin1').decode(head)
  if (type === 'image/webp') return text.startsWith('VP8X', 12) && (text.charCodeAt(20) & 2) !== 0
  return type === 'image/png' && (text.split('IDAT', 1)[0] ?? '').includes('acTL')
}

/** Pixels of the area for one of the picture: 1 is the smallest zoom that fills the area. */
export function scaleOf(picture: Size, area: Size, zoom: number): number {
  return Math.max(area.width / picture.width, area.height / picture.height) * zoom
}

/** The centre nearest to `wanted` with which the picture still fills the area. */
export function centreWithin(
  picture: Size,
  area: Size,
  { scale, wanted }: { scale: number; wanted: Point },
): Point {
  const half = { x: area.width / 2 / scale, y: area.height / 2 / scale }
  return {
    x: Math.min(Math.max(wanted.x, half.x), picture.width - half.x),
    y: Math.min(Math.max(wanted.y, half.y), picture.height - half.y),
  }
}
