const encoder = new TextEncoder()

export const base64url = (bytes: Uint8Array) => bytes.toBase64({ alphabet: 'base64url', omitPadding: true })

/** Circumstances of an answer that an attack or a defect changes. */
export interface Circumstances {
  readonly origin?: string
  readonly rpId?: string
  readonly isVerified?: boolean
  readonly counter?: number
  readonly challenge?: string
  readonly userHandle?: string
  readonly type?: string
}

interface Options {
  readonly challenge: string
  readonly rpId?: string
  readonly rp?: { readonly id: string }
  readonly user?: { readonly id: string }
}

/** The options that a form of a page holds for the browser. */
export function passkeyOptionsIn(html: string, action: string): Options {
  const form = html.split('<form').find((part) => part.includes(`action="${action}"`)) ?? ''
  const text = /data-options="([^"]*)"/.exec(form)?.[1] ?? ''
  if (text === '') throw new Error(`The page has no passkey form for ${action}`)
  return JSON.parse(text.replaceAll('&quot;', '"').replaceAll('&amp;', '&')) as Options
}

/** A security key with one passkey, by the rules of WebAuthn level 2: ES256, no attestation. */
export class Authenticator {
  readonly #pair: CryptoKeyPair
  readonly #credentialId = crypto.getRandomValues(new Uint8Array(16))
  #userHandle = ''
  #counter = 0

  private constructor(pair: CryptoKeyPair) {
    this.#pair = pair
  }

  static async create(): Promise<Authenticator> {
    const pair = await crypto.subtle.generateKey({ name: 'ECDSA', namedCurve: 'P-256' }, true, [
      'sign',
      'verify',
    ])
    if (!('publicKey' in pair)) throw new Error('The runtime made no key pair')
    return new Authenticator(pair)
  }

  /** The answer to `navigator.credentials.create()`, as JSON. */
  async register(options: Options, changed: Circumstances = {}): Promise<string> {
    this.#userHandle = options.user?.id ?? ''
    const point = new Uint8Array((await crypto.subtle.exportKey('raw', this.#pair.publicKey)) as ArrayBuffer)
    // COSE: an EC2 key on P-256 for ES256.
    const key = [
      0xa5,
      1,
      2,
      3,
      0x26,
      0x20,
      1,
      0x21,
      0x58,
      32,
      ...point.slice(1, 33),
      0x22,
      0x58,
      32,
      ...point.slice(33),
    ]
    const credential = [...new Uint8Array(16), 0, 16, ...this.#credentialId, ...key]
    const data = [...(await this.#authenticatorData(options, changed, 0x40)), ...credential]
    const format = [0x63, ...encoder.encode('fmt'), 0x64, ...encoder.encode('none')]
    const statement = [0x67, ...encoder.encode('attStmt'), 0xa0]
    const authenticator = [0x68, ...encoder.encode('authData'), 0x58, data.length, ...data]
    const attestation = [0xa3, ...format, ...statement, ...authenticator]
    return this.#answer({
      clientDataJSON: base64url(clientData('webauthn.create', options, changed)),
      attestationObject: base64url(Uint8Array.from(attestation)),
      transports: ['internal'],
    })
  }

  /** The answer to `navigator.credentials.get()`, as JSON. */
  async use(options: Options, changed: Circumstances = {}): Promise<string> {
    this.#counter = changed.counter ?? this.#counter + 1
    const data = Uint8Array.from(await this.#authenticatorData(options, changed, 0))
    const client = Uint8Array.from(clientData('webauthn.get', options, changed))
    const hash = new Uint8Array(await crypto.subtle.digest('SHA-256', client))
    const signed = Uint8Array.from([...data, ...hash])
    const raw = await crypto.subtle.sign({ name: 'ECDSA', hash: 'SHA-256' }, this.#pair.privateKey, signed)
    return this.#answer({
      clientDataJSON: base64url(client),
      authenticatorData: base64url(data),
      signature: base64url(derSignature(new Uint8Array(raw))),
      userHandle: changed.userHandle ?? this.#userHandle,
    })
  }

  async #authenticatorData(
    options: Options,
    changed: Circumstances,
    flags: number,
  ): Promise<readonly number[]> {
    const rpId = changed.rpId ?? options.rpId ?? options.rp?.id ?? ''
    const hash = new Uint8Array(await crypto.subtle.digest('SHA-256', encoder.encode(rpId)))
    const verified = (changed.isVerified ?? true) ? 4 : 0
    const count = this.#counter
    return [...hash, 1 | verified | flags, count >> 24, (count >> 16) & 255, (count >> 8) & 255, count & 255]
  }

  #answer(response: object): string {
    const id = base64url(this.#credentialId)
    return JSON.stringify({ id, rawId: id, type: 'public-key', clientExtensionResults: {}, response })
  }
}

function clientData(type: string, options: Options, changed: Circumstances): Uint8Array {
  const { origin = 'https://fieldfare.test', challenge = options.challenge } = changed
  return encoder.encode(JSON.stringify({ type: changed.type ?? type, challenge, origin, crossOrigin: false }))
}

/** ECDSA signatures of WebAuthn are ASN.1, those of Web Crypto two bare numbers. */
function derSignature(raw: Uint8Array): Uint8Array {
  const integer = (bytes: Uint8Array) => {
    const start = bytes.findIndex((byte) => byte !== 0)
    const digits = [...bytes.slice(start)]
    const positive = (digits[0] ?? 0) > 127 ? [0, ...digits] : digits
    return [2, positive.length, ...positive]
  }
  const parts = [...integer(raw.slice(0, 32)), ...integer(raw.slice(32))]
  return Uint8Array.from([0x30, parts.length, ...parts])
}
