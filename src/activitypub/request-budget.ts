import { OverBudget } from '../errors'
import type { Ctx } from '../ports/ctx'
import { accountByUri } from './resolve-accounts'

/** Copy of the context with a limit on outgoing requests: beyond it every remote server counts as unreachable. */
export function withRequestBudget(ctx: Ctx, requests: number): Ctx {
  let left = requests
  const limited: Ctx = {
    ...ctx,
    http: {
      ...ctx.http,
      send: async (request) => {
        left -= 1
        if (left < 0) throw new OverBudget('Other servers were asked often enough for one step')
        return ctx.http.send(request)
      },
    },
    resolver: { ...ctx.resolver, accountByUri: (uri, options) => accountByUri(limited, uri, options) },
  }
  return limited
}
