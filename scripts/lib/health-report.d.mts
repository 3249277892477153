export function healthReport(
  log: (sentence: string) => void,
  now?: () => number,
): (causes: readonly string[]) => void
export function causesIn(response: Response): Promise<readonly string[]>
