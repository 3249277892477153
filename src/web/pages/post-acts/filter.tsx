import { Hono } from 'hono'
import type { FilterRule } from '../../../contract/filters'
import { filtersOf } from '../../../domain/filters/create'
import { filterStatus } from '../../../domain/filters/keywords'
import { NotFound } from '../../../errors'
import type { AppEnv } from '../../../ports/app-env'
import { useTranslation } from '../../i18n/context'
import { newFilterPath } from '../../paths'
import { type PostForm, PostFormPage, type PostFormView, postForm } from './form-page'

/** The page that puts a post into a filter, or leads to a new filter with its words. */
export function filterRoutes(): Hono<AppEnv> {
  const app = new Hono<AppEnv>()
  postForm(app, filtering)
  return app
}

const filtering: PostForm<readonly FilterRule[]> = {
  name: 'filter',
  fields: () => ['filter'],
  read: (ctx, as) => filtersOf(ctx, as),
  show: (_ctx, view) => <FilterPostPage view={view} />,
  work: async (ctx, viewer, { id, form }) => {
    const filterId = Number(form('filter'))
    if (!Number.isSafeInteger(filterId)) throw new NotFound()
    await filterStatus(ctx, viewer, { filterId, statusId: id })
    return null
  },
  reasons: { taken: 'client.filterHasThisPost' },
}

export function FilterPostPage({ view }: { readonly view: PostFormView<readonly FilterRule[]> }) {
  const t = useTranslation()
  const { post, found, now, back } = view
  const filters = found.filter(({ expiresAt }) => expiresAt === null || expiresAt > now)
  const has = ({ statuses }: FilterRule) => statuses.some(({ statusId }) => String(statusId) === post.id)
  return (
    <PostFormPage view={view} title={t('client.filterPostsLikeThis')} isForm={filters.length > 0}>
      <p>{t('client.newFilterEffect')}</p>
      <p class="two">
        <a class={filters.length === 0 ? 'button main' : 'button'} href={newFilterPath(post.id, back)}>
          {t('client.newFilterWithItsWords')}
        </a>
      </p>
      {filters.length > 0 && (
        <>
          <fieldset>
            <legend>{t('client.orPutThisPostIntoAFilter')}</legend>
            {filters.map((filter) => (
              <label class="choice">
                <input type="radio" name="filter" value={String(filter.id)} disabled={has(filter)} required />
                <span>
                  <bdi>{filter.title}</bdi>
                  {has(filter) && <small>{t('client.filterHasThisPost')}</small>}
                </span>
              </label>
            ))}
          </fieldset>
          <p class="two">
            <button type="submit" class="button main">
              {t('client.putIntoTheFilter')}
            </button>
            <a class="button" href={back}>
              {t('common.cancel')}
            </a>
          </p>
        </>
      )}
    </PostFormPage>
  )
}
