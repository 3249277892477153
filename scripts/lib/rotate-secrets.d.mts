export type SecretsFile = Readonly<Record<string, string>>

export function versionOf(secret: string): string
export function acceptedIn(secrets: SecretsFile): readonly string[]
export function nextStep(
  secrets: SecretsFile,
  options?: { readonly isAtOnce?: boolean },
): { readonly step: 'introduced' | 'current'; readonly next: string; readonly secrets: SecretsFile }
export function withoutFormer(secrets: SecretsFile): SecretsFile
