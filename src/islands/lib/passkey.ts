/** Conversions by hand: browsers of 2024 lack `PublicKeyCredential.parseCreationOptionsFromJSON`. */

export function toBytes(text: string): Uint8Array<ArrayBuffer> {
  const base64 = text.replaceAll('-', '+').replaceAll('_', '/')
  return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0))
}

export function toText(buffer: ArrayBuffer): string {
  const binary = String.fromCharCode(...new Uint8Array(buffer))
  return btoa(binary).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
}

interface DescriptorJson {
  readonly id: string
  readonly type: 'public-key'
}

const withId = <D extends DescriptorJson>(descriptor: D) => ({ ...descriptor, id: toBytes(descriptor.id) })

export interface RequestJson {
  readonly challenge: string
  readonly allowCredentials?: readonly DescriptorJson[]
}

export interface CreationJson extends PublicKeyParts {
  readonly challenge: string
  readonly user: { readonly id: string; readonly name: string; readonly displayName: string }
  readonly excludeCredentials?: readonly DescriptorJson[]
}

interface PublicKeyParts {
  readonly rp: { readonly id?: string; readonly name: string }
  readonly pubKeyCredParams: { readonly alg: number; readonly type: 'public-key' }[]
}

/** Options of a request for a passkey, as browsers take them. */
export function requestOptions({ challenge, allowCredentials, ...rest }: RequestJson) {
  return {
    ...rest,
    challenge: toBytes(challenge),
    ...(allowCredentials === undefined ? {} : { allowCredentials: allowCredentials.map(withId) }),
  }
}

/** Options of a new passkey, as browsers take them. */
export function creationOptions({ challenge, user, excludeCredentials, ...rest }: CreationJson) {
  return {
    ...rest,
    challenge: toBytes(challenge),
    user: { ...user, id: toBytes(user.id) },
    ...(excludeCredentials === undefined ? {} : { excludeCredentials: excludeCredentials.map(withId) }),
  }
}

/** Parts of a browser's answer, which depend on whether the passkey was made or used. */
export interface PasskeyAnswer {
  readonly id: string
  readonly rawId: ArrayBuffer
  readonly type: string
  readonly response: object
}

/** Whether the browser answered with a passkey: managers of passwords answer with objects of their own. */
export function isPasskey(answer: object | null): answer is PasskeyAnswer {
  return answer !== null && 'rawId' in answer && isBuffer(answer.rawId) && 'response' in answer
}

function isBuffer(value: unknown): value is ArrayBuffer {
  return Object.prototype.toString.call(value) === '[object ArrayBuffer]'
}

/** Ways to reach a new passkey; null for one that was used. */
function transportsOf(response: object): unknown {
  if (!('getTransports' in response) || typeof response.getTransports !== 'function') return null
  return response.getTransports()
}

const bufferNames = [
  'clientDataJSON',
  'attestationObject',
  'authenticatorData',
  'signature',
  'userHandle',
] as const

/** The answer as the server reads it. */
export function answerJson({ id, rawId, type, response }: PasskeyAnswer) {
  const transports = transportsOf(response)
  const isNew = transports !== null
  const buffers = bufferNames.flatMap((name) => {
    // Part of the attestation object of a new passkey. A prototype has the parts, not the object itself.
    if (isNew && name === 'authenticatorData') return []
    const value: unknown = Reflect.get(response, name)
    return isBuffer(value) ? [[name, toText(value)] as const] : []
  })
  return {
    id,
    rawId: toText(rawId),
    type,
    clientExtensionResults: {},
    response: { ...Object.fromEntries(buffers), ...(isNew ? { transports } : {}) },
  }
}
