import { createHmac } from 'node:crypto'

/** Secret of the server, by which cookies and links are signed and keys are encrypted. */
export interface InstanceSecret {
  readonly text: string
  /** Name by which encrypted values say what they were encrypted under: eight hexadecimal digits derived from the text. */
  readonly version: string
}

/**
 * Secrets of the server. Cookies, links and encrypted values are made with the current one; what any of the accepted ones made is valid: former
 * secrets, and the next one while it is being brought in.
 */
export interface InstanceSecrets {
  readonly current: InstanceSecret
  /** The current one first. */
  readonly accepted: readonly InstanceSecret[]
}

/** Secrets besides the current one that are accepted at most: each is tried for every signature that is wrong. */
export const mostAcceptedSecrets = 4

export function instanceSecrets(current: string, accepted: readonly string[] = []): InstanceSecrets {
  const texts = [...new Set([current, ...accepted])]
  return {
    current: instanceSecret(current),
    accepted: texts.map(instanceSecret),
  }
}

/** The accepted secret of a version; null where no such one is configured. */
export function secretOfVersion({ accepted }: InstanceSecrets, version: string): InstanceSecret | null {
  return accepted.find((secret) => secret.version === version) ?? null
}

function instanceSecret(text: string): InstanceSecret {
  const version = createHmac('sha256', text).update('fieldfare version of the instance secret').digest('hex')
  return { text, version: version.slice(0, 8) }
}
