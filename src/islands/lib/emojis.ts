/** Emoji with its name and the words that it is found by, in lower case. */
export interface EmojiLine {
  readonly emoji: string
  readonly name: string
  readonly words: readonly string[]
}

/** Reads the lines of a file of `public/emojis`: an emoji, a space, its name and keywords between bars. */
export function emojiLines(file: unknown): readonly EmojiLine[] {
  const lines: readonly unknown[] = Array.isArray(file) ? file : []
  return lines.flatMap((line) => {
    const [, emoji, rest] = /^(\S+) (.+)$/.exec(String(line)) ?? []
    if (emoji === undefined || rest === undefined) return []
    const words = rest.split('|')
    return [
      {
        emoji,
        name: words[0] ?? '',
        words: words.map((word) => word.toLowerCase()),
      },
    ]
  })
}

/** Emojis whose words contain a query in lower case: first those with a word that begins with it. */
export function foundEmojis(lines: readonly EmojiLine[], query: string, most: number): readonly EmojiLine[] {
  if (query === '') return []
  const beginning = lines.filter(({ words }) => words.some((word) => word.startsWith(query)))
  const inside = lines.filter(
    (line) => !beginning.includes(line) && line.words.some((word) => word.includes(query)),
  )
  return [...beginning, ...inside].slice(0, most)
}

/** Text to insert for an emoji after `before`: those of the server stand between spaces, or they stay plain text. */
export function inserted(before: string, emoji: string): string {
  if (!emoji.startsWith(':')) return emoji
  return `${before === '' || /\s$/.test(before) ? '' : ' '}${emoji} `
}
