type Secrets = Readonly<Record<string, string>>

export function secretsWithToken(folder: string): Secrets | null
export function deployedToken(folder: string, origin: string): string | null
