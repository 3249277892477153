import { codeText, type SourceFile } from './source'

const declaring = [
  /\b(?:function\*?|class|const|let|type|interface|enum)\s+([A-Za-z_]\w*)/g,
  // Methods and properties, one a line.
  /^\s+(?:(?:static|async|get|set|readonly)\s+)*\*?([A-Za-z_]\w*)\??(?:<[^>\n]*>)?(?:\(|:|\s*=)/gm,
  // Properties and parameters within a line.
  /[{,(]\s*(?:readonly\s+)?([A-Za-z_]\w*)\??:/g,
]
/** Names that are bound together: destructured, or imported. */
const listing = [/\bconst\s+[{[]([^}\]]*)[}\]]\s*=/g, /\bimport\s+(?:type\s+)?[^'"]*?\{([^}]*)\}/g]

/** Identifiers that files declare or import. A word in a comment or a text is none. */
export function declaredNames(files: readonly SourceFile[]): ReadonlySet<string> {
  return new Set(
    files.flatMap((file) => {
      const code = codeText(file)
      const single = declaring.flatMap((pattern) => [...code.matchAll(pattern)].map(([, name = '']) => name))
      const several = listing
        .flatMap((pattern) => [...code.matchAll(pattern)].flatMap(([, names = '']) => names.split(',')))
        .map((one) => /([A-Za-z_]\w*)\s*(?:=.*)?$/.exec(one.trim())?.[1] ?? '')
      return [...single, ...several]
    }),
  )
}

/** Identifiers by the class that declares them, as far as its file tells. */
export function classes(files: readonly SourceFile[]): ReadonlyMap<string, ReadonlySet<string>> {
  return new Map(
    files.flatMap((file) =>
      [...codeText(file).matchAll(/\bexport class ([A-Z]\w*)/g)].map(
        ([, name = '']) => [name, declaredNames([file])] as const,
      ),
    ),
  )
}
