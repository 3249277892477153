import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'

const root = join(import.meta.dirname, '../..')

export interface SourceFile {
  /** From the top of the project: `src/api/params.ts`. */
  readonly path: string
  readonly text: string
}

/** Every source file below a folder of the project. */
export function sourceFiles(folder: 'src' | 'test' | 'scripts'): readonly SourceFile[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.(tsx?|mjs)$/.test(name) && !name.endsWith('.d.ts'))
    .map((name) => ({
      path: `${folder}/${name.replaceAll('\\', '/')}`,
      text: readFileSync(join(root, folder, name), 'utf8'),
    }))
}

const importing =
  /(?:^|\n)\s*(?:import|export)\s[^'"`;]*?from\s*['"]([^'"]+)['"]|\bimport\(\s*['"]([^'"]+)['"]\s*\)|(?:^|\n)import\s*['"]([^'"]+)['"]/g

/** Imports and re-exports of a file, types included; local ones as project paths without extension. */
export function importsOf(file: SourceFile): readonly string[] {
  return [...file.text.matchAll(importing)].map((match) => {
    const name = match[1] ?? match[2] ?? match[3] ?? ''
    if (!name.startsWith('.')) return name
    return relative(root, resolve(root, dirname(file.path), name)).replaceAll('\\', '/')
  })
}

/** Finds the file an import names. */
export function resolver(files: readonly SourceFile[]): (name: string) => string | null {
  const known = new Set(files.map((file) => file.path))
  return (name) =>
    [`${name}.ts`, `${name}.tsx`, `${name}/index.ts`, name].find((path) => known.has(path)) ?? null
}

/** The text of a file without its comments. */
export function codeText({ text }: SourceFile): string {
  return text.replaceAll(/\/\*[\s\S]*?\*\//g, '').replaceAll(/(^|[^:'"])\/\/.*$/gm, '$1')
}

/** The lines of a file that are code: no comments, no import lines, quoted texts emptied. */
export function codeLines(file: SourceFile): readonly string[] {
  return codeText(file)
    .replaceAll(/(?:^|\n)(?:import|export)\s[^'"`;]*?from\s*['"][^'"]+['"]/g, '\n')
    .replaceAll(/'(?:[^'\\\n]|\\.)*'/g, "''")
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
}

/** The declarations at the top of a file, each with its text: the formatter begins nothing else in the first column. */
export function declarationsOf({
  text,
}: SourceFile): readonly { readonly name: string; readonly text: string }[] {
  const starting =
    /^(?:export )?(?:abstract )?(?:async )?(?:function\*?|const|let|class|interface|type) (\w+)?/gm
  const starts = [...text.matchAll(starting)]
  return starts.map(({ index, 1: name = '' }, nth) => ({
    name,
    text: text.slice(index, starts[nth + 1]?.index),
  }))
}
