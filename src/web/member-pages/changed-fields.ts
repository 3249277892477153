/**
 * Names of the sent fields that are another than `stored`, by their text; a file that was chosen is one. Fields that are not
 * stored are left out.
 */
export function changedFields(
  stored: Readonly<Record<string, string | null>>,
  sent: Readonly<Record<string, unknown>>,
): readonly string[] {
  return Object.entries(stored).flatMap(([name, before]) => {
    const after = sent[name]
    const isSame = after === undefined || textOf(after) === textOf(before)
    return isSame ? [] : [name]
  })
}

/** Browsers end the lines of a text with CR and LF; space around a text is not saved. */
function textOf(value: unknown): string {
  if (value instanceof Uint8Array) return 'a file'
  return value === null ? '' : String(value).replaceAll('\r\n', '\n').trim()
}
