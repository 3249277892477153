import type { Document } from './documents'

/** A numbered item of a journey. */
export interface Hop {
  readonly path: string
  /** The hop that leads here: of a nested item the one it stands under, else the one before. Null at a beginning. */
  readonly from: string | null
  readonly isNested: boolean
}

export interface Chapter {
  readonly title: string
  readonly hops: readonly Hop[]
  /** Numbered items that do not begin with a link to a file, whose text is its path. */
  readonly unreadable: readonly string[]
}

const item = /^( *)\d+\. +(.*)$/
const linked = /^\[`?(src\/[^\]`]+)`?\]\(([^)]+)\)/

/** The chapters of a journey: each second-level heading with its numbered list. */
export function chaptersOf({ text }: Document): readonly Chapter[] {
  return text
    .split(/^## +/m)
    .slice(1)
    .map((part) => {
      const [title = '', ...lines] = part.split('\n')
      return { title, ...readList(lines) }
    })
}

function readList(lines: readonly string[]): Omit<Chapter, 'title'> {
  const hops: Hop[] = []
  const unreadable: string[] = []
  const above: { readonly indent: number; readonly path: string }[] = []
  for (const line of lines) {
    const [, spaces, text = ''] = item.exec(line) ?? []
    if (spaces === undefined) continue
    const [, path, target] = linked.exec(text) ?? []
    if (path === undefined || target?.endsWith(`/${path}`) !== true) {
      unreadable.push(line.trim())
      continue
    }
    const indent = spaces.length
    while ((above.at(-1)?.indent ?? -1) > indent) above.pop()
    const before = above.at(-1)?.indent === indent ? above.pop() : undefined
    const parent = above.at(-1)
    hops.push({ path, from: parent?.path ?? before?.path ?? null, isNested: parent !== undefined })
    above.push({ indent, path })
  }
  return { hops, unreadable }
}
