import { CsrfField } from '../components/form'
import { Icon } from '../components/icon'
import { MenuLink, ShareRow } from '../components/menu-rows'
import { useTranslation } from '../i18n/context'
import { embedPath, postActPath } from './acts'
import { usePosts } from './context'
import { MuteButton } from './post-buttons'
import type { PostView } from './post-view'

/** The menu in the head of a thread: the conversation, and what its address is good for. */
export function ThreadMenu({ post }: { readonly post: PostView }) {
  const t = useTranslation()
  const { returnTo } = usePosts()
  const { id, path, url, state, visibility, isRemote, isLocalOnly } = post
  const isPublic = (visibility === 'public' || visibility === 'unlisted') && !isLocalOnly
  if (state === null) return null
  return (
    <details class="menu">
      <summary class="plain" aria-label={t('client.moreAboutThisConversation')}>
        <Icon name="ellipsis" />
      </summary>
      <form class="sheet" method="post" action={postActPath(id)}>
        <CsrfField />
        <input type="hidden" name="return_to" value={returnTo} />
        <MuteButton state={state} />
        <hr />
        <MenuLink icon="link" href={path} label={t('client.linkToThisPost')} copies={url} />
        {isPublic && <ShareRow url={url} label={t('client.share')} />}
        {isPublic && !isRemote && (
          <MenuLink icon="image" href={embedPath(path)} label={t('client.embedView')} />
        )}
        {isRemote && <MenuLink icon="external-link" href={url} label={t('client.openOnItsOwnServer')} />}
      </form>
    </details>
  )
}
