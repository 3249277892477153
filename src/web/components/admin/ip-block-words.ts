import type { IpBlockRow } from '../../../domain/instance/blocks/ip-blocks'
import { message } from '../../../lib/translate'

/** Words for what a block of a network refuses. */
export const ipBlockSeverities = {
  sign_up_requires_approval: message('Sign-ups need approval'),
  sign_up_block: message('No sign-up'),
  no_access: message('No access at all'),
} as const satisfies Readonly<Record<IpBlockRow['severity'], string>>
