import { withoutControls } from './controls'

/**
 * Text of an uploaded file: UTF-8, or UTF-16 as spreadsheets save it, with a byte order mark or without. Line breaks are
 * LF, also where they were CR alone.
 */
export function textOfFile(bytes: Uint8Array): string {
  const text = new TextDecoder(encodingOf(bytes)).decode(bytes)
  return withoutControls(text.replace(/\r\n?/g, '\n'))
}

function encodingOf(bytes: Uint8Array): 'utf-8' | 'utf-16le' | 'utf-16be' {
  const [first, second] = bytes
  if (first === undefined || second === undefined) return 'utf-8'
  if ((first === 0xff && second === 0xfe) || (first !== 0 && second === 0)) return 'utf-16le'
  return (first === 0xfe && second === 0xff) || (first === 0 && second !== 0) ? 'utf-16be' : 'utf-8'
}
