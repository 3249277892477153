const base58 = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'

/** Multibase in base58btc. */
export function multibaseOf(bytes: Uint8Array): string {
  const zeros = bytes.findIndex((byte) => byte !== 0)
  let number = bytes.reduce((sum, byte) => sum * 256n + BigInt(byte), 0n)
  let text = ''
  while (number > 0n) {
    text = (base58[Number(number % 58n)] ?? '') + text
    number /= 58n
  }
  return `z${'1'.repeat(zeros === -1 ? bytes.length : zeros)}${text}`
}
