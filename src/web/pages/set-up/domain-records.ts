import * as z from 'zod'
import type { Ctx } from '../../../ports/ctx'
import { readJson } from './read-json'

/** Resolver that answers in JSON: developers.cloudflare.com/1.1.1.1/encryption/dns-over-https/make-api-requests/dns-json. */
const resolver = 'https://cloudflare-dns.com/dns-query'
const types = { A: 1, SOA: 6 } as const
const noError = 0
const noSuchName = 3

const Records = z.array(z.object({ name: z.string(), type: z.number(), data: z.string() })).default([])
const Answer = z.object({ Status: z.number(), Answer: Records, Authority: Records })

/** Address and zone of a domain in public DNS; null where the resolver did not answer. */
export interface DomainRecords {
  readonly hasAddress: boolean | null
  /** The zone that the domain is in, with its first name server; `none` where nobody registered the domain. */
  readonly zone: { readonly name: string; readonly server: string } | 'none' | null
}

/** Asks a public resolver for the address and the zone of a domain. Two requests. */
export async function findDomainRecords(ctx: Ctx, domain: string): Promise<DomainRecords> {
  const [addresses, zones] = await Promise.all([ask(ctx, domain, 'A'), ask(ctx, domain, 'SOA')])
  return {
    hasAddress: addresses === null ? null : addresses.Answer.some(({ type }) => type === types.A),
    zone: zones === null ? null : zoneIn(zones),
  }
}

/** True for a name server of a zone that is served by Cloudflare. */
export function isOfCloudflare(server: string): boolean {
  return server.endsWith('.ns.cloudflare.com')
}

/** The record of a zone is the answer for its own name, and stands beside the answer for names in it. */
function zoneIn({ Answer: answer, Authority: authority }: z.infer<typeof Answer>): DomainRecords['zone'] {
  const record = [...answer, ...authority].find(({ type }) => type === types.SOA)
  if (record === undefined) return null
  const [name, server] = [record.name, record.data.split(' ')[0] ?? ''].map((text) => text.replace(/\.$/, ''))
  // The zone of a domain that nobody registered is its top-level domain.
  if (name === undefined || server === undefined || !name.includes('.')) return 'none'
  return { name, server }
}

async function ask(ctx: Ctx, domain: string, type: keyof typeof types) {
  const url = `${resolver}?${new URLSearchParams({ name: domain, type })}`
  const found = Answer.safeParse(await readJson(ctx, url, 'application/dns-json'))
  return found.success && [noError, noSuchName].includes(found.data.Status) ? found.data : null
}
