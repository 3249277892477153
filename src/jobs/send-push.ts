import { both, execute } from '../db/query'
import { done, ignored, type Outcome } from '../domain/core/changes'
import { translateFor } from '../domain/core/translate'
import { loadVapidPair } from '../domain/instance/keys'
import {
  duePushes,
  type PushPair,
  type PushSelection,
  recordPushResults,
} from '../domain/notifications/due-pushes'
import { openPushToken } from '../domain/notifications/subscribe-push'
import { findDerivedToken } from '../domain/sessions/issue-token'
import { NotAsked, Unreachable } from '../errors'
import type { NotificationId } from '../lib/ids'
import { cleanJson } from '../lib/json'
import { parseRetryAfter } from '../lib/outgoing'
import { encrypt, encryptAsDraft, newSender, tokenHours, vapidToken } from '../lib/web-push'
import type { Ctx } from '../ports/ctx'
import type { SealedKeyPair } from '../ports/services'
import { loadPushes, type PushFacts } from '../view/load/pushes'
import { presentPush } from '../view/present/notification'

/** Concurrent connections that the platform allows. */
const atOnce = 6
/** Seconds for which a push service keeps an undelivered message. */
const keptSeconds = 48 * 3_600
/** Delay of each further attempt. */
const gapsSeconds = [60, 300, 1_800, 7_200, 21_600]

/**
 * Pushes a part of the notifications to the subscribed applications; the rest is left to another job. A failed push
 * is retried by a job of its own, so that delivered ones are not repeated.
 */
export async function pushNotifications(
  ctx: Ctx,
  wanted: { readonly notificationIds: readonly NotificationId[]; readonly after?: PushPair },
): Promise<Outcome> {
  const { notificationIds, after } = wanted
  const { key, due } = await find(ctx, { notificationIds, after, limit: atOnce + 1 })
  if (key === null) return ignored('no push subscription exists')
  const now = due.slice(0, atOnce)
  const last = now.at(-1)
  // Enqueued first: after the first push is sent, this job must not run again.
  if (due.length > atOnce && last !== undefined)
    await ctx.jobs.send({ kind: 'send-push', notificationIds: [...notificationIds], after: pairOf(last) })
  await sendAll(ctx, key, { pushes: now, attempt: 0 })
  return done
}

/** Retries the push of one notification to one application. */
export async function retryPush(
  ctx: Ctx,
  { subscriptionId, notificationId, attempt }: PushPair & { readonly attempt: number },
): Promise<Outcome> {
  const one = { notificationIds: [notificationId], subscriptionId, limit: 1 }
  const { key, due } = await find(ctx, one)
  if (key === null || due.length === 0) return ignored('the push is no longer wanted')
  await sendAll(ctx, key, { pushes: due, attempt })
  return done
}

async function find(ctx: Ctx, selection: PushSelection) {
  const due = loadPushes(ctx, duePushes(selection, ctx.clock.now()))
  const [pushes, key] = await execute(ctx.db, both(due, loadVapidPair(ctx)))
  return { due: pushes, key }
}

type Result = 'delivered' | 'gone' | 'refused' | { readonly afterSeconds: number }

interface Round {
  readonly pushes: readonly PushFacts[]
  /** Number of earlier attempts. */
  readonly attempt: number
}

async function sendAll(ctx: Ctx, key: SealedKeyPair, { pushes, attempt }: Round): Promise<void> {
  const results = await Promise.all(
    pushes.map(async (push) => ({ push, result: await attemptOne(ctx, key, push) })),
  )
  const gap = gapsSeconds[attempt]
  const late = results.flatMap(({ push, result }) =>
    typeof result === 'object' && gap !== undefined
      ? [{ push, delaySeconds: Math.max(gap, result.afterSeconds) }]
      : [],
  )
  const idsOf = (is: (result: Result, push: PushFacts) => boolean) =>
    results.filter(({ push, result }) => is(result, push)).map(({ push }) => push.subscription.id)
  const settled = await Promise.allSettled([
    recordPushResults(ctx, {
      recovered: idsOf((result, push) => result === 'delivered' && push.subscription.failures > 0),
      refused: idsOf((result) => result === 'refused' || (typeof result === 'object' && gap === undefined)),
      gone: idsOf((result) => result === 'gone'),
    }),
    ...late.map(({ push, delaySeconds }) =>
      ctx.jobs.send({ kind: 'retry-push', ...pairOf(push), attempt: attempt + 1 }, { delaySeconds }),
    ),
  ])
  // Logged only: a retry would push twice to the successful applications.
  for (const one of settled)
    if (one.status === 'rejected') ctx.log.error('Failed to store push results', { cause: one.reason })
}

