export function memoryOf(pids: readonly number[]): number
