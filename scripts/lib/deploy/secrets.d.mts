export function deployedToken(folder: string, origin: string): string | null
