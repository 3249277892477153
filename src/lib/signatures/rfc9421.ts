import { carriesBody, fieldValue, type HttpMessage, targetOf } from './message'
import { type InnerList, type Item, parseDictionary, serialiseItem, serialiseList } from './structured'

/** A signature by RFC 9421, parsed and unverified. */
export interface MessageSignature {
  readonly scheme: 'rfc9421'
  readonly keyId: string
  readonly bytes: Uint8Array
  readonly input: InnerList
  readonly created: number | null
  readonly expires: number | null
}

/**
 * Parses `Signature-Input` and `Signature`, or returns the reason they are invalid.
 *
 * Of several signatures the first that names a key counts: proxies may add their own. `alg` is ignored.
 */
export function parseMessageSignature(inputs: string, signatures: string): MessageSignature | string {
  const [given, made] = [parseDictionary(inputs), parseDictionary(signatures)]
  if (given === null || made === null) return 'The signature headers are malformed or name a label twice'
  for (const [label, input] of given) {
    const signature = made.get(label)
    if (input.kind !== 'list' || signature?.kind !== 'item' || signature.bare.kind !== 'bytes') continue
    const keyId = input.parameters.get('keyid')
    if (keyId?.kind !== 'string' || keyId.value === '') continue
    const names = input.items.map(serialiseItem)
    if (new Set(names).size < names.length) return 'The signature covers a component twice'
    const [created, expires] = [secondsIn(input, 'created'), secondsIn(input, 'expires')]
    return {
      scheme: 'rfc9421',
      keyId: keyId.value,
      bytes: signature.bare.value,
      input,
      created,
      expires,
    }
  }
  return 'No signature names its key'
}

function secondsIn(input: InnerList, name: string): number | null {
  const found = input.parameters.get(name)
  return found?.kind === 'integer' ? found.value : null
}

/** The required component that the signature does not cover, or null. */
export function rfc9421CoverageProblem(signature: MessageSignature, message: HttpMessage): string | null {
  const names = signature.input.items.map(serialiseItem)
  const covers = (...required: string[]) => required.every((name) => names.includes(`"${name}"`))
  const query = targetOf(message).query === '' ? [] : ['@query']
  if (!covers('@method')) return 'The signature does not cover the method'
  if (!covers('@target-uri') && !covers('@request-target') && !covers('@path', ...query))
    return 'The signature does not cover the target'
  if (!covers('@target-uri') && !covers('@authority') && !covers('host'))
    return 'The signature does not cover the host'
  if (signature.created === null && !covers('date')) return 'The signature covers no time'
  if (carriesBody(message) && !covers('content-digest')) return 'The signature does not cover the body'
  return null
}

export function coversDate(signature: MessageSignature): boolean {
  return signature.input.items.some((item) => serialiseItem(item) === '"date"')
}

/** The signature base, or null if a covered component is absent. */
export function signatureBase(input: InnerList, message: HttpMessage): string | null {
  const lines: string[] = []
  for (const item of input.items) {
    const value = componentValue(item, message)
    if (value === null) return null
    lines.push(`${serialiseItem(item)}: ${value}`)
  }
  return [...lines, `"@signature-params": ${serialiseList(input)}`].join('\n')
}

function componentValue(item: Item, message: HttpMessage): string | null {
  if (item.bare.kind !== 'string') return null
  const name = item.bare.value
  if (name === '@query-param') return queryParameter(item, message)
  // Parameters change the meaning of a component; no fediverse software is known to send any.
  if (item.parameters.size > 0) return null
  return name.startsWith('@') ? derived(name, message) : fieldValue(message, name)
}

function derived(name: string, message: HttpMessage): string | null {
  const { path, query } = targetOf(message)
  const url = new URL(message.url)
  switch (name) {
    case '@method':
      return message.method.toUpperCase()
    case '@target-uri':
      return message.url
    case '@authority':
      return url.host
    case '@scheme':
      return url.protocol.slice(0, -1)
    case '@request-target':
      return path + query
    case '@path':
      return path
    case '@query':
      return query === '' ? '?' : query
    default:
      return null
  }
}

function queryParameter(item: Item, message: HttpMessage): string | null {
  const name = item.parameters.get('name')
  if (name?.kind !== 'string' || item.parameters.size > 1) return null
  const values = [...new URL(message.url).searchParams].filter(([key]) => encoded(key) === name.value)
  const [first] = values
  return first === undefined || values.length > 1 ? null : encoded(first[1])
}

function encoded(text: string): string {
  return encodeURIComponent(text).replaceAll(
    /[!'()~]/g,
    (letter) => `%${letter.charCodeAt(0).toString(16).toUpperCase()}`,
  )
}
