import { Hono } from 'hono'
import type { Viewer } from '../../../domain/core/viewer'
import { muteAccount, unblockAccount, unmuteAccount } from '../../../domain/relationships/block'
import { unblockDomain } from '../../../domain/relationships/domain-block'
import { findRelationshipPair } from '../../../domain/relationships/find'
import {
  changeFollow,
  endorseAccount,
  followAccount,
  unendorseAccount,
  unfollowAccount,
} from '../../../domain/relationships/follow'
import type { FollowOptions } from '../../../domain/relationships/follow-rows'
import { dismissSuggestion } from '../../../domain/suggestions/compute'
import { NotFound } from '../../../errors'
import type { AppEnv } from '../../../ports/app-env'
import type { Ctx } from '../../../ports/ctx'
import { requireIdInPath } from '../../member-pages/id-in-path'
import { type PersonAct, personActs } from '../../people/acts'
import { act } from '../timelines/acts'
import { refuse } from './refusal'

/** Buttons of accounts: each changes one thing and leads back to the page it was on. */
export function personActRoutes(): Hono<AppEnv> {
  const app = new Hono<AppEnv>()
  app.post('/accounts/:id{[0-9]{1,16}}', (c) =>
    act(
      c,
      async (ctx, viewer, form) => {
        const known = personActs.find((one) => one === form('act'))
        if (known === undefined) throw new NotFound()
        await acts[known](ctx, viewer, requireIdInPath(c))
      },
      refuse,
    ),
  )
  return app
}

/** A mute of a day, notifications with it. */
const snooze = { hideNotifications: true, durationSeconds: 86_400 } as const

type Act = (ctx: Ctx, viewer: Viewer, id: number) => Promise<unknown>

const acts: Readonly<Record<PersonAct, Act>> = {
  follow: async (ctx, viewer, id) => {
    await ctx.throttle.take('follows', String(viewer.id))
    await followAccount(ctx, viewer, id, {})
  },
  unfollow: unfollowAccount,
  notify: changed({ notify: true }),
  unnotify: changed({ notify: false }),
  show_boosts: changed({ showReblogs: true }),
  hide_boosts: changed({ showReblogs: false }),
  snooze: (ctx, viewer, id) => muteAccount(ctx, viewer, id, snooze),
  unmute: unmuteAccount,
  unblock: unblockAccount,
  unblock_server: async (ctx, viewer, id) => {
    const { domain } = await findRelationshipPair(ctx, viewer, id)
    if (domain !== null) await unblockDomain(ctx, viewer, domain)
  },
  endorse: endorseAccount,
  unendorse: unendorseAccount,
  dismiss: dismissSuggestion,
}

/** Changes what the member gets of an account they follow. */
function changed(options: Partial<FollowOptions>): Act {
  return (ctx, viewer, id) => changeFollow(ctx, viewer, id, options)
}
