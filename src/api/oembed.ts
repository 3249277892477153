import * as z from 'zod'
import { ownNameIn } from '../contract/addresses'
import { OEmbed, ProfileEmbed } from '../contract/entities/well-known'
import { Int } from '../contract/scalars'
import { combineQueries, constant } from '../db/query'
import { selectByHandle } from '../domain/accounts/find'
import { anonymousViewer } from '../domain/core/viewer'
import { ownAtAddress } from '../domain/statuses/find'
import { NotFound } from '../errors'
import type { Ctx } from '../ports/ctx'
import { loadAccounts } from '../view/load/accounts'
import { loadStatuses } from '../view/load/statuses'
import { presentOnlyAccount } from '../view/present/account'
import { presentOembed, presentProfileEmbed } from '../view/present/media'
import { presentOnlyStatus } from '../view/present/status'
import { anyone, readEndpoint } from './endpoint'

/** Values that are no positive integer count as absent. */
const Pixels = Int.pipe(z.int().positive().optional()).catch(undefined)

export const oembed = [
  readEndpoint({
    path: '/api/oembed',
    summary: 'How to embed a post or a profile of this server that everybody may see',
    auth: anyone(null, true),
    input: z.object({ url: z.string().catch(''), maxwidth: Pixels, maxheight: Pixels }),
    output: z.union([OEmbed, ProfileEmbed]),
    // Always the anonymous viewer: pages that embed the status are public.
    read: (ctx, { input }) => {
      const username = ownNameIn(ctx.config.origin, input.url)
      return combineQueries({
        status:
          username === null
            ? loadStatuses(ctx, anonymousViewer, ownAtAddress(ctx, input.url))
            : constant(null),
        account:
          username === null ? constant(null) : loadAccounts(ctx, selectByHandle({ username, domain: null })),
      })
    },
    show: ({ config, clock }: Ctx, { input, found: { status: bundle, account: accounts } }) => {
      if (bundle !== null) {
        const status = presentOnlyStatus({ config, now: clock.now() }, bundle)
        return presentOembed(config, status, { width: input.maxwidth, height: input.maxheight })
      }
      if (accounts === null) throw new NotFound()
      const account = presentOnlyAccount(config, accounts)
      if (account.suspended === true) throw new NotFound()
      return presentProfileEmbed(config, account)
    },
  }),
]
