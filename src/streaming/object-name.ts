const key = 'name'

/** What an object was named when it was called; one that a socket woke may be told by its own storage only. */
export function objectName({ id, storage }: DurableObjectState): string {
  return id.name ?? storage.kv.get<string>(key) ?? ''
}

export function storeObjectName({ id, storage }: DurableObjectState): void {
  if (id.name !== undefined && storage.kv.get(key) === undefined) storage.kv.put(key, id.name)
}
