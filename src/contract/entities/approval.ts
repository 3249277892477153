import * as z from 'zod'

const Approvers = z.array(z.enum(['public', 'followers', 'following', 'unsupported_policy']))

export const FeatureApproval = z
  .strictObject({
    automatic: Approvers,
    manual: Approvers,
    current_user: z.enum(['automatic', 'manual', 'denied', 'unknown', 'missing']),
  })
  .meta({ id: 'FeatureApproval' })
export type FeatureApproval = z.infer<typeof FeatureApproval>

export const QuoteApproval = z
  .strictObject({
    automatic: Approvers,
    manual: Approvers,
    current_user: z.enum(['automatic', 'manual', 'denied', 'unknown']),
  })
  .meta({ id: 'QuoteApproval' })
export type QuoteApproval = z.infer<typeof QuoteApproval>
