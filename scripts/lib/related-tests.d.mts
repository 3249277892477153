export function relatedTests(
  changed: readonly string[],
  files: ReadonlyMap<string, string>,
): readonly string[]
export function within(
  most: number,
  tests: readonly string[],
  seconds: Readonly<Record<string, number>>,
  secondsOfOthers?: number,
): readonly string[]
export function isTest(path: string): boolean
