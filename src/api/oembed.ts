import * as z from 'zod'
import { OEmbed } from '../contract/entities/oembed'
import { Int } from '../contract/scalars'
import { anonymousViewer } from '../domain/core/viewer'
import { ownAtAddress } from '../domain/statuses/find-address'
import type { Ctx } from '../platform/ports'
import { loadStatuses } from '../view/load/statuses'
import { presentOembed } from '../view/present/oembed'
import { presentOnlyStatus } from '../view/present/status'
import { anyone } from './caller'
import { readEndpoint } from './endpoint'

/** Values that are no positive integer count as absent. */
const Pixels = Int.pipe(z.int().positive().optional()).catch(undefined)

export const oembed = [
  readEndpoint({
    method: 'GET',
    path: '/api/oembed',
    summary: 'How to embed a post of this server that everybody may see',
    auth: anyone(null, true),
    input: z.object({ url: z.string().catch(''), maxwidth: Pixels, maxheight: Pixels }),
    output: OEmbed,
    // Always the anonymous viewer: pages that embed the status are public.
    read: (ctx, { input }) => loadStatuses(ctx, anonymousViewer, ownAtAddress(ctx, input.url)),
    show: ({ config, clock }: Ctx, { input, found }) => {
      const status = presentOnlyStatus({ config, now: clock.now() }, found)
      return presentOembed(config, status, { width: input.maxwidth, height: input.maxheight })
    },
  }),
]
