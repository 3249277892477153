/** A PNG of `colourAt(x, y)`, which returns red, green and blue from 0 to 255 for every pixel. */
export function png(
  width: number,
  height: number,
  colourAt: (x: number, y: number) => readonly [number, number, number],
): Buffer
