import { Unreachable } from '../../errors'
import { type HttpResponse, redirectOf } from '../../lib/outgoing/http'
import { cleanJson } from '../../lib/text/clean-json'
import { hubSignature } from '../../lib/webhooks/signature'
import { renderTemplate } from '../../lib/webhooks/template'
import type { Ctx } from '../../ports/ctx'
import type { Webhook } from './find'
import { webhookSecret } from './secret'

const timeoutMilliseconds = 10_000

/** Result of one attempt. */
export interface AttemptResult {
  /** Null where no response came. */
  readonly httpStatus: number | null
  /** Null for success. */
  readonly error: string | null
  readonly durationMs: number
}

/** Sends a signed payload to the address of a webhook, by the rules for outgoing requests. */
export async function postToWebhook(
  ctx: Ctx,
  webhook: Pick<Webhook, 'id' | 'url' | 'template' | 'secretVersion' | 'sealedSecret'>,
  payload: { readonly event: string },
  deliveryId: number | null,
): Promise<AttemptResult> {
  const body = webhook.template === '' ? cleanJson(payload) : renderTemplate(webhook.template, payload)
  const startedAt = ctx.clock.now().getTime()
  const elapsed = () => ctx.clock.now().getTime() - startedAt
  try {
    const response = await ctx.http.send({
      method: 'POST',
      url: webhook.url,
      headers: {
        'content-type': 'application/json',
        'x-hub-signature': await hubSignature(await webhookSecret(ctx, webhook), body),
        'x-fieldfare-event': payload.event,
        ...(deliveryId === null ? {} : { 'x-fieldfare-delivery': String(deliveryId) }),
      },
      body,
      timeoutMilliseconds,
      // Receivers answer by their status: a body of any length is accepted, and a redirect is an answer like others.
      redirects: 'answer',
      maxBytes: 0,
      tooLong: 'cut',
    })
    await response.body?.cancel()
    return { httpStatus: response.status, error: errorOf(response), durationMs: elapsed() }
  } catch (failure) {
    if (!(failure instanceof Unreachable)) throw failure
    // The message may name the address, whose path often is a secret.
    return { httpStatus: null, error: problemOf(failure), durationMs: elapsed() }
  }
}

function errorOf(response: HttpResponse): string | null {
  const { status } = response
  if (status >= 200 && status < 300) return null
  if (redirectOf(response) !== null) return `The address answered ${status}: redirects are not followed`
  return `The address answered ${status}`
}

function problemOf({ name, message }: Unreachable): string {
  if (name === 'NotAsked') return 'The address may not be requested'
  return message.startsWith('No answer') ? message : 'The connection failed'
}

/** Sends a signed event `webhook.test` without a log entry. */
export function testWebhook(ctx: Ctx, webhook: Webhook): Promise<AttemptResult> {
  const payload = {
    event: 'webhook.test',
    created_at: ctx.clock.now().toISOString(),
    object: { id: String(webhook.id), events: webhook.events },
  }
  return postToWebhook(ctx, webhook, payload, null)
}
