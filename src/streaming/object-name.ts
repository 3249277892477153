const key = 'name'

/** Name the object was called by; an object woken by a socket may know it from its own storage only. */
export function objectName({ id, storage }: DurableObjectState): string {
  return id.name ?? storage.kv.get<string>(key) ?? ''
}

export function storeObjectName({ id, storage }: DurableObjectState): void {
  if (id.name !== undefined && storage.kv.get(key) === undefined) storage.kv.put(key, id.name)
}
