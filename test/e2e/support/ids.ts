/** Ids of a page, in its order. */
export function idsOf(list: readonly { readonly id: string }[]): readonly string[] {
  return list.map(({ id }) => id)
}
