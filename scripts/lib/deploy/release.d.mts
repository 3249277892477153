export function releaseOf(folder: string): string
