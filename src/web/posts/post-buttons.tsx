import { keptBy } from '../../lib/kept-by'
import type { PageLanguage } from '../../lib/page-language'
import { CsrfField } from '../components/form'
import { Icon, type IconName } from '../components/icon'
import { MenuButton, MenuLink } from '../components/menu-rows'
import { useTranslation } from '../i18n/context'
import { interactPath } from '../paths'
import { personPagePath } from '../people/acts'
import { composePaths, deletionPath, type PostAct, postActPath, postPagePath, translationPath } from './acts'
import { usePlaceOf, usePosts } from './context'
import type { PostState, PostView } from './post-view'
import { isTranslatable } from './translation'

/** Buttons of a post for members, invitations for visitors. */
export function PostButtons({ post }: { readonly post: PostView }) {
  return post.state === null ? <VisitorLinks post={post} /> : <MemberButtons post={post} state={post.state} />
}

/** Links to the visitor's own server, or to sign-in. */
function VisitorLinks({ post: { id, counts, visibility } }: { readonly post: PostView }) {
  const t = useTranslation()
  if (visibility !== 'public' && visibility !== 'unlisted') return null
  const links = [
    ['reply', 'reply', t('common.reply'), counts.replies],
    ['reblog', 'repeat-2', t('common.boost'), counts.reblogs],
    ['favourite', 'star', t('common.favourite'), counts.favourites],
  ] as const
  return (
    <div class="acts">
      {links.map(([type, icon, label, count]) => (
        <a class="plain" href={interactPath(id, type)} rel="nofollow" aria-label={withCount(label, count)}>
          <Icon name={icon} />
          <Count count={count} />
        </a>
      ))}
    </div>
  )
}

interface MemberButtonsProps {
  readonly post: PostView
  readonly state: PostState
}

function MemberButtons({ post, state }: MemberButtonsProps) {
  const t = useTranslation()
  const place = usePlaceOf(post)
  const { id, counts } = post
  return (
    <form class="acts" method="post" action={postActPath(id)}>
      <CsrfField />
      <input type="hidden" name="return_to" value={place} />
      <a
        class="plain"
        href={composePaths.reply(id)}
        aria-label={withCount(t('common.reply'), counts.replies)}
      >
        <Icon name="reply" />
        <Count count={counts.replies} />
      </a>
      <Toggle
        icon="repeat-2"
        label={t('common.boost')}
        act={state.reblogged ? 'unboost' : 'boost'}
        isPressed={state.reblogged}
        count={counts.reblogs}
        isOff={!state.mayBoost && !state.reblogged}
      />
      <Toggle
        icon="star"
        label={t('common.favourite')}
        act={state.favourited ? 'unfavourite' : 'favourite'}
        isPressed={state.favourited}
        count={counts.favourites}
      />
      <Toggle
        icon="bookmark"
        label={t('client.bookmark')}
        act={state.bookmarked ? 'unbookmark' : 'bookmark'}
        isPressed={state.bookmarked}
        count={0}
      />
      <PostMenu post={post} state={state} />
    </form>
  )
}

interface ToggleProps {
  readonly icon: IconName
  readonly label: string
  readonly act: PostAct
  readonly isPressed: boolean
  readonly count: number
  readonly isOff?: boolean
}

function Toggle({ icon, label, act, isPressed, count, isOff = false }: ToggleProps) {
  return (
    <button
      type="submit"
      class="plain"
      name="act"
      value={act}
      aria-pressed={isPressed}
      aria-label={withCount(label, count)}
      data-count={act.endsWith('bookmark') ? undefined : count}
      disabled={isOff}
    >
      <Icon name={icon} />
      <Count count={count} />
    </button>
  )
}

function Count({ count }: { readonly count: number }) {
  const { language } = useTranslation()
  if (count === 0) return null
  return <span>{compactFormat(language).format(count)}</span>
}

const compactFormats = keptBy<Intl.NumberFormat>()

