import { Unreachable } from '../../errors'
import { cleanJson } from '../../lib/json'
import { type HttpResponse, redirectOf } from '../../lib/outgoing'
import type { Ctx } from '../../ports/ctx'
import { type Webhook, webhookSecret } from './find'

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

const encoder = new TextEncoder()

/** Value of the header `X-Hub-Signature` for a body in UTF-8: `sha256=` and an HMAC in hexadecimal. */
export async function hubSignature(secret: string, body: string): Promise<string> {
  const algorithm = { name: 'HMAC', hash: 'SHA-256' }
  const key = await crypto.subtle.importKey('raw', encoder.encode(secret), algorithm, false, ['sign'])
  return `sha256=${new Uint8Array(await crypto.subtle.sign('HMAC', key, encoder.encode(body))).toHex()}`
}

/** `{{object.account.username}}`: names of keys, or positions in lists. */
const expression = /\{\{[a-z_]+(?:\.(?:[a-z_]+|\d+))*\}\}/gi

/**
 * Renders a payload template: each `{{path}}` is replaced by the value there as JSON, texts without their quotes, so that
 * they fit into other texts. A path that leads nowhere becomes `null`. The syntax is that of Mastodon's templates.
 */
function renderTemplate(template: string, payload: unknown): string {
  return template.replaceAll(expression, (found) => {
    const value = valueAt(payload, found.slice(2, -2).split('.'))
    const json = cleanJson(value ?? null)
    return typeof value === 'string' ? json.slice(1, -1) : json
  })
}

function valueAt(payload: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>((value, name) => {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return null
    return Object.entries(value).find(([key]) => key === name)?.[1]
  }, payload)
}

/** Line of a template that has `{{` without a path and `}}`; null in a valid one. */
export function openLine(template: string): number | null {
  const rest = template.replaceAll(expression, '')
  const open = rest.indexOf('{{')
  if (open === -1) return null
  return template.slice(0, template.indexOf(rest.slice(open, open + 20))).split('\n').length
}
