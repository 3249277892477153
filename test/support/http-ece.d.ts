declare module 'http_ece' {
  import type { Buffer } from 'node:buffer'
  import type { ECDH } from 'node:crypto'

  interface Parameters {
    readonly version: 'aes128gcm' | 'aesgcm'
    readonly privateKey: ECDH
    readonly authSecret: string
    /** Public key that the older form has in headers. */
    readonly dh?: string
    readonly salt?: string
  }

  const ece: { decrypt(body: Buffer, parameters: Parameters): Buffer }
  export default ece
}
