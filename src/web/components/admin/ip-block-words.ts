import type { IpBlockRow } from '../../../domain/instance/blocks/ip-blocks'
import type { TextKey } from '../../../lib/translate'

/** Words for what a block of a network refuses. */
export const ipBlockSeverities = {
  sign_up_requires_approval: 'admin.ipBlocks.signUpsNeedApproval',
  sign_up_block: 'admin.ipBlocks.noSignUp',
  no_access: 'admin.ipBlocks.noAccessAll',
} as const satisfies Readonly<Record<IpBlockRow['severity'], TextKey>>
