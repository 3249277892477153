export function documentsIn(root: string): readonly string[]
export function buildSite(
  root: string,
  about: { readonly home: string | null },
): Promise<ReadonlyMap<string, Buffer>>
