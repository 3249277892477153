import * as z from 'zod'
import { AdminDomainBlock, DomainBlockSeverity } from '../../contract/entities/admin/domain'
import { Flag, Id, OptionalText } from '../../contract/scalars'
import { findLimits, limitById } from '../../domain/moderation/find-limits'
import {
  AlreadyLimited,
  createLimit,
  type LimitValues,
  liftLimit,
  updateLimit,
} from '../../domain/moderation/limit-domain'
import { AppError, NotFound } from '../../errors'
import { presentDomainBlock } from '../../view/present/domain-block'
import { EmptyObject } from '../api-response'
import { staff } from '../caller'
import { endpoint, readEndpoint, updateEndpoints } from '../endpoint'
import { page, pageOf, paging } from '../paginate'

const reading = staff('admin:read:domain_blocks', 'manageFederation')
const writing = staff('admin:write:domain_blocks', 'manageFederation')

const Comment = z.preprocess((sent) => sent ?? undefined, z.string().max(2_000).optional())

const Values = z.object({
  severity: z.preprocess(
    (sent) => (sent === '' || sent === null ? undefined : sent),
    DomainBlockSeverity.optional(),
  ),
  reject_media: Flag,
  reject_reports: Flag,
  obfuscate: Flag,
  private_comment: Comment,
  public_comment: Comment,
})

const update = {
  path: '/api/v1/admin/domain_blocks/:id',
  summary: 'Changes a limit on a server; what is left out stays',
  auth: writing,
  input: Values.extend({ id: Id }),
  output: AdminDomainBlock,
} as const

/** Error with the block that already covers a domain. */
class ExistingDomainBlock extends AppError {
  readonly status = 422
  readonly #existing: AdminDomainBlock

  constructor(message: string, existing: AdminDomainBlock) {
    super(message)
    this.#existing = existing
  }

  override get extra() {
    return { existing_domain_block: this.#existing }
  }
}

export const adminDomainBlocks = [
  readEndpoint({
    method: 'GET',
    path: '/api/v1/admin/domain_blocks',
    summary: 'Limits on servers, newest first',
    auth: reading,
    input: z.object(paging(100, 500)),
    output: z.array(AdminDomainBlock),
    read: (ctx, { input }) => findLimits(ctx, pageOf(input)),
    show: async (_ctx, { found, request, input }) =>
      page(await Promise.all(found.map(presentDomainBlock)), request, {
        cursors: found.map(({ id }) => id),
        limit: input.limit,
      }),
  }),

  readEndpoint({
    method: 'GET',
    path: '/api/v1/admin/domain_blocks/:id',
    summary: 'One limit on a server',
    auth: reading,
    input: z.object({ id: Id }),
    output: AdminDomainBlock,
    read: (ctx, { input }) => limitById(ctx, input.id),
    show: (_ctx, { found }) => {
      if (found === null) throw new NotFound()
      return presentDomainBlock(found)
    },
  }),

  endpoint({
    method: 'POST',
    path: '/api/v1/admin/domain_blocks',
    summary: 'Limits a server and its subdomains',
    auth: writing,
    input: Values.extend({ domain: OptionalText }),
    output: AdminDomainBlock,
    run: async (ctx, { viewer, input }) => {
      try {
        return await presentDomainBlock(await createLimit(ctx, viewer, input.domain ?? '', valuesOf(input)))
      } catch (refusal) {
        if (!(refusal instanceof AlreadyLimited)) throw refusal
        throw new ExistingDomainBlock(refusal.message, await presentDomainBlock(refusal.existing))
      }
    },
  }),

  ...updateEndpoints({
    ...update,
    run: async (ctx, { viewer, input }) =>
      presentDomainBlock(await updateLimit(ctx, viewer, input.id, valuesOf(input))),
  }),

  endpoint({
    method: 'DELETE',
    path: '/api/v1/admin/domain_blocks/:id',
    summary: 'Lifts a limit on a server',
    auth: writing,
    input: z.object({ id: Id }),
    output: EmptyObject,
    run: async (ctx, { viewer, input }) => {
      await liftLimit(ctx, viewer, input.id)
      return {}
    },
  }),
]

/** The values that the request names. */
function valuesOf(input: z.output<typeof Values>): Partial<LimitValues> {
  const values = {
    severity: input.severity,
    rejectMedia: input.reject_media,
    rejectReports: input.reject_reports,
    obfuscate: input.obfuscate,
    privateComment: input.private_comment,
    publicComment: input.public_comment,
  }
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined))
}
