/** Languages beside English. */
export const languages: readonly string[]
export function readCatalogue(language: string): Readonly<Record<string, string>>
export function writtenCatalogue(catalogue: Readonly<Record<string, string>>): string
export interface PageSource {
  readonly path: string
  readonly text: string
}
export function allSources(): readonly PageSource[]
export function translatedSources(): readonly PageSource[]

/** Keys that source files name, each in quotes. */
export function usedKeys(keys: readonly string[], sources: readonly PageSource[]): readonly string[]
export function readSource(source: PageSource): {
  readonly bare: readonly string[]
  readonly dynamic: readonly string[]
}
export function placeholdersOf(text: string, isRich: boolean): readonly string[]

/** Names of the forms of each plural in a message. */
export function pluralsOf(text: string, isRich: boolean): string[][]
