import { trimEnd } from './trim'

const scheme = /https?:\/\//iy
const hostRun = /[\p{L}\p{M}\p{N}_.-]+/uy
const port = /:\d{1,5}(?!\d)/y
const topLevel = /^(?:xn--[a-z0-9-]+|[a-z]{2,63}|[^\p{ASCII}]{2,63}$)/iu
const forbiddenBefore = /[A-Za-z0-9@＠$#＃]/
const whitespace = /\s/
const neverLast = new Set('!*"\'「」<>;:=,.$%[]~&|@?()`')

/**
 * End of the http(s) URL that starts at `start`, or -1 if none starts there.
 *
 * Sentence punctuation at the end does not belong to it; a closing bracket does if it was opened inside.
 */
export function matchUrl(text: string, start: number): number {
  if (start > 0 && forbiddenBefore.test(text.charAt(start - 1))) return -1
  scheme.lastIndex = start
  if (!scheme.test(text)) return -1
  const hostEnd = matchHost(text, scheme.lastIndex)
  if (hostEnd === -1) return -1
  const authorityEnd = matchPort(text, hostEnd)
  return URL.canParse(text.slice(start, authorityEnd)) ? matchTail(text, authorityEnd) : -1
}

function matchHost(text: string, start: number): number {
  hostRun.lastIndex = start
  const host = trimEnd(hostRun.exec(text)?.[0] ?? '', '._-')
  if (host.toLowerCase() === 'localhost') return start + host.length
  const dot = host.lastIndexOf('.')
  if (dot < 1 || host.includes('..')) return -1
  // Japanese and Chinese continue without a space: in `https://a.com見て` the domain ends at `com`.
  const top = topLevel.exec(host.slice(dot + 1))
  return top === null ? -1 : start + dot + 1 + top[0].length
}

function matchPort(text: string, start: number): number {
  port.lastIndex = start
  return port.test(text) ? port.lastIndex : start
}

function matchTail(text: string, start: number): number {
  if (!'/?#'.includes(text.charAt(start) || ' ')) return start
  const open: string[] = []
  let end = start
  let isQuery = false
  for (let i = start; i < text.length; i++) {
    const char = text.charAt(i)
    if (char <= ' ' || char === '<' || char === '>' || char === '`' || whitespace.test(char)) break
    if (char === '(' || char === '[') {
      open.push(char)
    } else if (char === ')' || char === ']') {
      if (open.pop() !== (char === ')' ? '(' : '[')) break
      if (open.length === 0) end = i + 1
    } else {
      isQuery ||= char === '?'
      const mayBeLast = !neverLast.has(char) || (isQuery && (char === '=' || char === '&'))
      if (mayBeLast && open.length === 0) end = i + 1
    }
  }
  return end
}
