const encoder = new TextEncoder()

/** Value of the header `X-Hub-Signature` for a body in UTF-8: `sha256=` and an HMAC in hexadecimal. */
export async function hubSignature(secret: string, body: string): Promise<string> {
  const algorithm = { name: 'HMAC', hash: 'SHA-256' }
  const key = await crypto.subtle.importKey('raw', encoder.encode(secret), algorithm, false, ['sign'])
  return `sha256=${new Uint8Array(await crypto.subtle.sign('HMAC', key, encoder.encode(body))).toHex()}`
}
