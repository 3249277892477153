// Parts of documents that a script writes, between two comments that name it.
import { readFileSync, writeFileSync } from 'node:fs'

const edgesOf = (name) => [`<!-- written by ${name} -->`, `<!-- end of ${name} -->`]

/** The part of a text that `name` writes. */
export function partOf(text, name) {
  const [start, end] = edgesOf(name).map((edge) => text.indexOf(edge))
  if (start < 0 || end < start) throw new Error(`There is no part of ${name}`)
  return text.slice(start + edgesOf(name)[0].length, end).trim()
}

/** The text with another part. */
export function withPart(text, name, part) {
  const [start, end] = edgesOf(name)
  const before = text.slice(0, text.indexOf(start) + start.length)
  partOf(text, name)
  return `${before}\n\n${part}\n\n${text.slice(text.indexOf(end))}`
}

export function writePart(file, name, part) {
  writeFileSync(file, withPart(readFileSync(file, 'utf8'), name, part))
}
