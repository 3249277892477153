import { type InstanceSecrets, sign, verify } from '../../lib/secrets'

const purpose = 'unsubscribe'

/** Scope of an unsubscribe link: emails of one kind to one account. */
export interface UnsubscribeTarget {
  readonly accountId: number
  readonly kind: string
}

/**
 * Signs an unsubscribe token: equal for every email of the kind, so that links in old ones work as long as the secret is
 * accepted.
 */
export async function unsubscribeToken(
  secrets: InstanceSecrets,
  { accountId, kind }: UnsubscribeTarget,
): Promise<string> {
  const subject = `${accountId}.${kind}`
  return `${subject}.${await sign(secrets, purpose, subject)}`
}

/** Verifies an unsubscribe token; null if no accepted secret of this server signed it. */
export async function readUnsubscribeToken(
  secrets: InstanceSecrets,
  token: string,
): Promise<UnsubscribeTarget | null> {
  const [, accountId, kind, signature] = /^(\d{1,16})\.([\w.]{1,40})\.([\w-]{43})$/.exec(token) ?? []
  if (accountId === undefined || kind === undefined || signature === undefined) return null
  if (!(await verify(secrets, purpose, `${accountId}.${kind}`, signature))) return null
  return { accountId: Number(accountId), kind }
}
