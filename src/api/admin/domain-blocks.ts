import * as z from 'zod'
import { AdminDomainBlock, DomainBlockSeverity } from '../../contract/entities/admin/domain'
import { Flag, OptionalText } from '../../contract/scalars'
import { findLimits, limitById } from '../../domain/moderation/find-limits'
import {
  AlreadyLimited,
  createLimit,
  type LimitValues,
  liftLimit,
  updateLimit,
} from '../../domain/moderation/limit-domain'
import { AppError } from '../../errors'
import { presentDomainBlock } from '../../view/present/admin-domain'
import { staff } from '../endpoint'
import { AdminResource, ById } from './resource'

const limits = new AdminResource({
  path: '/api/v1/admin/domain_blocks',
  reading: staff('admin:read:domain_blocks', 'manageFederation'),
  writing: staff('admin:write:domain_blocks', 'manageFederation'),
  output: AdminDomainBlock,
  present: presentDomainBlock,
})

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

/** Error with the block that already covers a domain. */
class ExistingDomainBlock extends AppError {
  readonly name = 'ExistingDomainBlock'
  readonly status = 422
  readonly #existing: AdminDomainBlock

  constructor({ problems }: AlreadyLimited, existing: AdminDomainBlock) {
    super(problems)
    this.#existing = existing
  }

  override get extra() {
    return { existing_domain_block: this.#existing }
  }
}

export const adminDomainBlocks = [
  limits.list('Limits on servers, newest first', [100, 390], findLimits),
  limits.one('One limit on a server', limitById),
  limits.create('Limits a server and its subdomains', {
    input: Values.extend({ domain: OptionalText }),
    run: async (ctx, { viewer, input }) => {
      try {
        return await createLimit(ctx, viewer, input.domain ?? '', valuesOf(input))
      } catch (refusal) {
        if (!(refusal instanceof AlreadyLimited)) throw refusal
        throw new ExistingDomainBlock(refusal, await presentDomainBlock(refusal.existing))
      }
    },
  }),
  ...limits.update('Changes a limit on a server; what is left out stays', {
    input: Values.extend(ById.shape),
    run: (ctx, { viewer, input }) => updateLimit(ctx, viewer, input.id, valuesOf(input)),
  }),
  limits.remove('Lifts a limit on a server', liftLimit),
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
