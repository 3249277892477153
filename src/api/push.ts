import * as z from 'zod'
import { PushPolicy, WebPushSubscription } from '../contract/entities/notification'
import { pushAlerts } from '../contract/notification-kinds'
import { Flag, OptionalText } from '../contract/scalars'
import { both, execute } from '../db/query'
import { ensureVapidKey, loadVapidKey } from '../domain/instance/keys'
import {
  type PushChoices,
  subscribeToPush,
  subscriptionByToken,
  subscriptionByTokenHash,
  unsubscribeFromPush,
  updatePushSubscription,
} from '../domain/notifications/subscribe-push'
import { requireToken } from '../domain/sessions/find'
import { BadRequest, NotFound, Unauthorized } from '../errors'
import type { TokenId } from '../lib/ids'
import { presentedToken } from '../lib/request-headers'
import type { Ctx } from '../ports/ctx'
import { presentPushSubscription } from '../view/present/oauth'
import { type ApiRequest, type EndpointCall, endpoint, readEndpoint, updateEndpoints, user } from './endpoint'

const path = '/api/v1/push/subscription'
const auth = user('push')

const isHash = (sent: unknown) => typeof sent === 'object' && sent !== null && !Array.isArray(sent)
const isBlank = (sent: unknown) => sent === undefined || sent === null || sent === ''

/** A nested object; any other value counts as absent. */
const hash = <S extends z.ZodRawShape>(shape: S) =>
  z.preprocess((sent) => (isHash(sent) ? sent : undefined), z.object(shape).optional())

/** A nested object without which the request is invalid. */
const mainHash = <S extends z.ZodRawShape>(name: string, shape: S) =>
  z.preprocess((sent) => {
    if (!isBlank(sent) && !isHash(sent)) throw new BadRequest('parameter_no_object', { name })
    return isBlank(sent) ? undefined : sent
  }, z.object(shape).optional())

const alertFlags = Object.fromEntries(pushAlerts.map((alert) => [alert, Flag]))
const Policy = z.preprocess((sent) => (isBlank(sent) ? undefined : sent), PushPolicy.optional())

const Choices = z.object({
  data: mainHash('data', { alerts: hash(alertFlags), policy: Policy }),
  // Phanpy sends it here.
  policy: Policy,
})

const Order = Choices.extend({
  subscription: mainHash('subscription', {
    endpoint: OptionalText,
    keys: hash({ p256dh: OptionalText, auth: OptionalText }),
    standard: Flag,
  }),
})

const updates = updateEndpoints({
  path,
  auth,
  summary: 'Changes what is pushed to this application',
  input: Choices,
  output: WebPushSubscription,
  run: async (ctx, call) => {
    const tokenId = tokenOf(call)
    await updatePushSubscription(ctx, tokenId, choicesIn(call.input))
    return presentSubscription(ctx, tokenId)
  },
})

export const push = [
  readEndpoint({
    path,
    auth,
    summary: 'Where notifications are pushed for this application',
    output: WebPushSubscription,
    // The access rule requires a token.
    read: (ctx, { request }) =>
      both(subscriptionByTokenHash(ctx, request.credential?.hash ?? ''), loadVapidKey(ctx)),
    show: async (ctx, { found: [subscription, vapidKey] }) => {
      if (subscription === null) throw new NotFound()
      return presentPushSubscription(subscription, await ensureVapidKey(ctx, vapidKey))
    },
  }),
  endpoint({
    path,
    auth,
    summary: 'Pushes notifications to this application',
    input: Order,
    output: WebPushSubscription,
    run: async (ctx, call) => {
      const { subscription } = call.input
      if (subscription === undefined) throw new BadRequest('parameter_missing', { name: 'subscription' })
      const { endpoint = '', keys, standard = false } = subscription
      const tokenId = tokenOf(call)
      const choices = choicesIn(call.input)
      await subscribeToPush(
        ctx,
        { tokenId, accountId: call.viewer.id, accessToken: accessTokenIn(call.request) },
        { endpoint, p256dh: keys?.p256dh ?? '', auth: keys?.auth ?? '', standard, ...choices },
      )
      return presentSubscription(ctx, tokenId)
    },
  }),
  ...updates,
  endpoint({
    method: 'DELETE',
    path,
    auth,
    summary: 'Pushes nothing to this application any more',
    run: (ctx, call) => unsubscribeFromPush(ctx, tokenOf(call)),
  }),
]

function choicesIn({ data, policy }: z.output<typeof Choices>): PushChoices {
  const chosen = Object.entries(data?.alerts ?? {}).filter(([, wanted]) => wanted !== undefined)
  return { alerts: Object.fromEntries(chosen), policy: data?.policy ?? policy ?? 'all' }
}

function tokenOf({ caller }: Pick<EndpointCall<unknown, z.ZodType>, 'caller'>): TokenId {
  return requireToken(caller).tokenId
}

/** The token of an admitted request, from where it was found: headers, query or body. */
function accessTokenIn({ headers, url, params }: ApiRequest): string {
  const token = presentedToken(headers, url) ?? params['access_token']
  if (typeof token !== 'string') throw new Unauthorized('token_required')
  return token
}

async function presentSubscription(ctx: Ctx, tokenId: TokenId) {
  const found = both(subscriptionByToken(ctx, tokenId), loadVapidKey(ctx))
  const [subscription, vapidKey] = await execute(ctx.db, found)
  if (subscription === null) throw new NotFound()
  return presentPushSubscription(subscription, await ensureVapidKey(ctx, vapidKey))
}
