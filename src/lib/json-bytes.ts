/** Parses JSON from bytes; null if invalid. */
export function parseJsonBytes(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(bytes))
  } catch (failure) {
    if (failure instanceof SyntaxError) return null
    throw failure
  }
}
