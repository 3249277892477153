/** Parameters of scrypt: `costLog2` is the base-2 logarithm of its cost N. */
export interface ScryptParameters {
  readonly costLog2: number
  readonly blockSize: number
  readonly parallelism: number
}

/**
 * Parameters of new hashes, one of the equivalent sets of OWASP's password storage cheat sheet: 16 MiB, so that the
 * objects that share an isolate of 128 MB can derive at the same time.
 */
export const currentParameters: ScryptParameters = { costLog2: 14, blockSize: 8, parallelism: 5 }

/** Hashes of the first version carry no parameters. */
const firstParameters: ScryptParameters = { costLog2: 14, blockSize: 8, parallelism: 1 }

/** Stored password: parameters, salt and derived key, the latter two in base64 without padding. */
export interface PasswordHash {
  readonly parameters: ScryptParameters
  readonly salt: string
  readonly key: string
}

/** Writes a hash in the form of the PHC: `$scrypt$ln=14,r=8,p=5$<salt>$<key>`. */
export function formatPasswordHash({ parameters, salt, key }: PasswordHash): string {
  const { costLog2, blockSize, parallelism } = parameters
  return `$scrypt$ln=${costLog2},r=${blockSize},p=${parallelism}$${salt}$${key}`
}

/** Hash that costs as much to verify as a current one and matches no password. */
export const unmatchableHash = formatPasswordHash({
  parameters: currentParameters,
  salt: 'A'.repeat(22),
  key: 'A'.repeat(43),
})

/** Parses a hash of this or the first version; null for anything else, unaffordable parameters included. */
export function parsePasswordHash(text: string): PasswordHash | null {
  const first = /^scrypt1\$([\w-]+)\$([\w-]+)$/.exec(text)
  if (first !== null) return hashOf(firstParameters, first[1], first[2])
  const found = /^\$scrypt\$ln=(\d{1,2}),r=(\d{1,2}),p=(\d{1,2})\$([\w+/]+)\$([\w+/]+)$/.exec(text)
  if (found === null) return null
  const [costLog2 = 0, blockSize = 0, parallelism = 0] = found.slice(1, 4).map(Number)
  const parameters = { costLog2, blockSize, parallelism }
  return isAffordable(parameters) ? hashOf(parameters, found[4], found[5]) : null
}

function hashOf(parameters: ScryptParameters, salt = '', key = ''): PasswordHash {
  return { parameters, salt, key }
}

/** Whether scrypt takes these parameters, within 32 MiB and a few seconds. */
function isAffordable({ costLog2, blockSize, parallelism }: ScryptParameters): boolean {
  return costLog2 > 0 && blockSize > 0 && parallelism > 0 && 2 ** costLog2 * blockSize <= 2 ** 18
}

/** Whether a matching password should be hashed again, because the parameters have changed since. */
export function isOutdatedHash(text: string): boolean {
  const parameters = parsePasswordHash(text)?.parameters
  return (
    parameters?.costLog2 !== currentParameters.costLog2 ||
    parameters.blockSize !== currentParameters.blockSize ||
    parameters.parallelism !== currentParameters.parallelism
  )
}
