export function wordsOf(message: string): string | null
