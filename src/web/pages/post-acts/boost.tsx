import { Hono } from 'hono'
import { constant } from '../../../db/query'
import { reblogStatus } from '../../../domain/interactions/reblog'
import { NotFound } from '../../../errors'
import type { AppEnv } from '../../../ports/app-env'
import { useTranslation } from '../../i18n/context'
import { visibilityLabels } from '../../visibility-labels'
import { type PostForm, PostFormPage, type PostFormView, postForm } from './form-page'

/** The page on which a member chooses who sees their boost. */
export function boostRoutes(): Hono<AppEnv> {
  const app = new Hono<AppEnv>()
  postForm(app, boosting)
  return app
}

const offered = ['public', 'unlisted', 'private'] as const

const boosting: PostForm<null> = {
  name: 'boost',
  fields: () => ['visibility'],
  read: () => constant(null),
  show: (_ctx, view) => {
    if (!view.state.mayBoost) throw new NotFound()
    return <BoostPage view={view} />
  },
  work: async (ctx, viewer, { id, form }) => {
    await ctx.throttle.take('statuses', String(viewer.id))
    // A form that chose nothing reaches the fewest.
    const visibility = offered.find((one) => one === form('visibility')) ?? 'private'
    await reblogStatus(ctx, viewer, { id, visibility })
    return null
  },
}

export function BoostPage({ view }: { readonly view: PostFormView<null> }) {
  const t = useTranslation()
  const { post, state, typed, back } = view
  const choices = post.visibility === 'private' ? (['private'] as const) : offered
  const chosen = typed?.('visibility') ?? 'private'
  return (
    <PostFormPage view={view} title={t('client.boostToAnAudience')} isForm={!state.reblogged}>
      {state.reblogged ? (
        <p>{t('client.youBoostedThisAlready')}</p>
      ) : (
        <fieldset>
          <legend>{t('client.whoCanSeeYourBoost')}</legend>
          {choices.map((value) => (
            <label class="choice">
              <input type="radio" name="visibility" value={value} checked={value === chosen} />
              <span>{t(visibilityLabels[value])}</span>
            </label>
          ))}
        </fieldset>
      )}
      <p class="two">
        {!state.reblogged && (
          <button type="submit" class="button main">
            {t('common.boost')}
          </button>
        )}
        <a class="button" href={back}>
          {t(state.reblogged ? 'directory.back' : 'common.cancel')}
        </a>
      </p>
    </PostFormPage>
  )
}
