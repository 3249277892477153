export function sourceUrl(folder: string): string | null
export function addressOf(remote: string, commit: string | null): string | null
