import { Secret, TOTP } from 'otpauth'

/** Seconds for which a code is shown (RFC 6238, the period every authenticator app supports). */
const periodSeconds = 30
const digits = 6
/** Steps that the clock of a device may be behind or ahead. */
const skewSteps = 1

/** Secret as people type it into an authenticator app: base32. */
export function totpSecretText(secret: Uint8Array): string {
  return secretOf(secret).base32
}

/** Address that authenticator apps read from the QR code: `otpauth://totp/…`. */
export function totpUri(
  secret: Uint8Array,
  names: { readonly issuer: string; readonly label: string },
): string {
  return totpOf(secret, names).toString()
}

/** Time step whose code this is, of the current one and those beside it; null for a wrong code. */
export function matchTotpStep(secret: Uint8Array, code: string, now: Date): number | null {
  const timestamp = now.getTime()
  const delta = totpOf(secret).validate({ token: code, timestamp, window: skewSteps })
  return delta === null ? null : Math.floor(timestamp / 1000 / periodSeconds) + delta
}

/** Code shown at `now`. */
export function totpCode(secret: Uint8Array, now: Date): string {
  return totpOf(secret).generate({ timestamp: now.getTime() })
}

function totpOf(secret: Uint8Array, names: { readonly issuer?: string; readonly label?: string } = {}): TOTP {
  return new TOTP({ ...names, secret: secretOf(secret), algorithm: 'SHA1', digits, period: periodSeconds })
}

function secretOf(bytes: Uint8Array): Secret {
  return new Secret({ buffer: Uint8Array.from(bytes).buffer })
}
