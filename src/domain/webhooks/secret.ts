import { sign } from '../../lib/secrets'
import type { Ctx } from '../../platform/ports'

/**
 * The secret of a webhook: derived, so that it is stored nowhere and shown only when it is made. A new version is a new
 * secret.
 */
export function webhookSecret(
  { config }: Pick<Ctx, 'config'>,
  { id, secretVersion }: { readonly id: number; readonly secretVersion: number },
): Promise<string> {
  return sign(config.secret, 'webhook', `${id} ${secretVersion}`)
}
