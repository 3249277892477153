export function runWrangler(
  folder: string,
  args: readonly string[],
): Promise<{ readonly code: number | null; readonly output: string; readonly stdout: string }>
