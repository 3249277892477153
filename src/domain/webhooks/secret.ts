import type { WebhookId } from '../../lib/ids'
import { type SealBinding, seal, unseal } from '../../lib/sealing'
import { derivedWebhookSecret } from '../../lib/webhooks/derived-secret'
import type { Ctx } from '../../ports/ctx'
import type { Webhook } from './find'

/** A new secret of a webhook, shown this once, and the text that is stored. */
export interface NewWebhookSecret {
  readonly secret: string
  readonly sealedSecret: string
}

export async function newWebhookSecret(
  { config, random }: Pick<Ctx, 'config' | 'random'>,
  id: WebhookId,
): Promise<NewWebhookSecret> {
  const secret = random.token()
  const bytes = new TextEncoder().encode(secret)
  return { secret, sealedSecret: await seal(config.secrets, bindingOf(id), bytes) }
}

/** The secret that requests to a webhook are signed with. */
export async function webhookSecret(
  { config }: Pick<Ctx, 'config'>,
  webhook: Pick<Webhook, 'id' | 'secretVersion' | 'sealedSecret'>,
): Promise<string> {
  const { id, sealedSecret } = webhook
  if (sealedSecret === null) return derivedWebhookSecret(config.secrets, webhook)
  return new TextDecoder().decode(await unseal(config.secrets, bindingOf(id), sealedSecret))
}

function bindingOf(id: WebhookId): SealBinding {
  return { kind: 'webhook secret', owner: id }
}
