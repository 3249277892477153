import { generateKeyPairSync, randomBytes, sign } from 'node:crypto'

export interface Certificate {
  readonly cert: string
  readonly key: string
}

/** A throw-away certificate for `names` that signs itself: whoever trusts it as an authority trusts it. */
export function selfSigned(names: readonly string[]): Certificate {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const algorithm = sequence(ecdsaWithSha256)
  const name = sequence(set(sequence(commonName, text('Fieldfare tests'))))
  const now = Date.now()
  const day = 86_400_000
  const alternatives = names.map((host) => tagged(0x82, Buffer.from(host, 'ascii')))
  const body = sequence(
    tagged(0xa0, integer(Buffer.from([2]))),
    integer(Buffer.concat([Buffer.from([1]), randomBytes(8)])),
    algorithm,
    name,
    sequence(time(now - day), time(now + day)),
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
    tagged(
      0xa3,
      sequence(
        sequence(subjectAltName, octets(sequence(...alternatives))),
        sequence(
          basicConstraints,
          tagged(0x01, Buffer.from([0xff])),
          octets(sequence(tagged(0x01, Buffer.from([0xff])))),
        ),
      ),
    ),
  )
  const signature = tagged(0x03, Buffer.concat([Buffer.from([0]), sign('sha256', body, privateKey)]))
  const lines =
    sequence(body, algorithm, signature)
      .toString('base64')
      .match(/.{1,64}/g) ?? []
  return {
    cert: `-----BEGIN CERTIFICATE-----\n${lines.join('\n')}\n-----END CERTIFICATE-----\n`,
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  }
}

const commonName = tagged(0x06, Buffer.from([0x55, 0x04, 0x03]))
const subjectAltName = tagged(0x06, Buffer.from([0x55, 0x1d, 0x11]))
const basicConstraints = tagged(0x06, Buffer.from([0x55, 0x1d, 0x13]))
const ecdsaWithSha256 = tagged(0x06, Buffer.from([0x2a, 0x86, 0x48, 0xce, 0x3d, 0x04, 0x03, 0x02]))

/** A value of ASN.1 in DER: tag, length, content. */
function tagged(tag: number, content: Buffer): Buffer {
  const { length } = content
  const size = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 0xff]
  return Buffer.concat([Buffer.from([tag, ...size]), content])
}

function sequence(...parts: readonly Buffer[]): Buffer {
  return tagged(0x30, Buffer.concat(parts))
}

function set(...parts: readonly Buffer[]): Buffer {
  return tagged(0x31, Buffer.concat(parts))
}

function integer(bytes: Buffer): Buffer {
  return tagged(0x02, bytes)
}

function text(words: string): Buffer {
  return tagged(0x0c, Buffer.from(words, 'utf8'))
}

function octets(content: Buffer): Buffer {
  return tagged(0x04, content)
}

function time(at: number): Buffer {
  const digits = new Date(at).toISOString().replaceAll(/[-:T]|\.\d+/g, '')
  return tagged(0x18, Buffer.from(digits, 'ascii'))
}
