import type { RateLimitStatus } from '../errors'
import type { AccountId } from '../lib/ids'
import type { Mail } from '../lib/mail/mail'
import type { FloodScope, RateFamily } from './rate-limits'

export interface SealedKeyPair {
  readonly publicKey: string
  readonly privateKey: string
}

/** Heavy cryptography, run where there is CPU for it. */
export interface Vault {
  hashPassword(password: string): Promise<string>
  verifyPassword(password: string, hash: string): Promise<boolean>
  /** Generates an RSA-2048 pair for an actor: the public half as PEM, the private half encrypted for `owner` alone. */
  generateKeyPair(owner: AccountId): Promise<SealedKeyPair>
  /**
   * Generates a P-256 pair for Web Push: the public half as base64url of the raw point, the private half encrypted.
   */
  generatePushKeyPair(): Promise<SealedKeyPair>
  /** Signs `bytes` with the encrypted actor key of `owner`: RSASSA-PKCS1-v1_5 (SHA-256). */
  sign(privateKey: string, bytes: Uint8Array, owner: AccountId): Promise<Uint8Array>
  /** Signs `bytes` with an encrypted key for Web Push: ECDSA (P-256, SHA-256), 64 bytes. */
  signPush(privateKey: string, bytes: Uint8Array): Promise<Uint8Array>
}

export interface Picture {
  readonly bytes: Uint8Array
  readonly mime: string
}

/** Transformation of a picture. `cover` fills the box and crops, `scale-down` only ever shrinks. */
export interface PictureOrder {
  readonly width: number
  readonly height: number
  readonly fit: 'cover' | 'scale-down'
  readonly mime: 'image/webp' | 'image/jpeg' | 'image/png'
  /** Keeps an animated WebP moving; otherwise the first frame stands for all. */
  readonly moving?: boolean
}

/** Resizing with orientation applied and metadata (EXIF, GPS) dropped. Throws `Invalid` for unreadable pictures. */
export interface Images {
  render(source: Uint8Array, order: PictureOrder): Promise<Picture>
}

export interface Mailer {
  /** Throws `MailRefused` where a retry is of no use. */
  send(mail: Mail): Promise<void>
  /** Whether a domain receives mail, and by which hosts. */
  lookUp(domain: string): Promise<MailReach>
}

export interface MailReach {
  /** False when the domain receives no mail; true also when that cannot be determined now. */
  readonly acceptsMail: boolean
  /** Hosts named by its MX records, in lower case. */
  readonly hosts: readonly string[]
}

export interface Throttle {
  /**
   * Counts one more of `family` for `subject`; throws `RateLimited` when the window is used up. Subjects that stand
   * for many may do so `times` as often as one.
   */
  take(family: RateFamily, subject: string, times?: number): Promise<RateLimitStatus>
  /** Counts `amount` more without throwing; returns the end of the window once it is used up, null before. */
  spend(family: RateFamily, subject: string, amount: number): Promise<Date | null>
  /** False when `subject` floods the server; affects no user-visible limit. */
  admits(gate: FloodScope, subject: string): Promise<boolean>
}
