const steps: Readonly<Record<string, number>> = {
  ArrowRight: 1,
  ArrowUp: 1,
  ArrowLeft: -1,
  ArrowDown: -1,
  PageUp: 7,
  PageDown: -7,
}

/** The bar that a key leads to from the one at `current`, by its place in a row of `count`; null for other keys. */
export function barByKey(key: string, current: number, count: number): number | null {
  if (key === 'Home') return 0
  if (key === 'End') return count - 1
  const step = steps[key]
  return step === undefined ? null : Math.min(Math.max(current + step, 0), count - 1)
}

/** The bar under a pointer `offset` pixels from the start of a chart of this width. */
export function barByPointer(offset: number, width: number, count: number): number {
  return Math.min(Math.max(Math.floor((offset / width) * count), 0), count - 1)
}
