import * as z from 'zod'
import { isValidHashtag } from '../../../contract/text/hashtag'
import { execute } from '../../../db/query'
import { viewerById } from '../../../domain/core/viewer'
import { followedTags, followTag, unfollowTag } from '../../../domain/tags/follow'
import { InvalidFields } from '../../../errors'
import { problem } from '../../../errors/sentences'
import { loadTags, usesPerWeek } from '../../../view/load/tags'
import { Button } from '../../components/button'
import { TextField } from '../../components/field'
import { PostForm } from '../../components/form'
import { MoreLink } from '../../components/page-links'
import { SettingsLayout } from '../../components/settings-layout'
import { textField } from '../../form-fields'
import { useTranslation } from '../../i18n/context'
import { memberPage } from '../../member-pages/member-page'
import { pageBehind, readMaxId } from '../../pagination'
import { paths } from '../../paths'

const title = 'settings.followedTags.followedHashtags'
const pageLength = 40

export const followedTagsPage = memberPage({
  kind: 'settings',
  path: paths.followedTags,
  title,
  access: 'active',
  menu: { group: 'reach', label: title, order: 42 },
  words: ['settings.followedTags.followAHashtag'],
  redirectsFrom: ['/followed_tags'],
  form: z.object({ name: textField(200) }),
  submissions: [
    {
      run: async ({ ctx, session, input }) => {
        const name = input.name.trim().replace(/^#/, '')
        if (!isValidHashtag(name)) throw new InvalidFields([problem('invalid_hashtag', { field: 'name' })])
        await ctx.throttle.take('follows', String(session.accountId))
        await followTag(ctx, { id: session.accountId }, name)
        return { notice: 'followed' }
      },
    },
    {
      path: `${paths.followedTags}/unfollow`,
      isCommand: true,
      run: async ({ ctx, session, input }) => {
        await unfollowTag(ctx, { id: session.accountId }, input.name)
        return { notice: 'unfollowed' }
      },
    },
  ],
  notices: {
    followed: 'settings.followedTags.followHashtagNow',
    unfollowed: 'settings.followedTags.noLongerFollowHashtag',
  },
  load: async (ctx, { session, query }) => {
    const viewer = viewerById(session.accountId)
    const page = { limit: pageLength, maxId: readMaxId(query('max_id')) }
    const tags = await execute(
      ctx.db,
      loadTags(ctx, viewer.id, followedTags(viewer, page), usesPerWeek('alone', pageLength)),
    )
    const last = tags.length < pageLength ? undefined : tags.at(-1)
    return {
      names: tags.map(({ displayName }) => displayName),
      olderUrl: pageBehind(paths.followedTags, last?.cursor),
    }
  },
  view: ({ typed, found }) => <FollowedTagsPage typed={typed('name')} {...found} />,
})

export interface FollowedTagsPageProps {
  readonly typed: string
  readonly names: readonly string[]
  readonly olderUrl: string | null
}

/** Hashtags whose posts arrive in the home timeline. */
export function FollowedTagsPage(props: FollowedTagsPageProps) {
  const { typed, names, olderUrl } = props
  const t = useTranslation()
  return (
    <SettingsLayout title={t(title)}>
      <p class="quiet">{t('settings.followedTags.publicPostsHashtagsArrive')}</p>
      <section class="block" aria-labelledby="add">
        <h2 id="add">{t('settings.followedTags.followAHashtag')}</h2>
        <PostForm action={paths.followedTags}>
          <TextField
            name="name"
            label={t('settings.hashtag')}
            value={typed}
            autocomplete="off"
            maxlength={200}
          />
          <Button>{t('common.follow')}</Button>
        </PostForm>
      </section>
      <section class="block" aria-labelledby="followed">
        <h2 id="followed">{t('settings.followedTags.youFollow')}</h2>
        {names.length === 0 && <p class="quiet small">{t('common.noneYet')}</p>}
        <ul class="entries">
          {names.map((name) => (
            <li class="entry-line">
              <a href={`${paths.tags}/${encodeURIComponent(name)}`}>#{name}</a>
              <PostForm action={`${paths.followedTags}/unfollow`} hidden={{ name }} class="inline">
                <Button look="secondary">
                  {t('settings.followedTags.unfollow')}
                  <span class="hidden"> #{name}</span>
                </Button>
              </PostForm>
            </li>
          ))}
        </ul>
        <MoreLink href={olderUrl} />
      </section>
    </SettingsLayout>
  )
}
