import { Hono } from 'hono'
import type { Viewer } from '../../../domain/core/viewer'
import {
  bookmarkStatus,
  favouriteStatus,
  unbookmarkStatus,
  unfavouriteStatus,
} from '../../../domain/interactions/favourite'
import { muteConversation, unmuteConversation } from '../../../domain/interactions/mute'
import { pinStatus, unpinStatus } from '../../../domain/interactions/pin'
import { reactToStatus, unreactToStatus } from '../../../domain/interactions/react'
import { reblogStatus, unreblogStatus } from '../../../domain/interactions/reblog'
import { voteInPoll } from '../../../domain/polls/vote'
import { AppError, NotFound } from '../../../errors'
import type { AppContext, AppEnv } from '../../../ports/app-env'
import type { Ctx } from '../../../ports/ctx'
import { type Form, readCsrfForm } from '../../csrf'
import { requireIdInPath } from '../../member-pages/id-in-path'
import { detourOf } from '../../member-view'
import { openPage } from '../../page-request'
import { paths } from '../../paths'
import { type PostAct, postActs } from '../../posts/acts'
import { localPath, toSignIn } from '../../return-to'
import { memberViewer } from '../interact/member-viewer'

/** Buttons of posts: each changes one thing and leads back to the post. */
export function actRoutes(): Hono<AppEnv> {
  const app = new Hono<AppEnv>()
  app.post('/posts/:id{[0-9]{1,16}}', (c) =>
    act(c, (ctx, viewer, form) => actOnPost(ctx, viewer, requireIdInPath(c), form('act'))),
  )
  app.post('/posts/:id{[0-9]{1,16}}/reactions', (c) =>
    act(c, async (ctx, viewer, form) => {
      const [added, removed] = [form('add'), form('remove')]
      if (added !== '') await reactToStatus(ctx, viewer, { id: requireIdInPath(c), name: added })
      else await unreactToStatus(ctx, viewer, { id: requireIdInPath(c), name: removed })
    }),
  )
  app.post('/polls/:id{[0-9]{1,16}}', (c) =>
    act(c, async (ctx, viewer, form) => {
      const choices = choicesIn(form)
      // A vote without a choice leads back to the poll, which asks for one.
      if (choices.length > 0) await voteInPoll(ctx, viewer, { id: requireIdInPath(c), choices })
    }),
  )
  return app
}

const mostChoices = 50

/** Indexes of the options that a form chose: of one field, or of one field each. */
function choicesIn(form: Form): readonly number[] {
  const one = form('choice')
  const several = Array.from({ length: mostChoices }, (_, index) => form(`choice_${index}`))
  const chosen = [one, ...several].filter((text) => /^\d{1,2}$/.test(text)).map(Number)
  return [...new Set(chosen)]
}

type Work = (ctx: Ctx, viewer: Viewer, form: Form) => Promise<unknown>

/** Answers for an act that was refused, with a way back. */
type Refuse = (c: AppContext, failure: AppError, back: string) => Promise<Response>

/** Runs `work` for the member of the session, and leads back to the path in the form. */
export async function act(c: AppContext, work: Work, refuse?: Refuse): Promise<Response> {
  const ctx = c.get('ctx')
  const visit = await openPage(c)
  const form = await readCsrfForm(c, visit)
  const back = backTo(c, form)
  if (visit.session === null) return toSignIn(c, back)
  const detour = await detourOf(c, visit, visit.session)
  if (detour !== null) return detour
  try {
    await work(ctx, await memberViewer(ctx, visit.session.accountId), form)
  } catch (failure) {
    if (refuse === undefined || !(failure instanceof AppError)) throw failure
    return refuse(c, failure, back)
  }
  return c.redirect(back, 303)
}

function backTo(c: AppContext, form: Form): string {
  return placeOf(c, form('return_to'))
}

/** The path in a text, with its fragment; home for none of this server. */
export function placeOf(c: AppContext, text: string): string {
  const [path, fragment = ''] = text.split('#')
  const local = localPath(path, c.get('ctx').config.origin) ?? paths.home
  return /^(?:[ap]|announcement)-\d{1,16}$/.test(fragment) ? `${local}#${fragment}` : local
}

const acts: Readonly<Record<PostAct, (ctx: Ctx, viewer: Viewer, id: number) => Promise<unknown>>> = {
  favourite: favouriteStatus,
  unfavourite: unfavouriteStatus,
  boost: async (ctx, viewer, id) => {
    await ctx.throttle.take('statuses', String(viewer.id))
    await reblogStatus(ctx, viewer, { id })
  },
  unboost: async (ctx, viewer, id) => {
    await ctx.throttle.take('deletions', String(viewer.id))
    await unreblogStatus(ctx, viewer, id)
  },
  bookmark: bookmarkStatus,
  unbookmark: unbookmarkStatus,
  pin: pinStatus,
  unpin: unpinStatus,
  mute: muteConversation,
  unmute: unmuteConversation,
}

async function actOnPost(ctx: Ctx, viewer: Viewer, id: number, name: string): Promise<void> {
  const known = postActs.find((one) => one === name)
  if (known === undefined) throw new NotFound()
  await acts[known](ctx, viewer, id)
}
