// Texts for a terminal.

/** Text of others in one line: no part of it may control the terminal. */
export function plain(text) {
  return text.replaceAll(/\p{C}/gu, ' ')
}

/** Text of others that may have several lines. */
export function plainLines(text) {
  return text.replaceAll(/(?!\n)\p{C}/gu, ' ')
}

const units = [
  ['GB', 1e9],
  ['MB', 1e6],
  ['KB', 1e3],
]

/** `12.3 MB`, in the largest unit of which there is one. */
export function bytesText(bytes) {
  const [unit, size] = units.find(([, one]) => Math.abs(bytes) >= one) ?? ['bytes', 1]
  return size === 1 ? `${Math.round(bytes)} bytes` : `${(bytes / size).toFixed(1)} ${unit}`
}
