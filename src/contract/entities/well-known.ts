import * as z from 'zod'
import { Url } from '../scalars'

export const WebFinger = z
  .strictObject({
    subject: z.string(),
    aliases: z.array(z.string()),
    links: z.array(
      z.strictObject({
        rel: z.string(),
        type: z.string().exactOptional(),
        href: Url.exactOptional(),
        template: z.string().exactOptional(),
      }),
    ),
  })
  .meta({ id: 'WebFinger' })
export type WebFinger = z.infer<typeof WebFinger>

export const HostMeta = z
  .strictObject({
    links: z.array(z.strictObject({ rel: z.enum(['lrdd']), template: z.string() })),
  })
  .meta({ id: 'HostMeta' })
export type HostMeta = z.infer<typeof HostMeta>

export const NodeInfoDiscovery = z
  .strictObject({
    links: z.array(z.strictObject({ rel: Url, href: Url })),
  })
  .meta({ id: 'NodeInfoDiscovery' })
export type NodeInfoDiscovery = z.infer<typeof NodeInfoDiscovery>

export const NodeInfo = z
  .strictObject({
    version: z.string(),
    software: z.strictObject({ name: z.string(), version: z.string() }),
    protocols: z.array(z.string()),
    services: z.strictObject({ inbound: z.array(z.string()), outbound: z.array(z.string()) }),
    usage: z.strictObject({
      users: z.strictObject({ total: z.int(), activeMonth: z.int(), activeHalfyear: z.int() }),
      localPosts: z.int(),
    }),
    openRegistrations: z.boolean(),
    metadata: z.strictObject({
      nodeName: z.string().exactOptional(),
      nodeDescription: z.string().exactOptional(),
    }),
  })
  .meta({ id: 'NodeInfo' })
export type NodeInfo = z.infer<typeof NodeInfo>
