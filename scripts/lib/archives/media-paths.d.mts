export function mediaIn(
  item: unknown,
  names: ReadonlySet<string>,
): readonly { readonly url: string; readonly name: string | null }[]
