import { sign, verify } from '../secrets'

const purpose = 'unsubscribe'

/** Scope of an unsubscribe link: emails of one kind to one account. */
export interface UnsubscribeTarget {
  readonly accountId: number
  readonly kind: string
}

/** Signs an unsubscribe token: equal for every email of the kind, so that links in old ones work for ever. */
export async function unsubscribeToken(
  secret: string,
  { accountId, kind }: UnsubscribeTarget,
): Promise<string> {
  const subject = `${accountId}.${kind}`
  return `${subject}.${await sign(secret, purpose, subject)}`
}

/** Verifies an unsubscribe token; null if this server did not sign it. */
export async function readUnsubscribeToken(secret: string, token: string): Promise<UnsubscribeTarget | null> {
  const [, accountId, kind, signature] = /^(\d{1,16})\.([\w.]{1,40})\.([\w-]{43})$/.exec(token) ?? []
  if (accountId === undefined || kind === undefined || signature === undefined) return null
  if (!(await verify(secret, purpose, `${accountId}.${kind}`, signature))) return null
  return { accountId: Number(accountId), kind }
}
