const key = 'name'

/** Name the object was called by; an object woken by a socket may know it from its own storage only. */
export function objectName({ id, storage }: DurableObjectState): string {
  return id.name ?? storage.kv.get<string>(key) ?? ''
}

export function storeObjectName({ id, storage }: DurableObjectState): void {
  if (id.name !== undefined && storage.kv.get(key) === undefined) storage.kv.put(key, id.name)
}

type TaggedSockets = Pick<DurableObjectState, 'getWebSockets' | 'getTags'> & {
  readonly id: Pick<DurableObjectId, 'name'>
}

/**
 * Name of an object whose sockets have it as their tag, which outlives the object like they do. Nothing is stored: the first write
 * takes an object 20 KiB of memory for as long as it is awake.
 */
export function nameOrTag(state: TaggedSockets): string {
  const [socket] = state.getWebSockets()
  return state.id.name ?? (socket === undefined ? undefined : state.getTags(socket)[0]) ?? ''
}
