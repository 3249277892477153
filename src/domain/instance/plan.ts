import type { Plan } from '../../config'
import type { Ctx } from '../../ports/ctx'
import type { Moderator } from '../core/viewer'
import { saveSettings } from './save-settings'

/**
 * Makes a plan of Cloudflare the one that the server keeps to, without a deployment. A choice that the variable PLAN makes already is
 * not stored, so that later deployments decide. This isolate knows at once, others as soon as they store what they counted.
 */
export function choosePlan(ctx: Ctx, moderator: Moderator, plan: Plan): Promise<void> {
  return saveSettings(ctx, moderator, { plan: plan === ctx.config.plan ? null : plan })
}