/**
 * Sends one push. Never throws: a failure must not affect the others. Endpoints are secrets, and error messages
 * contain them.
 */
async function attemptOne(ctx: Ctx, key: SealedKeyPair, push: PushFacts): Promise<Result> {
  const { id, endpoint } = push.subscription
  const about = { subscriptionId: id, host: new URL(endpoint).host }
  try {
    const { status, retryAfter } = await send(ctx, key, push)
    if (status >= 200 && status < 300) return 'delivered'
    if (status === 404 || status === 410) return 'gone'
    ctx.log.info('A push was refused by its service', { ...about, status })
    return status === 429 || status === 408 || status >= 500 ? { afterSeconds: retryAfter } : 'refused'
  } catch (failure) {
    if (failure instanceof NotAsked) {
      ctx.log.info('A push endpoint is not allowed', about)
      return 'refused'
    }
    if (failure instanceof Unreachable) ctx.log.info('A push service could not be reached', about)
    else ctx.log.error('A push failed', { ...about, cause: failure })
    return { afterSeconds: 0 }
  }
}

async function send(ctx: Ctx, key: SealedKeyPair, push: PushFacts) {
  const { subscription, notification } = push
  const { endpoint, standard } = subscription
  const accessToken = await accessTokenOf(ctx, subscription)
  const t = await translateFor(ctx, push.locale)
  const text = cleanJson(presentPush(ctx.config, push, { accessToken, t }))
  const message = new TextEncoder().encode(text)
  const seal = standard ? encrypt : encryptAsDraft
  const { body, headers, cryptoKey } = await seal(message, subscription, await newSender())
  const token = await tokenFor(ctx, key, new URL(endpoint).origin)
  const proof =
    cryptoKey === null
      ? { authorization: `vapid t=${token}, k=${key.publicKey}` }
      : { authorization: `WebPush ${token}`, 'crypto-key': `${cryptoKey};p256ecdsa=${key.publicKey}` }
  const answer = await ctx.http.send({
    method: 'POST',
    url: endpoint,
    body,
    maxBytes: 1_024,
    tooLong: 'cut',
    headers: {
      ...headers,
      ...proof,
      'content-type': 'application/octet-stream',
      ttl: String(keptSeconds),
      urgency: notification.type === 'mention' ? 'high' : 'normal',
    },
  })
  await answer.body?.cancel()
  return { status: answer.status, retryAfter: secondsIn(answer.headers.get('retry-after'), ctx.clock.now()) }
}

/** The token of a subscription; empty for browsers, and where none is known, so that apps that go by it ignore the message. */
async function accessTokenOf(ctx: Ctx, { accessTokenId: id, sealedToken }: PushFacts['subscription']) {
  if (id === null) return ''
  if (sealedToken !== null) return openPushToken(ctx, id, sealedToken)
  return (await findDerivedToken(ctx, id)) ?? ''
}

/** Caches a VAPID token for its lifetime, because signing costs a call to the vault. */
async function tokenFor(ctx: Ctx, key: SealedKeyPair, origin: string): Promise<string> {
  const name = `vapid ${key.publicKey} ${origin}`
  const known = ctx.memory.get(name)
  if (known !== null) return known
  const sign = (bytes: Uint8Array) => ctx.vault.signPush(key.privateKey, bytes)
  const token = await vapidToken(sign, { origin, contact: ctx.config.origin, now: ctx.clock.now() })
  ctx.memory.set(name, token, tokenHours * 3_600)
  return token
}

/** Limit of Retry-After: no service gets to switch itself off for good. */
const longestHoldMilliseconds = 6 * 3_600_000

function secondsIn(retryAfter: string | null, now: Date): number {
  const until = parseRetryAfter(retryAfter, now, longestHoldMilliseconds)
  return until === null ? 0 : Math.ceil((until.getTime() - now.getTime()) / 1000)
}

function pairOf({ subscription, notification }: PushFacts): PushPair {
  return { subscriptionId: subscription.id, notificationId: notification.id }
}
