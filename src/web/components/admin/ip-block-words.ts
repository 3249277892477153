import type { IpBlockRow } from '../../../domain/sign-up-blocks/ip-blocks'
import type { TextKey } from '../../../lib/translate'

/** Texts for the severities of a network block. */
export const ipBlockSeverities = {
  sign_up_requires_approval: 'admin.ipBlocks.signUpsNeedApproval',
  sign_up_block: 'admin.ipBlocks.noSignUp',
  no_access: 'admin.ipBlocks.noAccessAll',
} as const satisfies Readonly<Record<IpBlockRow['severity'], TextKey>>
