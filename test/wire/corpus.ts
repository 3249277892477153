/// <reference types="vite/types/importMeta.d.ts" />

/** A document of another server, as text: parse it anew for every test that may change it. */
export interface WireDocument {
  /** `<software>-<version>-<what>`, or `hostile/<what>`. */
  readonly name: string
  readonly isHostile: boolean
  readonly text: string
}

const files = import.meta.glob<string>('./**/*.json', { query: '?raw', import: 'default', eager: true })

/**
 * Documents in the form in which each software sends them, with hosts renamed to `.test`, and hostile ones.
 *
 * Their clock stands at 2026-11-01T12:00:00Z. Honest ones speak to https://fieldfare.test/users/ada, hostile ones come
 * from https://evil.test/users/eve.
 */
export const corpus: readonly WireDocument[] = Object.entries(files).map(([path, text]) => {
  const name = path.slice(2, -'.json'.length)
  return { name, isHostile: name.startsWith('hostile/'), text }
})

const textsByName = new Map(corpus.map(({ name, text }) => [name, text]))

/** The text of a document of the corpus. */
export function wireText(name: string): string {
  const text = textsByName.get(name)
  if (text === undefined) throw new Error(`no document ${name} in test/wire`)
  return text
}

/** A fresh copy of a document of the corpus. */
export function wire(name: string): unknown {
  return JSON.parse(wireText(name))
}
