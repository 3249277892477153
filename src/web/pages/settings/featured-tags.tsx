import * as z from 'zod'
import { accountLimits } from '../../../contract/limits'
import { isValidHashtag } from '../../../contract/text/hashtag'
import { combineQueries, execute } from '../../../db/query'
import { viewerById } from '../../../domain/core/viewer'
import { featureTag, unfeatureTag } from '../../../domain/featured-tags/feature'
import { suggestedTags } from '../../../domain/featured-tags/find'
import { InvalidFields } from '../../../errors'
import { problem } from '../../../errors/sentences'
import { featuredTagsOf, loadTags, usesPerWeek } from '../../../view/load/tags'
import { Button } from '../../components/button'
import { TextField } from '../../components/field'
import { PostForm } from '../../components/form'
import { SettingsLayout } from '../../components/settings-layout'
import { textField } from '../../form-fields'
import { useTranslation } from '../../i18n/context'
import { requireIdInPath } from '../../member-pages/id-in-path'
import { memberPage } from '../../member-pages/member-page'
import { paths } from '../../paths'

const title = 'common.featuredHashtags'
const mostSuggested = 10

export const featuredTagsPage = memberPage({
  kind: 'settings',
  path: paths.featuredTags,
  title,
  access: 'active',
  menu: { group: 'profile', label: title, order: 7 },
  form: z.object({ name: textField(200) }),
  submissions: [
    {
      run: async ({ ctx, session, input }) => {
        const name = input.name.trim().replace(/^#/, '')
        if (!isValidHashtag(name)) throw new InvalidFields([problem('invalid_hashtag', { field: 'name' })])
        await featureTag(ctx, { id: session.accountId }, name)
        return { notice: 'added' }
      },
    },
    {
      path: `${paths.featuredTags}/:id/remove`,
      isCommand: true,
      run: async ({ c, ctx, session }) => {
        await unfeatureTag(ctx, { id: session.accountId }, requireIdInPath(c))
        return { notice: 'removed' }
      },
    },
  ],
  notices: {
    added: 'settings.featuredTags.hashtagProfile',
    removed: 'settings.featuredTags.hashtagNoLongerProfile',
  },
  load: (ctx, { session }) => {
    const { id } = viewerById(session.accountId)
    return execute(
      ctx.db,
      combineQueries({
        featured: featuredTagsOf(ctx, id),
        suggested: loadTags(ctx, id, suggestedTags(id, mostSuggested), usesPerWeek('alone', mostSuggested)),
      }),
    )
  },
  view: ({ typed, found }) => (
    <FeaturedTagsPage
      typed={typed('name')}
      featured={found.featured.map(({ id, name, statusesCount }) => ({ id, name, count: statusesCount }))}
      suggested={found.suggested.map(({ displayName }) => displayName)}
    />
  ),
})

export interface FeaturedTagsPageProps {
  readonly typed: string
  readonly featured: readonly { readonly id: number; readonly name: string; readonly count: number }[]
  readonly suggested: readonly string[]
}

/** Hashtags on the profile. */
export function FeaturedTagsPage(props: FeaturedTagsPageProps) {
  const { typed, featured, suggested } = props
  const t = useTranslation()
  return (
    <SettingsLayout title={t(title)}>
      <p class="quiet">{t('settings.featuredTags.profileShowsFirstWhoever')}</p>
      {featured.length < accountLimits.featuredTags && (
        <section class="block" aria-labelledby="add">
          <h2 id="add">{t('settings.featuredTags.addAHashtag')}</h2>
          <PostForm action={paths.featuredTags}>
            <TextField
              name="name"
              label={t('settings.hashtag')}
              value={typed}
              autocomplete="off"
              maxlength={200}
            />
            <Button>{t('settings.add')}</Button>
          </PostForm>
          {suggested.length > 0 && (
            <>
              <p class="quiet small">{t('settings.featuredTags.usedLate')}</p>
              <div class="actions">
                {suggested.map((name) => (
                  <PostForm action={paths.featuredTags} hidden={{ name }} class="inline">
                    <Button look="secondary">#{name}</Button>
                  </PostForm>
                ))}
              </div>
            </>
          )}
        </section>
      )}
      <section class="block" aria-labelledby="featured">
        <h2 id="featured">{t('settings.featuredTags.onYourProfile')}</h2>
        {featured.length === 0 && <p class="quiet small">{t('common.noneYet')}</p>}
        <ul class="entries">
          {featured.map(({ id, name, count }) => (
            <li class="entry-line">
              <span>
                <a href={`${paths.tags}/${encodeURIComponent(name)}`}>#{name}</a>{' '}
                <span class="quiet small">{t('common.posts2', { count })}</span>
              </span>
              <PostForm action={`${paths.featuredTags}/${id}/remove`} class="inline">
                <Button look="secondary">
                  {t('common.remove')}
                  <span class="hidden"> #{name}</span>
                </Button>
              </PostForm>
            </li>
          ))}
        </ul>
      </section>
    </SettingsLayout>
  )
}
