/** Delays making a value until its first use: data of `Intl` cost milliseconds at the start of an isolate. */
export function lazy<T>(make: () => T): () => T {
  let made: { readonly value: T } | null = null
  return () => {
    made ??= { value: make() }
    return made.value
  }
}
