// Texts for a terminal.

/** Text of strangers in one line: no part of it may steer the terminal. */
export function plain(text) {
  return text.replaceAll(/\p{C}/gu, ' ')
}

/** Text of strangers that may have several lines. */
export function plainLines(text) {
  return text.replaceAll(/(?!\n)\p{C}/gu, ' ')
}
