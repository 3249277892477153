export const parts: readonly {
  readonly title: string
  readonly documents: readonly (readonly [path: string, name: string])[]
}[]
export const unlisted: readonly (readonly [folder: string, list: string])[]
