import { Hono } from 'hono'
import type { CustomEmoji } from '../../../contract/entities/custom-emoji'
import { reactionLimits } from '../../../contract/limits'
import { map } from '../../../db/query'
import { pickableEmojis } from '../../../domain/instance/emojis'
import { reactToStatus } from '../../../domain/interactions/react'
import type { AppEnv } from '../../../ports/app-env'
import { presentCustomEmoji } from '../../../view/present/emoji'
import { useTranslation } from '../../i18n/context'
import { EmojiGroups } from '../../posts/emoji-groups'
import { Reactions } from '../../posts/reactions'
import { type PostForm, PostFormPage, type PostFormView, postForm } from './form-page'

/** The page on which a member picks an emoji to react to a post with. */
export function reactRoutes(): Hono<AppEnv> {
  const app = new Hono<AppEnv>()
  postForm(app, reacting)
  return app
}

/** Custom emojis that the page shows; the names of others can be typed. */
const mostShown = 200

const reacting: PostForm<readonly CustomEmoji[]> = {
  name: 'react',
  fields: () => ['emoji', 'typed'],
  read: (ctx) => map(pickableEmojis(ctx), (all) => all.map((emoji) => presentCustomEmoji(ctx.config, emoji))),
  show: (_ctx, view) => (
    <ReactPage view={view} emojis={view.found.slice(0, mostShown)} hasMore={view.found.length > mostShown} />
  ),
  work: async (ctx, viewer, { id, form }) => {
    const picked = form('emoji')
    await reactToStatus(ctx, viewer, { id, name: picked === '' ? form('typed').trim() : picked })
    return null
  },
  reasons: {
    no_emoji: 'client.react.notAnEmoji',
    too_many_reactions: 'client.react.tooManyKinds',
    too_many_own_reactions: { text: 'client.react.tooManyOwn', values: { count: reactionLimits.perAccount } },
    favourite_refused: 'client.react.refused',
  },
}

interface ReactPageProps {
  readonly view: PostFormView<unknown>
  readonly emojis: readonly CustomEmoji[]
  /** The server has more emojis than the page shows. */
  readonly hasMore: boolean
}

export function ReactPage({ view, emojis, hasMore }: ReactPageProps) {
  const t = useTranslation()
  const { post, typed } = view
  return (
    <PostFormPage
      view={view}
      title={t('client.reactWithAnEmoji')}
      before={
        post.reactions.length > 0 && (
          <div class="pad">
            <Reactions post={post} />
          </div>
        )
      }
    >
      <div class="field">
        <label for="typed">{t('client.react.emoji')}</label>
        <input
          class="input"
          id="typed"
          type="text"
          name="typed"
          value={typed?.('typed') ?? ''}
          maxlength={100}
          autocomplete="off"
          autocapitalize="none"
          aria-describedby="typed-hint"
        />
        <p class="hint" id="typed-hint">
          {t(hasMore ? 'client.react.typeOneOrMore' : 'client.react.typeOne')}
        </p>
      </div>
      <p class="two">
        <button type="submit" class="button main">
          {t('client.react.react')}
        </button>
        <a class="button" href={view.back}>
          {t('common.cancel')}
        </a>
      </p>
      <EmojiGroups
        emojis={emojis}
        name="emoji"
        valueFor={(emoji) => ('unicode' in emoji ? emoji.unicode : emoji.shortcode)}
      />
    </PostFormPage>
  )
}
