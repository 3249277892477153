import { carriesBody, fieldValue, type HttpMessage, targetOf } from './message'
import { decodeBase64 } from './structured'

/** A signature by draft-cavage-http-signatures, parsed and unverified. */
export interface CavageSignature {
  readonly scheme: 'cavage'
  readonly keyId: string
  readonly bytes: Uint8Array
  /** Covered fields, lower case, in order. */
  readonly covered: readonly string[]
  readonly created: number | null
  readonly expires: number | null
}

const parameter = /^\s*([A-Za-z]+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s",]+))\s*(?:,|$)/

/** Parses a `Signature` header, or returns the reason it is invalid. `algorithm` is ignored: the key decides. */
export function parseCavage(header: string): CavageSignature | string {
  const given = parametersOf(header)
  if (given === null) return 'The Signature header is malformed or names a parameter twice'
  const bytes = decodeBase64(given.get('signature') ?? '')
  const keyId = given.get('keyid') ?? ''
  if (keyId === '' || bytes === null || bytes.length === 0)
    return 'The Signature header lacks key or signature'
  // By the draft a missing list means the date alone.
  const covered = (given.get('headers') ?? 'date').toLowerCase().split(/\s+/).filter(Boolean)
  if (new Set(covered).size < covered.length) return 'The signature covers a header twice'
  const created = secondsIn(given.get('created'))
  const expires = secondsIn(given.get('expires'))
  if (Number.isNaN(created) || Number.isNaN(expires)) return 'The Signature header has no readable time'
  return { scheme: 'cavage', keyId, bytes, covered, created, expires }
}

function parametersOf(header: string): ReadonlyMap<string, string> | null {
  const found = new Map<string, string>()
  let rest = header
  while (rest.trim() !== '') {
    const match = parameter.exec(rest)
    const name = match?.[1]?.toLowerCase()
    if (match === null || name === undefined || found.has(name)) return null
    found.set(name, match[2]?.replaceAll(/\\(.)/g, '$1') ?? match[3] ?? '')
    rest = rest.slice(match[0].length)
  }
  return found
}

function secondsIn(text: string | undefined): number | null {
  if (text === undefined) return null
  return /^\d{1,12}(\.\d+)?$/.test(text) ? Number(text) : Number.NaN
}

/** The required component that the signature does not cover, or null. */
export function cavageCoverageProblem(signature: CavageSignature, message: HttpMessage): string | null {
  const covers = (name: string) => signature.covered.includes(name)
  if (!covers('(request-target)')) return 'The signature does not cover the target'
  if (!covers('host')) return 'The signature does not cover the host'
  if (!covers('date') && !covers('(created)')) return 'The signature covers no time'
  if (carriesBody(message) && !covers('digest')) return 'The signature does not cover the body'
  return null
}

/**
 * The texts that may have been signed; none if a covered field is absent.
 *
 * Implementations differ in whether they sign the path with its query, and do not declare it.
 */
export function cavageSigningStrings(signature: CavageSignature, message: HttpMessage): readonly string[] {
  const { path, query } = targetOf(message)
  const targets = query === '' ? [path] : [path + query, path]
  return targets.flatMap((target) => {
    const lines = signature.covered.map((name) => {
      const value = covered(name, { signature, message, target })
      return value === null ? null : `${name}: ${value}`
    })
    return lines.includes(null) ? [] : [lines.join('\n')]
  })
}

interface SigningContext {
  readonly signature: CavageSignature
  readonly message: HttpMessage
  readonly target: string
}

function covered(name: string, { signature, message, target }: SigningContext): string | null {
  if (name === '(request-target)') return `${message.method.toLowerCase()} ${target}`
  if (name === '(created)') return signature.created === null ? null : String(signature.created)
  if (name === '(expires)') return signature.expires === null ? null : String(signature.expires)
  return fieldValue(message, name)
}
