import type { Ctx } from '../../ports/ctx'
import { hashToken } from './find'

/** Whether a token hash is that of the set-up token, which stands for the operator. */
export async function isSetupToken({ config }: Ctx, tokenHash: string): Promise<boolean> {
  return config.setupToken !== null && tokenHash === (await hashToken(config.setupToken))
}