function compactFormat(language: PageLanguage): Intl.NumberFormat {
  return compactFormats(language, () => new Intl.NumberFormat(language, { notation: 'compact' }))
}

function withCount(label: string, count: number): string {
  return count === 0 ? label : `${label}, ${count}`
}

function PostMenu({ post, state }: MemberButtonsProps) {
  const t = useTranslation()
  const { translates } = usePosts()
  const place = usePlaceOf(post)
  return (
    <details class="menu">
      <summary class="plain" aria-label={t('client.moreAboutThisPost')}>
        <Icon name="ellipsis" />
      </summary>
      <div class="sheet">
        {state.mayQuote && (
          <MenuLink icon="quote" href={composePaths.quote(post.id)} label={t('client.quote')} />
        )}
        <MenuLink
          icon="smile-plus"
          href={postPagePath(post.id, 'react', place)}
          label={t('client.reactWithAnEmoji')}
        />
        {state.mayBoost && !state.reblogged && (
          <MenuLink
            icon="repeat-2"
            href={postPagePath(post.id, 'boost', place)}
            label={t('client.boostToAnAudience')}
          />
        )}
        <MenuLink icon="link" href={post.path} label={t('client.linkToThisPost')} copies={post.url} />
        {translates && !state.isOwn && isTranslatable(post, t.language) && (
          <MenuLink icon="languages" href={translationPath(post.path)} label={t('client.translate')} />
        )}
        {post.isRemote && (
          <MenuLink icon="external-link" href={post.url} label={t('client.openOnItsOwnServer')} />
        )}
        {state.isOwn ? <OwnActs post={post} state={state} /> : <ActsOnOthers post={post} />}
      </div>
    </details>
  )
}

function OwnActs({ post, state }: MemberButtonsProps) {
  const t = useTranslation()
  return (
    <>
      {state.mayPin && (
        <MenuButton
          icon="pin"
          act={state.pinned ? 'unpin' : 'pin'}
          {...eitherOf(state.pinned, t('client.unpinFromProfile'), t('client.pinToProfile'))}
        />
      )}
      <MuteButton state={state} />
      <hr />
      <MenuLink icon="pencil" href={composePaths.edit(post.id)} label={t('client.edit')} />
      <MenuLink
        icon="trash-2"
        href={deletionPath(post.id)}
        label={t('client.delete')}
        isDangerous
        deletes={post.id}
      />
    </>
  )
}

function ActsOnOthers({ post }: { readonly post: PostView }) {
  const t = useTranslation()
  const { author, state } = post
  const name = author.name
  const place = usePlaceOf(post)
  const page = (kind: 'mute' | 'block' | 'report') =>
    personPagePath(author.id, kind, {
      returnTo: place,
      ...(kind === 'report' ? { status: post.id } : {}),
    })
  return (
    <>
      <hr />
      {state !== null && <MuteButton state={state} />}
      <MenuLink
        icon="funnel"
        href={postPagePath(post.id, 'filter', place)}
        label={t('client.filterPostsLikeThis')}
      />
      <hr />
      <MenuLink icon="volume-x" href={page('mute')} label={t('client.muteName', { name })} />
      <MenuLink icon="ban" href={page('block')} label={t('client.blockName', { name })} />
      <MenuLink icon="flag" href={page('report')} label={t('client.person.report')} isDangerous />
    </>
  )
}

export function MuteButton({ state }: { readonly state: PostState }) {
  const t = useTranslation()
  return (
    <MenuButton
      icon="volume-x"
      act={state.muted ? 'unmute' : 'mute'}
      {...eitherOf(state.muted, t('client.unmuteThisConversation'), t('client.muteThisConversation'))}
    />
  )
}

/** Words of a button for its state, and for the one after it is pressed. */
function eitherOf(
  isOn: boolean,
  off: string,
  on: string,
): { readonly label: string; readonly other: string } {
  return isOn ? { label: off, other: on } : { label: on, other: off }
}
