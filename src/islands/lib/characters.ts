/** Characters that a link counts as, whatever its length. */
const linkLength = 23

/** Characters of a text as the server counts them: a link counts 23, and of a mention only its name. */
export function countCharacters(text: string, language: string): number {
  const counted = text
    .replaceAll(/https?:\/\/\S+/g, 'x'.repeat(linkLength))
    .replaceAll(/(^|[^\w/])@(\w+)@[\w.-]+\w/g, '$1@$2')
  return [...new Intl.Segmenter(language, { granularity: 'grapheme' }).segment(counted)].length
}

/** The word before the caret that can be completed: its kind, its text without the sign, and where it begins. */
export interface Completable {
  readonly kind: 'person' | 'hashtag' | 'emoji'
  readonly text: string
  readonly start: number
}

const kinds: ReadonlyMap<string, Completable['kind']> = new Map([
  ['@', 'person'],
  ['#', 'hashtag'],
  [':', 'emoji'],
])

/** The word that ends at `caret`; null where nothing is to complete. */
export function completableAt(text: string, caret: number): Completable | null {
  const [, sign = '', word = ''] = /(?:^|[\s(])([@#:])([\p{L}\p{N}_@.-]*)$/u.exec(text.slice(0, caret)) ?? []
  const kind = kinds.get(sign)
  if (kind === undefined || word.length < 2) return null
  return { kind, text: word, start: caret - word.length - 1 }
}

/** `text` with a completion in place of the word that ends at `caret`, and the caret behind it. */
export function complete(
  text: string,
  { start, caret, by }: { readonly start: number; readonly caret: number; readonly by: string },
): { readonly text: string; readonly caret: number } {
  const before = `${text.slice(0, start)}${by} `
  return { text: before + text.slice(caret).replace(/^ /, ''), caret: before.length }
}
