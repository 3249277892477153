import { type InstanceSecrets, signWith } from '../secrets'

/** Secret of a webhook from before secrets were stored: derived from the oldest secret of the server. */
export function derivedWebhookSecret(
  { accepted, current }: InstanceSecrets,
  { id, secretVersion }: { readonly id: number; readonly secretVersion: number },
): Promise<string> {
  return signWith(accepted.at(-1) ?? current, 'webhook', `${id} ${secretVersion}`)
}
