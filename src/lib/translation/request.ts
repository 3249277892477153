import type * as z from 'zod'
import { Unavailable, Unreachable } from '../../errors'
import { type HttpRequest, type HttpResponse, readBody } from '../outgoing/http'

/** Sends a request to another server. */
export type SendRequest = (request: HttpRequest) => Promise<HttpResponse>

const responseLimits = { timeoutMilliseconds: 15_000, maxBytes: 1_048_576 }

/**
 * Requests a translation and parses the response as JSON of a schema. Every failure is `Unavailable`, without
 * any request or response text: the one may be secret, the other is untrusted.
 */
export async function requestTranslation<S extends z.ZodType>(
  send: SendRequest,
  request: Pick<HttpRequest, 'method' | 'url' | 'headers' | 'body'>,
  form: S,
): Promise<z.output<S>> {
  const answer = await send({ ...request, ...responseLimits }).catch(unavailable)
  if (answer.status !== 200) {
    await answer.body?.cancel()
    throw new Unavailable(
      messages[answer.status] ?? usual,
      `The translation service answers ${answer.status}`,
    )
  }
  const parsed = form.safeParse(await readBody(answer).then(json).catch(unavailable))
  if (!parsed.success) throw new Unavailable(usual, 'The translation service answers in another form')
  return parsed.data
}

const usual = 'The translation service does not answer'
const quotaUsedUp = 'The server-wide usage quota for the translation service has been exceeded.'
const messages: Readonly<Record<number, string>> = {
  429: 'There have been too many requests to the translation service recently.',
  // DeepL's own.
  456: quotaUsedUp,
}

function unavailable(cause: unknown): never {
  throw new Unavailable(usual, cause instanceof Unreachable ? cause.message : 'Its answer is no JSON')
}

function json(bytes: Uint8Array): unknown {
  return JSON.parse(new TextDecoder().decode(bytes))
}
